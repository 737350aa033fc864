//! The monotonic clock that all processes of a machine share, and its written form.

use rustix::time::{ClockId, clock_gettime};

/// Digits of a written instant.
pub(crate) const DIGITS: usize = 16;

/// Microseconds.
pub(crate) fn now() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec.unsigned_abs() * 1_000_000 + now.tv_nsec.unsigned_abs() / 1_000
}

/// Writes an instant in decimal.
pub(crate) fn write(mut micros: u64, to: &mut [u8]) {
    for digit in to.iter_mut().rev() {
        *digit = b'0' + (micros % 10) as u8;
        micros /= 10;
    }
}

/// Reads the output of [`write`].
pub(crate) fn read(from: &[u8]) -> u64 {
    let digit = |value: u64, byte: &u8| value * 10 + u64::from(byte.wrapping_sub(b'0'));
    from.iter().fold(0, digit)
}
