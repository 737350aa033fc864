//! Lines of drawings.

use units::tenths;

/// Returns the path of a line over a drawing of this width, with a value at each step. It breaks where
/// there is no value, and a single one is a dot. `y` is the height of a value in the drawing, from its
/// upper edge.
pub fn line_path(values: &[Option<f64>], width: f64, y: &dyn Fn(f64) -> f64) -> String {
    let step = width / (values.len().max(2) - 1) as f64;
    let mut path = String::new();
    let mut drawing = false;
    for (at, value) in values.iter().enumerate() {
        let Some(value) = value else {
            drawing = false;
            continue;
        };
        path.push_str(if drawing { "L" } else { "M" });
        path.push_str(&tenths(at as f64 * step));
        path.push(' ');
        path.push_str(&tenths(y(*value)));
        if !drawing {
            path.push_str("h0");
        }
        drawing = true;
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_gaps() {
        for (values, expect) in [
            (&[][..], ""),
            (&[None, None], ""),
            (&[Some(0.0), Some(10.0)], "M0.0 10.0h0L120.0 0.0"),
            (
                &[Some(5.0), None, Some(5.0), Some(10.0)],
                "M0.0 5.0h0M80.0 5.0h0L120.0 0.0",
            ),
        ] {
            assert_eq!(line_path(values, 120.0, &|value| 10.0 - value), expect);
        }
    }
}
