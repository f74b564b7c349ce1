//! What a call of a model has cost, where a transcript that was read too early said less.
//!
//! The cost stands in the header, and two events that differ there alone are one. So the later of the two says it in
//! its data as well, in numbers of ours, and supersedes the first.

use redact::{Clean, Fact};
use serde_json::{Map, Value};

const COUNTS: [&str; 4] = ["input", "output", "cached", "reasoning"];

fn counts(header: &Map<String, Value>) -> [u64; COUNTS.len()] {
    let usage = header.get("usage");
    COUNTS.map(|name| usage.and_then(|usage| usage.get(name)?.as_u64()).unwrap_or(0))
}

/// True if one of the numbers is larger than it was, and none is smaller.
pub(crate) fn is_more(now: &Map<String, Value>, then: &Map<String, Value>) -> bool {
    let (now, then) = (counts(now), counts(then));
    now != then && now.iter().zip(&then).all(|(now, then)| now >= then)
}

/// The same event with its cost in `data` too.
pub(crate) fn told_in_data(clean: Clean) -> Clean {
    let spent = counts(&clean.draft().header);
    let fields = COUNTS.into_iter().zip(spent.map(Fact::Number)).collect();
    clean.with_facts(vec![("usage", Fact::Fields(fields))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_more_is_more() {
        let header = |output: u64, cached: u64| {
            json!({"usage": {"input": 3, "output": output, "cached": cached}})
                .as_object()
                .cloned()
                .unwrap_or_default()
        };
        assert!(is_more(&header(9, 0), &header(2, 0)));
        assert!(is_more(&header(9, 0), &Map::new()));
        assert!(!is_more(&header(2, 0), &header(9, 0)));
        assert!(!is_more(&header(2, 0), &header(2, 0)));
        assert!(!is_more(&header(9, 0), &header(2, 5)));
    }
}
