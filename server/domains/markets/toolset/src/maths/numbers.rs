//! Means and quantiles, and figures that may be unknown for a reason.

use serde::{Serialize, Serializer, ser::SerializeMap};

/// A figure, or the reason that it is unknown. In JSON the number itself, or
/// `{"unknown": "reason"}`.
#[derive(Debug, Clone, PartialEq)]
pub enum Figure {
    Known(f64),
    Unknown(&'static str),
}

impl Figure {
    /// A quotient; unknown for this reason if the divisor is zero.
    pub fn ratio(above: f64, below: f64, reason: &'static str) -> Self {
        let ratio = above / below;
        if ratio.is_finite() {
            Self::Known(ratio)
        } else {
            Self::Unknown(reason)
        }
    }

    pub fn known(&self) -> Option<f64> {
        match self {
            Self::Known(number) => Some(*number),
            Self::Unknown(_) => None,
        }
    }
}

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Known(number) => serializer.serialize_f64(rounded(*number, 4)),
            Self::Unknown(reason) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("unknown", reason)?;
                map.end()
            }
        }
    }
}

/// Rounds to at most `decimals` decimals.
pub fn rounded(number: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    let rounded = (number * scale).round() / scale;
    // Avoids a minus sign before zero.
    rounded + 0.0
}

/// The arithmetic mean.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The standard deviation of a sample (n - 1). `None` for fewer than two values.
pub fn deviation(values: &[f64]) -> Option<f64> {
    let mean = mean(values)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| (squares / (values.len() - 1) as f64).sqrt())
}

/// The quantile at `part`, from 0 to 1, interpolated linearly.
pub fn quantile(values: &[f64], part: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = part.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (
        sorted.get(at.floor() as usize)?,
        sorted.get(at.ceil() as usize)?,
    );
    Some(below + (above - below) * at.fract())
}

/// The median; for an even number of values the mean of the middle two.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}
