//! The only type that the journal takes.

use event::{Draft, Kind, MAX_HEADER_STRING_BYTES, SessionId, encoded_len};
use serde_json::{Map, Value, json};

use crate::fact::{self, Fact};
use crate::memory::Recollection;
use crate::redactor::{Mark, Redactor};
use crate::walk::{Hit, Reading, Walk};
use crate::{RedactError, calls};

/// The header map that says how many secrets of which kind left.
const COUNTS: &str = "redacted";
/// The payload member that says what left where.
const DETAILS: &str = "redactions";

/// Digits of the hash behind a cut string.
const CUT_DIGITS: usize = 16;
/// The longest origin and its colon, which stand in front of a key.
const ORIGIN_BYTES: usize = "imported:".len();

/// A draft without secrets. Only this crate makes one.
#[derive(Clone, PartialEq)]
pub struct Clean {
    draft: Draft,
    session: SessionId,
    hits: usize,
}

impl Clean {
    /// The draft, fit to be stored.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The session that it is stored in.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// How many secrets left.
    pub fn hits(&self) -> usize {
        self.hits
    }

    /// The same with members of the house's own, which replace those of the same name.
    #[must_use]
    pub fn with_facts(mut self, data: Vec<(&'static str, Fact)>) -> Self {
        self.draft.data.extend(fact::into_map(data));
        self
    }

    /// The same with header fields of the house's own, which replace those of the same name.
    #[must_use]
    pub fn with_header(mut self, header: Vec<(&'static str, Fact)>) -> Self {
        self.draft.header.extend(fact::into_map(header));
        self
    }

    /// An event of the recorder's own, made of facts alone.
    pub fn system(
        session: SessionId,
        kind: &'static str,
        header: Vec<(&'static str, Fact)>,
        data: Vec<(&'static str, Fact)>,
    ) -> Self {
        let mut draft = Draft::new(session.as_str(), Kind::of(kind), event::Origin::Observed);
        draft.header = fact::into_map(header);
        draft.data = fact::into_map(data);
        Self { draft, session, hits: 0 }
    }
}

impl std::fmt::Debug for Clean {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Clean({} in {}, {} redacted)", self.draft.kind, self.session, self.hits)
    }
}

/// Takes every secret out of `draft`.
pub(crate) fn clean(redactor: &Redactor, mut draft: Draft) -> Result<Clean, RedactError> {
    let session = stored_session(redactor, &draft.session)?;
    session.as_str().clone_into(&mut draft.session);
    if let Some(index) = draft.data.keys().position(|name| !redactor.spans(name).is_empty()) {
        return Err(RedactError::MemberName { index });
    }
    let mut counts = Counts::default();
    let answer = listen(redactor, &session, &draft);
    let mut seen = redactor.memory.recall(session.as_str());
    clean_kind(redactor, &mut draft, &mut counts);
    clean_key(redactor, &mut draft, &mut counts);
    clean_header(redactor, &mut draft.header, &mut seen, &mut counts);
    let strict = answer.is_some_and(|call| redactor.memory.expects(session.as_str(), &call));
    let details = clean_data(redactor, &mut draft.data, strict, &mut seen, &mut counts);
    redactor.memory.keep(session.as_str(), &seen);
    if draft.kind == *"session.closed" {
        redactor.memory.forget(session.as_str());
    }
    cut_long(redactor, &mut draft);
    if !details.is_empty() {
        draft.data.insert(DETAILS.to_owned(), Value::Array(details));
    }
    let hits = counts.total;
    if hits > 0 {
        draft.header.insert(COUNTS.to_owned(), Value::Object(counts.by_kind));
    }
    Ok(Clean { draft, session, hits })
}

/// An id that is already mapped is an id of the store.
fn stored_session(redactor: &Redactor, name: &str) -> Result<SessionId, RedactError> {
    SessionId::check_caller_name(name).map_err(|_| RedactError::Session)?;
    let mapped = name.strip_prefix("m-").is_some_and(|hex| {
        hex.len() == 32 && hex.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    });
    match SessionId::new(name) {
        Ok(session) if mapped => Ok(session),
        _ => Ok(redactor.session_id(name)),
    }
}

#[derive(Default)]
struct Counts {
    by_kind: Map<String, Value>,
    total: usize,
}

impl Counts {
    fn add(&mut self, kind: &str) {
        let count = self.by_kind.get(kind).and_then(Value::as_u64).unwrap_or(0);
        self.by_kind.insert(kind.to_owned(), (count + 1).into());
        self.total += 1;
    }
}

/// A caller's own kind is a name that the caller chose.
fn clean_kind(redactor: &Redactor, draft: &mut Draft, counts: &mut Counts) {
    if let Some(span) = redactor.spans(draft.kind.as_str()).first() {
        counts.add(redactor.counted(span.kind));
        draft.kind = Kind::stored("x.redacted");
    }
}

fn clean_key(redactor: &Redactor, draft: &mut Draft, counts: &mut Counts) {
    let Some(key) = &draft.key else { return };
    let spans = redactor.spans(key);
    if !spans.is_empty() {
        for span in &spans {
            counts.add(redactor.counted(span.kind));
        }
        draft.key = Some(redactor.keyed_hash(key));
    }
}

fn clean_header(
    redactor: &Redactor,
    header: &mut Map<String, Value>,
    seen: &mut Recollection,
    counts: &mut Counts,
) {
    // Whatever came with the draft, the counts are ours to make.
    header.remove(COUNTS);
    let mut walk = Walk::new(redactor, Mark::Plain, seen);
    for value in header.values_mut() {
        walk.value(value, None, 1);
    }
    for hit in &walk.hits {
        counts.add(redactor.counted(hit.kind));
    }
}

/// Headers hold short strings: a longer one is cut, marked with a keyed hash, and stands whole in `data`.
/// It is clean by now: no secret can be left in pieces by the cut.
fn cut_long(redactor: &Redactor, draft: &mut Draft) {
    let long: Vec<String> =
        draft.header.iter().filter(|(_, value)| is_long(value)).map(|(name, _)| name.clone()).collect();
    for name in long {
        let Some(value) = draft.header.get_mut(&name) else { continue };
        let whole = value.clone();
        cut(redactor, value);
        keep_whole(draft, &name, whole);
    }
    let room = MAX_HEADER_STRING_BYTES - ORIGIN_BYTES;
    if let Some(key) = draft.key.take_if(|key| encoded_len(key) > room) {
        draft.key = Some(shortened(redactor, &key, room));
        keep_whole(draft, "key", key.into());
    }
}

fn keep_whole(draft: &mut Draft, name: &str, whole: Value) {
    let taken = draft.data.contains_key(name);
    let name = if taken { format!("{name}_whole") } else { name.to_owned() };
    draft.data.insert(name, whole);
}

fn is_long(value: &Value) -> bool {
    match value {
        Value::String(text) => encoded_len(text) > MAX_HEADER_STRING_BYTES,
        Value::Array(items) => items.iter().any(is_long),
        Value::Object(map) => map.values().any(is_long),
        _ => false,
    }
}

fn cut(redactor: &Redactor, value: &mut Value) {
    match value {
        Value::String(text) if encoded_len(text) > MAX_HEADER_STRING_BYTES => {
            *text = shortened(redactor, text, MAX_HEADER_STRING_BYTES);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| cut(redactor, item)),
        Value::Object(map) => map.values_mut().for_each(|item| cut(redactor, item)),
        _ => {}
    }
}

/// As much of the text as fits with `~` and 16 digits behind it, once encoded.
fn shortened(redactor: &Redactor, text: &str, room: usize) -> String {
    let mut used = 1 + CUT_DIGITS;
    let fits = |c: &char| {
        used += encoded_len(c.encode_utf8(&mut [0; 4]));
        used <= room
    };
    let head: String = text.chars().take_while(fits).collect();
    format!("{head}~{}", &redactor.keyed_hash(text)[..CUT_DIGITS])
}

/// Remembers a call whose answer will be a secret; gives the call that this draft answers.
fn listen(redactor: &Redactor, session: &SessionId, draft: &Draft) -> Option<String> {
    let call = draft.header.get("call")?.as_str()?;
    match draft.kind.as_str() {
        "skill.invoked" if calls::reveals(&draft.data) => {
            redactor.memory.expect(session.as_str(), call);
            None
        }
        "skill.progressed" | "skill.returned" => Some(call.to_owned()),
        _ => None,
    }
}

/// Walks the members; once more if that showed a secret that may stand bare in a member before.
fn clean_data(
    redactor: &Redactor,
    data: &mut Map<String, Value>,
    strict: bool,
    seen: &mut Recollection,
    counts: &mut Counts,
) -> Vec<Value> {
    data.remove(DETAILS);
    let mut details = Vec::new();
    let known = seen.learned();
    walk_data(redactor, data, strict, seen, counts, &mut details);
    if seen.learned() > known {
        walk_data(redactor, data, strict, seen, counts, &mut details);
    }
    details
}

fn walk_data(
    redactor: &Redactor,
    data: &mut Map<String, Value>,
    strict: bool,
    seen: &mut Recollection,
    counts: &mut Counts,
    details: &mut Vec<Value>,
) {
    for (member, value) in data.iter_mut() {
        let mut walk = Walk::new(redactor, Mark::Printed, seen);
        walk.reading = if strict { Reading::Answer } else { Reading::Plain };
        if redactor.rules().denies(member) {
            walk.withhold(value, 1);
        } else {
            walk.at(&|| member.clone(), |walk| walk.value(value, crate::names::judge(member.as_bytes()), 1));
        }
        for hit in walk.hits {
            counts.add(redactor.counted(hit.kind));
            details.push(detail(member, &hit));
        }
    }
}

fn detail(member: &str, hit: &Hit) -> Value {
    match &hit.fingerprint {
        Some(print) => json!({ "member": member, "kind": hit.kind, "fp": print }),
        None => json!({ "member": member, "kind": hit.kind }),
    }
}
