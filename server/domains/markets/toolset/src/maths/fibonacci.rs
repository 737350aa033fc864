//! Fibonacci levels between two anchors: 100 % at the first, 0 % at the second.

use crate::Points;

/// Default levels.
pub const LEVELS: [f64; 7] = [0.0, 0.236, 0.382, 0.5, 0.618, 0.786, 1.0];

/// Optional levels beyond the first anchor.
pub const EXTENSIONS: [f64; 3] = [1.618, 2.618, 4.236];

/// The price of a level, on the nearest tick: `second + (first - second) * level`. `reverse` swaps
/// the anchors.
pub fn price(first: Points, second: Points, level: f64, reverse: bool) -> Points {
    let (one, zero) = if reverse {
        (second, first)
    } else {
        (first, second)
    };
    Points(zero.0 + ((one.0 - zero.0) as f64 * level).round() as i64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_directions() {
        let prices = |first, second| {
            LEVELS.map(|level| price(Points(first), Points(second), level, false).0)
        };
        // Up: the zero is on top, and the price falls back to the levels.
        assert_eq!(
            prices(110_000, 120_000),
            [
                120_000, 117_640, 116_180, 115_000, 113_820, 112_140, 110_000
            ]
        );
        // Down: the zero is below.
        assert_eq!(
            prices(120_000, 110_000),
            [
                110_000, 112_360, 113_820, 115_000, 116_180, 117_860, 120_000
            ]
        );
        assert_eq!(
            price(Points(110_000), Points(120_000), 1.618, false),
            Points(103_820)
        );
        assert_eq!(
            price(Points(110_000), Points(120_000), 0.236, true),
            Points(112_360)
        );
    }

    proptest! {
        #[test]
        fn anchors_order_and_mirror(first in 1_i64..500_000, second in 1_i64..500_000) {
            let at = |level, reverse| price(Points(first), Points(second), level, reverse).0;
            prop_assert_eq!(at(1.0, false), first);
            prop_assert_eq!(at(0.0, false), second);
            for pair in LEVELS.windows(2) {
                let step = at(pair[1], false) - at(pair[0], false);
                prop_assert!(step * (first - second).signum() >= 0);
            }
            for level in LEVELS {
                // Reversed, it is the mirror image up to a point of rounding.
                let mirrored = first + second - at(level, false);
                prop_assert!((at(level, true) - mirrored).abs() <= 1);
                let swapped = price(Points(second), Points(first), level, false).0;
                prop_assert_eq!(at(level, true), swapped);
            }
        }
    }
}
