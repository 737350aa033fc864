//! Numbers to be drawn as a chart: a long list of them, or a table with a row every so many
//! minutes. The chart is described in words too, and the numbers remain available.

use serde_json::Value;

use crate::line_path;

/// The shortest list that is drawn.
pub(super) const SHORTEST: usize = 12;
/// The most columns that are drawn.
const MOST: usize = 4;
/// A line of the chart, with its own scale.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PlottedSeries {
    pub(super) name: String,
    /// None where there is no number.
    pub(super) values: Vec<Option<f64>>,
    /// The lowest, the highest and the newest, as they were written.
    pub(super) low: Value,
    pub(super) high: Value,
    pub(super) newest: Value,
}

impl PlottedSeries {
    /// Returns none if there are too few numbers among the values, or anything else.
    fn of(name: &str, values: &[&Value]) -> Option<Self> {
        let plain = values.iter().all(|it| it.is_number() || it.is_null());
        let mut seen: Vec<(f64, &Value)> = values
            .iter()
            .filter_map(|it| Some((it.as_f64()?, *it)))
            .collect();
        if !plain || seen.len() < SHORTEST {
            return None;
        }
        let newest = seen.last()?.1.clone();
        seen.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        Some(Self {
            name: name.to_owned(),
            values: values.iter().map(|it| it.as_f64()).collect(),
            low: seen.first()?.1.clone(),
            high: seen.last()?.1.clone(),
            newest,
        })
    }

    /// Returns the path in a drawing of this many units.
    pub(super) fn path(&self, width: f64, height: f64) -> String {
        let end = |end: &Value| end.as_f64().unwrap_or_default();
        let (low, high) = (end(&self.low), end(&self.high));
        let range = if high > low { high - low } else { 1.0 };
        line_path(&self.values, width, &|value| {
            height * (1.0 - (value - low) / range)
        })
    }
}

/// Returns the lines to draw for a list; none if it is no series.
pub(super) fn series(name: &str, list: &[Value]) -> Vec<PlottedSeries> {
    if list.len() < SHORTEST {
        return Vec::new();
    }
    if let Some(one) = PlottedSeries::of(name, &list.iter().collect::<Vec<_>>()) {
        return vec![one];
    }
    let Some(first) = list.first().and_then(Value::as_object) else {
        return Vec::new();
    };
    let column = |name: &str| -> Option<Vec<&Value>> {
        list.iter().map(|row| row.as_object()?.get(name)).collect()
    };
    let times = first.keys().find(|name| {
        let times =
            column(name).and_then(|it| it.into_iter().map(seconds).collect::<Option<Vec<_>>>());
        times.is_some_and(|times| is_even(&times))
    });
    let Some(times) = times else {
        return Vec::new();
    };
    let others = first.keys().filter(|name| *name != times);
    let lines = others.filter_map(|name| PlottedSeries::of(name, &column(name)?));
    lines.take(MOST).collect()
}

/// Converts `2026-11-22T10:00:00…` to seconds, without a look at its zone: only distances count.
fn seconds(value: &Value) -> Option<i64> {
    let text = value.as_str()?;
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let marks =
        |at: usize, marks: &[u8]| text.as_bytes().get(at).is_some_and(|it| marks.contains(it));
    if !(marks(4, b"-") && marks(7, b"-") && marks(10, b"T ") && marks(13, b":")) {
        return None;
    }
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    let days = units::civil::days(year, month, day);
    let second = if marks(16, b":") { part(17, 19)? } else { 0 };
    Some(((days * 24 + part(11, 13)?) * 60 + part(14, 16)?) * 60 + second)
}

/// Returns whether times increase in even steps, except for a few gaps.
fn is_even(times: &[i64]) -> bool {
    let steps: Vec<_> = times.windows(2).map(|two| two[1] - two[0]).collect();
    let Some(step) = steps.iter().copied().min().filter(|step| *step > 0) else {
        return false;
    };
    let even = steps.iter().filter(|it| **it <= step + step / 5).count();
    even * 10 >= steps.len() * 9
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rows(step: impl Fn(i64) -> i64) -> Vec<Value> {
        let at = |n| format!("2026-11-22T{:02}:{:02}:00Z", step(n) / 60, step(n) % 60);
        (0..SHORTEST as i64)
            .map(|n| json!({"at": at(n), "cpu_percent": n * 2, "vmid": "x", "ok": true}))
            .collect()
    }

    #[test]
    fn long_lists_and_even_tables_are_drawn() {
        let names = |list: &[Value]| -> Vec<String> {
            series("used", list).into_iter().map(|it| it.name).collect()
        };
        let numbers: Vec<_> = (0..20).map(|n| json!(n % 7)).collect();
        assert_eq!(names(&numbers), ["used"]);
        assert_eq!(names(&numbers[..5]), [""; 0]);
        assert_eq!(names(&rows(|n| n * 5)), ["cpu_percent"]);
        // Irregular times are a list of events.
        assert_eq!(names(&rows(|n| n * n)), [""; 0]);
        assert_eq!(names(&rows(|_| 3)), [""; 0]);
        assert_eq!(names(&vec![json!("x"); 20]), [""; 0]);
        assert_eq!(names(&vec![json!(null); 20]), [""; 0]);
        assert_eq!(names(&vec![json!({"vmid": 1}); 20]), [""; 0]);
    }

    #[test]
    fn lines_fill_the_drawing_and_break_at_gaps() {
        let mut list: Vec<_> = (0..13).map(|n| json!(n)).collect();
        list[1] = Value::Null;
        let drawn = &series("", &list)[0];
        assert_eq!(
            (&drawn.low, &drawn.high, &drawn.newest),
            (&json!(0), &json!(12), &json!(12))
        );
        let path = drawn.path(120.0, 12.0);
        assert!(
            path.starts_with("M0.0 12.0h0M20.0 10.0h0L30.0 9.0"),
            "{path}"
        );
        assert!(path.ends_with("L120.0 0.0"), "{path}");
        let flat = &series("", &vec![json!(5); 12])[0];
        assert!(flat.path(110.0, 10.0).starts_with("M0.0 10.0h0L10.0 10.0"));
    }

    #[test]
    fn times_are_apart_as_the_calendar_says() {
        let apart = |a: &str, b: &str| Some(seconds(&json!(b))? - seconds(&json!(a))?);
        for (a, b, expect) in [
            ("2026-11-22T10:00:00Z", "2026-11-22T10:00:30Z", Some(30)),
            ("2024-02-28 23:00", "2024-03-01 00:00", Some(25 * 3600)),
            ("2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z", Some(1)),
            ("yesterday", "2027-01-01T00:00:00Z", None),
            ("2026-11-22", "2026-11-22T10:00:30Z", None),
            ("é026-11-22T10:00:00Z", "2026-11-22T10:00:30Z", None),
        ] {
            assert_eq!(apart(a, b), expect, "{a} {b}");
        }
    }
}
