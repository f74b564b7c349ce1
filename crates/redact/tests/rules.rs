//! The walk over the table of rules: each row's evidence.

use redact::{RULES, scan};

#[test]
fn every_hit_is_caught_whole() {
    for rule in RULES {
        assert!(!rule.hits.is_empty(), "{} has no hit", rule.shape);
        for hit in rule.hits {
            let start = hit.rfind(' ').map_or(0, |at| at + 1);
            let spans = scan(hit);
            let whole = spans.iter().any(|span| span.start <= start && span.end == hit.len());
            assert!(whole, "{} {}: {hit} {spans:?}", rule.kind, rule.shape);
        }
    }
}

#[test]
fn every_miss_is_left_alone() {
    for rule in RULES {
        assert!(!rule.misses.is_empty(), "{} has no miss", rule.shape);
        for miss in rule.misses {
            assert_eq!(scan(miss), [], "{} {}: {miss}", rule.kind, rule.shape);
        }
    }
}

#[test]
fn kinds_are_names_that_a_header_can_carry() {
    for rule in RULES {
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        assert!(
            rule.kind.starts_with(|sign: char| sign.is_ascii_lowercase()) && rule.kind.bytes().all(fits),
            "{}",
            rule.kind
        );
    }
}
