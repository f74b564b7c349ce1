//! Times as transcripts write them, in the one form that headers use.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};

/// A clock outside these years was never set; the text stays in `ext`.
const YEARS: std::ops::RangeInclusive<i16> = 2015..=2100;

/// RFC 3339 UTC with six fraction digits, from RFC 3339 with any offset, a naive time (taken as UTC),
/// or seconds, milliseconds, microseconds or nanoseconds since 1970 (told apart by their size).
pub(crate) fn at(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => quick(text).or_else(|| print(parse(text)?)),
        Value::Number(number) => print(epoch(number.as_f64()?)?),
        _ => None,
    }
}

/// What is to be known of a time before it is trusted; nothing if it says all itself.
pub(crate) fn quality(value: &Value) -> Option<&'static str> {
    if at(value).is_none() {
        return Some("unreadable");
    }
    let naive =
        value.as_str().is_some_and(|text| quick(text).is_none() && text.parse::<Timestamp>().is_err());
    naive.then_some("naive")
}

/// Takes a time out of a record. What cannot be made again from the header stays, with `ts_q` where the time is
/// less than it seems.
pub(crate) fn take_at(fields: &mut Map<String, Value>, name: &str) -> Option<String> {
    let value = fields.get(name).filter(|value| !value.is_null())?;
    let (found, quality) = (at(value), quality(value));
    let usual = value.as_str().zip(found.as_ref()).is_some_and(|(text, at)| is_usual(text, at));
    if usual {
        fields.remove(name);
    } else if let Some(quality) = quality {
        fields.insert("ts_q".to_owned(), quality.into());
    }
    found
}

/// The same for something inside of a record: without a time of its own it has that of the record, which is
/// said (`inferred`).
pub(crate) fn take_at_or(
    fields: &mut Map<String, Value>,
    name: &str,
    outer: Option<&String>,
) -> Option<String> {
    let own = take_at(fields, name);
    if own.is_none() && outer.is_some() {
        fields.insert("ts_q".to_owned(), "inferred".into());
    }
    own.or_else(|| outer.cloned())
}

/// Nanoseconds since 1970, from RFC 3339 or a naive time (taken as UTC).
pub(crate) fn nanos(text: &str) -> Option<u64> {
    u64::try_from(parse(text)?.as_nanosecond()).ok()
}

/// The header's form of nanoseconds since 1970.
pub(crate) fn at_nanos(nanos: u64) -> Option<String> {
    print(Timestamp::from_nanosecond(nanos.into()).ok()?)
}

/// True if the source text can be made again from the header: milliseconds and `Z`.
pub(crate) fn is_usual(text: &str, at: &str) -> bool {
    at.strip_suffix("000Z").is_some_and(|millis| text.strip_suffix('Z') == Some(millis))
}

/// The usual shape, without a parser: `2026-01-31T10:00:00.123Z`.
fn quick(text: &str) -> Option<String> {
    const SHAPE: &[u8; 24] = b"0000-00-00T00:00:00.000Z";
    let fits = |(byte, shape): (u8, &u8)| if *shape == b'0' { byte.is_ascii_digit() } else { byte == *shape };
    if text.len() != SHAPE.len() || !text.bytes().zip(SHAPE).all(fits) {
        return None;
    }
    let number = |from: usize| text[from..from + 2].parse::<u8>().unwrap_or(u8::MAX);
    let year = text[..4].parse::<i16>().ok()?;
    // days past 28 and leap seconds go the long way
    let plain = (1..=12).contains(&number(5)) && (1..=28).contains(&number(8));
    let clock = number(11) < 24 && number(14) < 60 && number(17) < 60;
    (YEARS.contains(&year) && plain && clock).then(|| format!("{}000Z", &text[..23]))
}

fn parse(text: &str) -> Option<Timestamp> {
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time);
    }
    let naive: DateTime = text.parse().ok()?;
    naive.to_zoned_datetime(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "the size was checked; beyond microseconds nothing is kept"
)]
fn epoch(number: f64) -> Option<Timestamp> {
    let micros = match number.abs() {
        n if n < 1e11 => number * 1e6,
        n if n < 1e14 => number * 1e3,
        n if n < 1e17 => number,
        n if n < 1e19 => number / 1e3,
        _ => return None,
    };
    Timestamp::from_microsecond(micros as i64).ok()
}

fn print(time: Timestamp) -> Option<String> {
    YEARS.contains(&TimeZone::UTC.to_datetime(time).year()).then(|| format!("{time:.6}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_becomes_one() {
        for (given, expected) in [
            ("2026-01-31T10:00:00.123Z", "2026-01-31T10:00:00.123000Z"),
            ("2026-01-31T10:00:00Z", "2026-01-31T10:00:00.000000Z"),
            ("2026-01-31T10:00:00.1234567Z", "2026-01-31T10:00:00.123456Z"),
            ("2026-01-31T06:00:00.5-04:00", "2026-01-31T10:00:00.500000Z"),
            ("2026-01-31 10:00:00.5", "2026-01-31T10:00:00.500000Z"),
        ] {
            assert_eq!(at(&given.into()).as_deref(), Some(expected), "{given}");
        }
        let expected = Some("2025-09-03T00:47:19.000000Z");
        for number in [1_756_860_439_u64, 1_756_860_439_000, 1_756_860_439_000_000] {
            assert_eq!(at(&number.into()).as_deref(), expected, "{number}");
        }
    }

    #[test]
    fn what_is_no_time_is_left_alone() {
        for bad in
            ["", "yesterday", "2026-13-01T10:00:00.000Z", "1970-01-01T00:00:00Z", "2026-02-30T00:00:00.000Z"]
        {
            assert_eq!(at(&bad.into()), None, "{bad}");
        }
        assert_eq!(at(&0.into()), None);
        assert_eq!(at(&Value::Null), None);
    }

    #[test]
    fn only_the_usual_form_can_be_made_again() {
        assert!(is_usual("2026-01-31T10:00:00.123Z", "2026-01-31T10:00:00.123000Z"));
        assert!(!is_usual("2026-01-31T10:00:00Z", "2026-01-31T10:00:00.000000Z"));
    }
}
