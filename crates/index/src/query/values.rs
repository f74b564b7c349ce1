//! What stands behind a field's colon, and what words mean: values become conditions.

use event::EventRef;

use super::deep::Deep;
use super::open::{Name, Open};
use super::parse::{Parsed, Written, flat};
use super::{Item, Measure, Node, QueryError, Words};
use crate::facts::{Keyword, MARKS};
use crate::fold::keyword;
use crate::tokens::{MAX_TOKEN_BYTES, pattern};

/// Marks that take more than the event to know.
const OPEN_MARKS: [&str; 3] = ["bookmarked", "unread", "silent"];
/// Leaves of an event's text stand further apart.
const MAX_SLOP: u32 = 50;
/// Events on either side, where nobody says how many.
const NEAR: u64 = 20;

/// The first regex without a bound beside it: it would read everything.
pub(super) fn unbounded(node: &Node, within: bool) -> Option<&str> {
    let is_bound = |node: &Node| match node {
        Node::Keyword { field: Keyword::Session | Keyword::Group, .. } | Node::Seq { .. } => true,
        Node::Time { low, .. } => *low != i64::MIN,
        Node::Open(Open { name, .. }) => !matches!(name, Name::Saved(_) | Name::Mark(_)),
        _ => false,
    };
    match node {
        Node::And(nodes) => {
            let within = within || nodes.iter().any(is_bound);
            nodes.iter().find_map(|node| unbounded(node, within))
        }
        Node::Or(nodes) => nodes.iter().find_map(|node| unbounded(node, within)),
        Node::Not(inner) => unbounded(inner, within),
        Node::Deep(Deep::Regex(pattern)) if !within => Some(pattern),
        _ => None,
    }
}

pub(super) fn no_bound(text: &str, pattern: &str) -> QueryError {
    let at = text.find(&format!("/{pattern}/")).unwrap_or(0);
    let error = QueryError::new(at, format!("/{pattern}/ has no bound: it would read every event"));
    error.hint(
        "add session:S, group:G, since:2h, seq:>=100 or near:S/12 beside it; to look for the text itself, quote it",
    )
}

/// `S/123±20`; also `S/123+-20`.
pub(super) fn near(value: &Written) -> Parsed<Node> {
    let text = value.text.replace("+-", "±");
    let (event, around) = text.split_once('±').unwrap_or((&text, ""));
    let bad = || {
        let error = QueryError::new(value.at, format!("near: takes an event, not {:?}", value.text));
        error.hint("write near:sample-auth/17 or near:sample-auth/17±20")
    };
    let around = if around.is_empty() { NEAR } else { around.parse().map_err(|_| bad())? };
    let event = EventRef::parse(event).map_err(|_| bad())?;
    Ok(Node::Open(Open { name: Name::Near(event, around), at: value.at }))
}

/// `is:` knows marks of the event's own, one that is looked up in it, and some that take the session to know.
pub(super) fn marks(values: &[Written]) -> Parsed<Node> {
    let mut nodes = Vec::new();
    let mut own = Vec::new();
    for value in values {
        let text = keyword(&value.text);
        match text.as_str() {
            "test" => nodes.push(Node::Deep(Deep::Test)),
            mark if OPEN_MARKS.contains(&mark) => {
                nodes.push(Node::Open(Open { name: Name::Mark(text), at: value.at }));
            }
            "ungrounded" => {
                let error =
                    QueryError::new(value.at, "is: does not know \"ungrounded\": it depends on the value");
                return Err(error.hint(
                    "`recount blame VALUE` says where a value came in, and whether there was evidence",
                ));
            }
            _ => own.push(mark(value, text)?),
        }
    }
    if !own.is_empty() {
        nodes.insert(0, Node::Keyword { field: Keyword::Is, values: own });
    }
    Ok(flat(nodes, Node::Or))
}

fn mark(value: &Written, text: String) -> Parsed<Item> {
    if MARKS.contains(&text.as_str()) {
        return Ok(Item { text, prefix: value.prefix });
    }
    let known = || MARKS.into_iter().chain(["test"]).chain(OPEN_MARKS);
    let hint = event::nearest(&text, known()).map_or_else(
        || format!("is: knows {}", known().collect::<Vec<_>>().join(", ")),
        |near| format!("did you mean is:{near}?"),
    );
    Err(QueryError::new(value.at, format!("is: does not know {text:?}")).hint(hint))
}

