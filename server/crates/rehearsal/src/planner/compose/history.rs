//! The past of something as series: the range of each.

use serde_json::Value;

use super::units;
use crate::planner::{view::Done, words::parts};

/// A result with series as a sentence and a list; nothing for other results.
pub(super) fn of(done: &Done, said: &[String]) -> Option<(String, String)> {
    let series = done.data["series"].as_object()?;
    let about = units::safe(done.data["about"].as_str().unwrap_or("it"));
    let span = units::safe(done.input["span"].as_str().unwrap_or("while"));
    let asked = |name: &str| parts(name).iter().any(|part| said.contains(part));
    let any = series.keys().any(|name| asked(name));
    let mut lines = series
        .iter()
        .filter(|(name, _)| !any || asked(name))
        .map(|(name, values)| (name, course(name, values)));
    let (first, course) = lines.next()?;
    let lead = match course {
        Some(course) => format!(
            "Over the last {span} the {} of {about} was {course}, sir.",
            units::in_words(first)
        ),
        None => format!("Nothing of {about} was measured over the last {span}, sir."),
    };
    let rest = lines.map(|(name, course)| {
        let course = course.unwrap_or_else(|| "**unknown**".to_owned());
        format!("- {}: {course}\n", units::label(name))
    });
    Some((lead, rest.collect()))
}

/// The range of a series, and its mean.
fn course(name: &str, values: &Value) -> Option<String> {
    let numbers: Vec<f64> = values
        .as_array()?
        .iter()
        .filter_map(Value::as_f64)
        .collect();
    let low = numbers.iter().copied().reduce(f64::min)?;
    let high = numbers.iter().copied().reduce(f64::max)?;
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let show = |number: f64| units::value(name, &rounded(number).into());
    Some(format!(
        "between {} and {}, {} on average",
        show(low),
        show(high),
        show(mean)
    ))
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
