//! `vcgencmd get_throttled`.

use super::{ReadError, text::lines};
use crate::fields::{StepFields, TypedField};

/// Bits of the word, with names for now and for any time since the start (16 bits higher).
const BITS: [(u32, &str, &str); 4] = [
    (0, "undervoltage_now", "undervoltage_since_start"),
    (1, "frequency_capped_now", "frequency_capped_since_start"),
    (2, "throttled_now", "throttled_since_start"),
    (3, "hot_now", "hot_since_start"),
];

pub(crate) fn read(output: &str) -> Result<StepFields, ReadError> {
    let word = lines(output)?
        .find_map(|line| line.trim().strip_prefix("throttled=0x"))
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .ok_or(ReadError::Missing { part: "throttled" })?;
    let mut fields = StepFields::default();
    for (bit, now, ever) in BITS {
        fields.push(TypedField::flag(now, word & (1 << bit) != 0));
        fields.push(TypedField::flag(ever, word & (1 << (bit + 16)) != 0));
    }
    Ok(fields)
}