/// `5s`, `200ms`, `3m`, `1h`, or a bare number.
pub(super) fn count_range(sign: &str, measure: Measure, value: &Written) -> Parsed<Node> {
    let digits = value.text.find(|c: char| !c.is_ascii_digit()).unwrap_or(value.text.len());
    let unit = match (measure, &value.text[digits..]) {
        (_, "") | (Measure::Duration, "ms") => Some(1),
        (Measure::Duration, "s") | (Measure::Tokens, "k") => Some(1_000),
        (Measure::Duration, "m" | "min") => Some(60_000),
        (Measure::Duration, "h") => Some(3_600_000),
        _ => None,
    };
    let number = value.text[..digits].parse::<u64>().ok().zip(unit);
    let Some(number) = number.and_then(|(number, unit)| number.checked_mul(unit)) else {
        let takes = if measure == Measure::Duration { "a duration" } else { "a number" };
        let error = QueryError::new(value.at, format!("this takes {takes}, not {:?}", value.text));
        return Err(error.hint("write dur:>=5s, dur:<200ms, tokens:>=8000 or redacted:>=2"));
    };
    let Node::Seq { low, high } = seq_range(sign, number) else { return Ok(Node::All) };
    Ok(Node::Deep(Deep::Between(measure, low, high)))
}

pub(super) fn seq_range(sign: &str, seq: u64) -> Node {
    const NONE: Node = Node::Seq { low: u64::MAX, high: 0 };
    match sign {
        ">=" => Node::Seq { low: seq, high: u64::MAX },
        ">" => seq.checked_add(1).map_or(NONE, |low| Node::Seq { low, high: u64::MAX }),
        "<=" => Node::Seq { low: 0, high: seq },
        "<" => seq.checked_sub(1).map_or(NONE, |high| Node::Seq { low: 0, high }),
        _ => Node::Seq { low: seq, high: seq },
    }
}

/// `word~` and `word~2`: the word and how many letters may be off.
fn fuzzy(written: &Written) -> Parsed<Option<Node>> {
    let Some((word, most)) = written.text.split_once('~').filter(|_| !written.quoted) else {
        return Ok(None);
    };
    let most = match most {
        "" | "1" => 1,
        "2" => 2,
        _ => return Ok(None),
    };
    let known = pattern(word);
    // an identifier is compared whole
    let token = match (known.whole, known.words.as_slice()) {
        (Some(whole), _) => whole,
        (None, [(_, token)]) => token.clone(),
        _ => {
            let error = QueryError::new(written.at, "only one word can be fuzzy");
            return Err(error.hint("write \"two words\"~3 for words that stand near each other"));
        }
    };
    if token.chars().count() <= most * 2 {
        return Err(QueryError::new(
            written.at,
            format!("{token:?} is too short to have {most} letters off"),
        ));
    }
    Ok(Some(Node::Words(Words::Fuzzy(token, most))))
}

pub(super) fn words_node(written: &Written) -> Parsed<Node> {
    if let Some(node) = fuzzy(written)? {
        return Ok(node);
    }
    let pattern = pattern(&written.text);
    if let Some(slop) = written.tilde.filter(|slop| *slop > 0 && pattern.words.len() > 1) {
        if slop > MAX_SLOP {
            return Err(QueryError::new(
                written.at,
                format!("more than {MAX_SLOP} words between are not near"),
            ));
        }
        return Ok(Node::Words(Words::Slop(pattern.words, slop)));
    }
    if pattern.words.is_empty() {
        let error =
            QueryError::new(written.at, format!("{:?} has no letter or digit to look for", written.text));
        return Err(error.hint("punctuation is not indexed"));
    }
    if written.prefix && !pattern.has_singles {
        if pattern.chunks > 1 {
            return Err(QueryError::new(written.at, "only one word can be a beginning"));
        }
        if pattern.typed.len() > MAX_TOKEN_BYTES {
            return Err(QueryError::new(
                written.at,
                format!("a beginning longer than {MAX_TOKEN_BYTES} bytes"),
            ));
        }
        return Ok(Node::Words(Words::Prefix(pattern.typed)));
    }
    let row = Node::Words(Words::Row(pattern.words));
    match pattern.whole {
        Some(whole) => Ok(Node::Or(vec![Node::Words(Words::Row(vec![(0, whole)])), row])),
        None => Ok(row),
    }
}
