//! Times as people write them: `2h`, `yesterday`, `2026-11-27`, `2026-11-27T20:47`, RFC 3339.

use std::str::FromStr as _;

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Timestamp};

use super::Now;

/// What a time expression covers, in microseconds since 1970: `end` is the first that is not in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first microsecond.
    pub start: i64,
    /// The first after it.
    pub end: i64,
}

/// Reads a time expression. Bare dates and times are in the zone that comes with `now`.
pub(super) fn span(text: &str, now: &Now) -> Option<Span> {
    let text = text.trim();
    let day = |ago: i64| day_span(now.date().checked_sub(jiff::Span::new().try_days(ago).ok()?).ok()?, now);
    match text.to_ascii_lowercase().as_str() {
        "now" => return Some(instant(now.at)),
        "today" => return day(0),
        "yesterday" => return day(1),
        "last night" => {
            let (evening, morning) = (day(1)?, day(0)?);
            let hours = |n: i64| n * 3_600_000_000;
            return Some(Span { start: evening.start + hours(18), end: morning.start + hours(8) });
        }
        _ => {}
    }
    ago(text, now)
        .or_else(|| Timestamp::from_str(text).ok().map(instant))
        .or_else(|| {
            Date::from_str(text).ok().filter(|_| text.len() == 10).and_then(|date| day_span(date, now))
        })
        .or_else(|| {
            let civil = DateTime::from_str(text).ok()?;
            now.zone.to_timestamp(civil).ok().map(instant)
        })
}

/// Times that stand so to a span: in it, or on one side.
pub fn time_range(sign: &str, span: Span) -> super::Node {
    let (start, last) = (span.start, span.end - 1);
    let (low, high) = match sign {
        ">=" => (start, i64::MAX),
        ">" => (span.end, i64::MAX),
        "<=" => (i64::MIN, last),
        "<" => (i64::MIN, start.saturating_sub(1)),
        _ => (start, last),
    };
    super::Node::Time { low, high }
}

fn instant(time: Timestamp) -> Span {
    let start = time.as_microsecond();
    Span { start, end: start.saturating_add(1) }
}

fn day_span(date: Date, now: &Now) -> Option<Span> {
    let midnight =
        |date: Date| Some(now.zone.to_timestamp(date.to_datetime(Time::midnight())).ok()?.as_microsecond());
    Some(Span { start: midnight(date)?, end: midnight(date.tomorrow().ok()?)? })
}

/// `90s`, `30m`, `2h`, `3d`, `1w` before now.
fn ago(text: &str, now: &Now) -> Option<Span> {
    let unit_at = text.find(|c: char| !c.is_ascii_digit())?;
    let count: i64 = text[..unit_at].parse().ok()?;
    let seconds = match &text[unit_at..] {
        "s" => 1,
        "m" | "min" => 60,
        "h" => 3_600,
        "d" => 86_400,
        "w" => 604_800,
        _ => return None,
    };
    let before = SignedDuration::from_secs(count.checked_mul(seconds)?);
    now.at.checked_sub(before).ok().map(instant)
}
