//! Time, as microseconds since 1970 UTC.

use std::time::Duration;

/// Microseconds since 1970-01-01T00:00:00Z.
pub type Instant = i64;

/// What time it is, and how to wait.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Now.
    fn now(&self) -> Instant;
    /// Waits.
    fn sleep(&self, time: Duration);
}

/// `YYYY-MM-DDTHH:MM:SS.ffffffZ`, six fraction digits, as journal lines have it.
pub fn rfc3339(instant: Instant) -> String {
    // year 9999 and before year 0 have no four-digit form: clamp, a clock may say anything
    const FIRST: i64 = -62_167_219_200_000_000;
    const LAST: i64 = 253_402_207_199_999_999;
    let clamped = instant.clamp(FIRST, LAST);
    let time = jiff::Timestamp::from_microsecond(clamped).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{time:.6}")
}

/// Microseconds since 1970 of an RFC 3339 time.
pub fn micros(text: &str) -> Option<Instant> {
    text.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_microsecond)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_six_fraction_digits() {
        assert_eq!(rfc3339(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(rfc3339(1_764_276_439_123_456), "2025-11-27T20:47:19.123456Z");
        assert_eq!(micros("2025-11-27T20:47:19.123456Z"), Some(1_764_276_439_123_456));
        assert_eq!(micros("yesterday"), None);
        assert_eq!(rfc3339(i64::MAX).len(), 27);
        assert_eq!(rfc3339(i64::MIN).len(), 27);
    }
}
