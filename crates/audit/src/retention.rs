//! How long sessions are kept: a floor that nobody goes below without an order, and what a user's policy says above.

use serde::Deserialize;
use world::Instant;

use crate::basis::Basis;

const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;

/// Days that every session is kept at least, counted from its last seal, unless an order says otherwise.
pub const FLOOR_DAYS: u32 = 184;

/// `retention.toml`, beside the keys of the store.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retention {
    /// Days that a session is kept; without it, for ever.
    pub keep_days: Option<u32>,
    /// Days that copies of handoffs beside the journal are kept. They have no floor: the journal has what they say.
    pub artifact_days: Option<u32>,
    /// Other times for sessions whose id begins so; the longest beginning counts.
    #[serde(default)]
    pub sessions: std::collections::BTreeMap<String, u32>,
}

impl Retention {
    /// Reads a policy; no time in it is below the floor.
    pub fn parse(text: &str) -> Result<Self, String> {
        let policy: Self = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        if policy.keep_days.is_none() && policy.artifact_days.is_none() {
            return Err("neither keep_days nor artifact_days".to_owned());
        }
        let times = policy.sessions.values().chain(&policy.keep_days);
        match times.min().filter(|days| **days < FLOOR_DAYS) {
            Some(days) => {
                Err(format!("{days} days are fewer than the {FLOOR_DAYS} that every session is kept"))
            }
            None => Ok(policy),
        }
    }

    /// Days that a session is kept; `None` for ever.
    pub fn days(&self, session: &str) -> Option<u32> {
        let fits = self.sessions.iter().filter(|(beginning, _)| session.starts_with(beginning.as_str()));
        fits.max_by_key(|(beginning, _)| beginning.len()).map(|(_, days)| *days).or(self.keep_days)
    }
}

/// Whether so many days lie between two times of the log; what cannot be read is too young.
pub(crate) fn is_older(since: &str, now: &str, days: u32) -> bool {
    let age = |since: Instant, now: Instant| now.saturating_sub(since) >= i64::from(days) * DAY_MICROS;
    matches!((micros(since), micros(now)), (Some(since), Some(now)) if age(since, now))
}

/// Whether a purge on this basis may take a session that was sealed last then.
pub(crate) fn is_old_enough(basis: Basis, sealed: &str, now: &str) -> bool {
    basis.is_order() || is_older(sealed, now, FLOOR_DAYS)
}

/// Microseconds since 1970 of `2026-11-28T05:59:15.123456Z`, as the house writes times.
fn micros(ts: &str) -> Option<Instant> {
    let part = |from: usize, to: usize| ts.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    let seconds = part(11, 13)? * 3600 + part(14, 16)? * 60 + part(17, 19)?;
    // days since 1970 of a Gregorian date, after Howard Hinnant's `days_from_civil`
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year - era * 400;
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    Some((days * 86_400 + seconds) * 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_policy_goes_below_the_floor() {
        let policy =
            Retention::parse("keep_days = 365\n[sessions]\n\"ci-\" = 184\n\"ci-rel\" = 730\n").unwrap();
        let days = ["x", "ci-7", "ci-rel-1"].map(|session| policy.days(session));
        assert_eq!(days, [Some(365), Some(184), Some(730)]);
        let copies = Retention::parse("artifact_days = 30\n").unwrap();
        assert_eq!((copies.days("x"), copies.artifact_days), (None, Some(30)));
        for bad in ["keep_days = 183", "keep_days = 365\n[sessions]\nx = 1", "", "days = 365"] {
            assert!(Retention::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn days_are_counted_over_leap_years() {
        assert_eq!(micros("1970-01-01T00:00:00.000000Z"), Some(0));
        assert_eq!(micros("2024-02-29T12:00:00.000000Z"), Some(1_709_208_000_000_000));
        assert!(is_older("2025-12-31T23:59:59.5Z", "2026-07-03T23:59:59.5Z", 184));
        assert!(!is_older("2025-12-31T23:59:59.5Z", "2026-07-02T23:59:59.4Z", 184));
        assert!(!is_older("yesterday", "2026-07-02T23:59:59Z", 0));
    }
}
