//! The delay before a request without an answer is sent again. Pure.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;

use crate::failure::header;

const FIRST_DELAY: Duration = Duration::from_millis(500);
const LONGEST_DELAY: Duration = Duration::from_secs(8);

/// The delay before the next attempt. `attempt` counts the retries already made, `chance` is
/// anything from 0 to 1.
pub(crate) fn delay(headers: &HeaderMap, attempt: u32, now: SystemTime, chance: f64) -> Duration {
    if let Some(asked) = asked(headers, now) {
        return asked;
    }
    let delay = FIRST_DELAY
        .saturating_mul(2_u32.saturating_pow(attempt))
        .min(LONGEST_DELAY);
    delay.mul_f64(1.0 - 0.25 * chance.clamp(0.0, 1.0))
}

/// The delay that the server asks for, if it is in the future.
fn asked(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let number = |name: &str| {
        let number = header(headers, name)?.trim().parse::<f64>().ok();
        number.filter(|number| number.is_finite())
    };
    let seconds = number("retry-after-ms")
        .map(|millis| millis / 1000.0)
        .or_else(|| number("retry-after"));
    let asked = match seconds {
        // Beyond any ceiling, but still a duration.
        Some(seconds) => Duration::try_from_secs_f64(seconds.min(1e9)).ok()?,
        None => {
            let date = httpdate::parse_http_date(header(headers, "retry-after")?).ok()?;
            date.duration_since(now).ok()?
        }
    };
    (!asked.is_zero()).then_some(asked)
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn delays() {
        let now = UNIX_EPOCH + Duration::from_secs(784_111_700);
        let check = |headers: &[(&'static str, &'static str)], attempt, chance, millis| {
            let map = headers
                .iter()
                .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
                .collect();
            assert_eq!(
                delay(&map, attempt, now, chance),
                Duration::from_millis(millis),
                "{headers:?}"
            );
        };
        check(&[], 0, 0.0, 500);
        check(&[], 0, 1.0, 375);
        check(&[], 1, 0.5, 875);
        check(&[], 4, 0.0, 8000);
        check(&[], 1000, 1.0, 6000);
        check(&[("retry-after", "7")], 0, 1.0, 7000);
        check(&[("retry-after", "0.25")], 0, 0.0, 250);
        check(
            &[("retry-after-ms", "1500"), ("retry-after", "7")],
            0,
            0.0,
            1500,
        );
        check(
            &[("retry-after-ms", "soon"), ("retry-after", "7")],
            0,
            0.0,
            7000,
        );
        check(
            &[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")],
            0,
            0.0,
            77_000,
        );
        check(
            &[("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT")],
            0,
            0.0,
            500,
        );
        check(&[("retry-after", "0")], 0, 0.0, 500);
        check(&[("retry-after", "-3")], 0, 0.0, 500);
        check(&[("retry-after", "NaN")], 0, 0.0, 500);
        check(&[("retry-after", "1e300")], 0, 0.0, 1_000_000_000_000);
    }
}
