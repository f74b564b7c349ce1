//! What a call of a model has cost, where a transcript that was read too early said less.
//!
//! The cost stands in the header, and two events that differ there alone are one. So the later of the two says it in
//! its data as well, in numbers of ours, and supersedes the first.

use redact::{Clean, Fact};
use serde_json::Value;

const COUNTS: [&str; 4] = ["input", "output", "cached", "reasoning"];

fn counts(usage: Option<&Value>) -> [u64; COUNTS.len()] {
    COUNTS.map(|name| usage.and_then(|usage| usage.get(name)?.as_u64()).unwrap_or(0))
}

/// Of two values of the field `usage`: true if one of the numbers is larger than it was, and none is smaller.
pub(crate) fn is_more(now: Option<&Value>, then: Option<&Value>) -> bool {
    let (now, then) = (counts(now), counts(then));
    now != then && now.iter().zip(&then).all(|(now, then)| now >= then)
}

/// The same event with its cost in `data` too.
pub(crate) fn told_in_data(clean: Clean) -> Clean {
    let spent = counts(clean.draft().header.get("usage"));
    let fields = COUNTS.into_iter().zip(spent.map(Fact::Number)).collect();
    clean.with_facts(vec![("usage", Fact::Fields(fields))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_more_is_more() {
        let usage = |output: u64, cached: u64| json!({"input": 3, "output": output, "cached": cached});
        let is_more = |now: &Value, then: &Value| is_more(Some(now), Some(then));
        assert!(is_more(&usage(9, 0), &usage(2, 0)));
        assert!(is_more(&usage(9, 0), &Value::Null));
        assert!(!is_more(&usage(2, 0), &usage(9, 0)));
        assert!(!is_more(&usage(2, 0), &usage(2, 0)));
        assert!(!is_more(&usage(9, 0), &usage(2, 5)));
    }
}
