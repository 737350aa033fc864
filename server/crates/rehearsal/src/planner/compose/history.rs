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
    // "How full was it a month ago?", "compare it with then".
    let compares = ["ago", "compare", "compared", "versus", "vs"]
        .iter()
        .any(|sign| said.iter().any(|word| word == sign));
    if let Some((then, now)) = compares
        .then(|| ends(first, &series[first], done))
        .flatten()
    {
        let label = words_for(first);
        return Some((
            format!("The {label} of {about} was {then} a {span} ago, sir, and is {now} now."),
            format!(
                "- {}: {}\n",
                units::label(first),
                course.unwrap_or_default()
            ),
        ));
    }
    let lead = match course {
        Some(course) => format!(
            "Over the last {span} the {} of {about} was {course}, sir.",
            words_for(first)
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

/// The first and the last value of a series.
fn ends(name: &str, values: &Value, done: &Done) -> Option<(String, String)> {
    let mut numbers = values.as_array()?.iter().filter_map(Value::as_f64);
    let (first, last) = (numbers.next()?, numbers.next_back()?);
    let stem = name
        .split("used")
        .next()
        .filter(|_| name.ends_with("used_bytes"));
    let limits = done.data["limits"].as_object();
    let limit = limits
        .zip(stem)
        .and_then(|(limits, stem)| limits.get(&format!("{stem}total_bytes"))?.as_f64());
    let show = |number: f64| {
        let shown = units::value(name, &rounded(number).into());
        match limit.filter(|limit| *limit > 0.0) {
            Some(limit) => format!("{shown} ({})", ::units::percent(number * 100.0 / limit)),
            None => shown,
        }
    };
    Some((show(first), show(last)))
}

/// The words for a series.
fn words_for(name: &str) -> String {
    match units::in_words(name).as_str() {
        "use used" | "used" => "space used".to_owned(),
        words => words.to_owned(),
    }
}

fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
