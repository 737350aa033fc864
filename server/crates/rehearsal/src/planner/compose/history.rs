//! The past of something as series: the present and the peak of each, and a drawing of them.

use serde_json::{Value, json};

use super::units;
use crate::{
    planner::{view::Done, words::parts},
    texts::findings,
};

/// The most series in a drawing: more lines cannot be told apart. Values: as the page takes them.
const MOST_SERIES: usize = 4;
const MOST_VALUES: usize = 500;

/// A result with series as a sentence, a drawing and a list; nothing for other results.
pub(super) fn of(done: &Done, said: &[String]) -> Option<(String, String)> {
    let series = done.data["series"].as_object()?;
    let about = units::safe(done.data["about"].as_str().unwrap_or("it"));
    let span = units::safe(done.input["span"].as_str().unwrap_or("while"));
    let asked = |name: &str| parts(name).iter().any(|part| said.contains(part));
    let any = series.keys().any(|name| asked(name));
    let shown: Vec<(&String, &Value)> = series
        .iter()
        .filter(|(name, _)| !any || asked(name))
        .collect();
    let (first, values) = *shown.first()?;
    // "How full was it a month ago?", "compare it with then".
    let compares = ["ago", "compare", "compared", "versus", "vs"]
        .iter()
        .any(|sign| said.iter().any(|word| word == sign));
    let compared = compares.then(|| ends(first, values, done)).flatten();
    let peak = peak(done, first, values);
    let lead = match (&compared, &peak, course(first, values)) {
        (Some((then, now)), ..) => {
            findings::then_and_now(&words_for(first), &about, then, &span, now)
        }
        (None, Some(peak), _) => findings::at_peak(&words_for(first), &about, peak),
        (None, None, Some(course)) => {
            findings::over_time(&words_for(first), &about, &span, &course)
        }
        (None, None, None) => findings::not_measured(&about, &span),
    };
    let drawing = drawing(done, &shown, &span);
    let said_in_lead = usize::from(compared.is_none() && (peak.is_none() || drawing.is_none()));
    let rest = shown.iter().skip(said_in_lead).map(|(name, values)| {
        let course = course(name, values).unwrap_or_else(|| "**unknown**".to_owned());
        format!("- {}: {course}\n", units::label(name))
    });
    let rest: String = rest.collect();
    let body = match drawing {
        Some(drawing) => format!("```plot\n{drawing}\n```\n\n{rest}"),
        None => rest,
    };
    Some((lead, body))
}

/// The newest value, and the highest with its time. None if the times or the newest are unknown.
fn peak(done: &Done, name: &str, values: &Value) -> Option<String> {
    let (from, step) = times(done)?;
    let values = values.as_array()?;
    let now = values.last()?.as_f64()?;
    let numbers = values.iter().enumerate();
    let numbers = numbers.filter_map(|(at, value)| Some((at, value.as_f64()?)));
    let (at, high) = numbers.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    let show = |number: f64| units::value(name, &rounded(number).into());
    let peak = from.checked_add(step.checked_mul(i64::try_from(at).ok()?)?)?;
    Some(findings::peak(
        &show(now),
        &show(high),
        &::units::moment(peak),
    ))
}

/// The start of the first step in seconds since 1970, and the length of a step.
fn times(done: &Done) -> Option<(i64, i64)> {
    let from = ::units::civil::seconds(done.data["start"].as_str()?)?;
    let step = done.data["step_seconds"]
        .as_i64()
        .filter(|step| *step > 0)?;
    Some((from, step))
}

/// A drawing of the first series, and of those with the same unit. None if the times are unknown.
fn drawing(done: &Done, shown: &[(&String, &Value)], span: &str) -> Option<String> {
    times(done)?;
    let (first, values) = *shown.first()?;
    let length = values.as_array()?.len();
    let measured = |values: &Value| {
        let list = values.as_array().filter(|list| list.len() == length);
        list.is_some_and(|list| list.iter().any(Value::is_number))
    };
    if !(3..=MOST_VALUES).contains(&length) || !measured(values) {
        return None;
    }
    let unit = unit(first);
    let beside = shown.iter().filter(|(name, values)| {
        let alike = self::unit(name) == unit && (!unit.is_empty() || name == &first);
        alike && measured(values)
    });
    let series: Vec<Value> = beside
        .take(MOST_SERIES)
        .map(|(name, values)| json!({ "name": short(&units::label(name), 60), "values": values }))
        .collect();
    let about = done.data["about"].as_str().unwrap_or("it");
    // Without the kind of thing, such as `node`.
    let about = about.rsplit(' ').next().unwrap_or(about);
    let what = match series.as_slice() {
        [_] => units::label(first),
        _ => "History".to_owned(),
    };
    let mut plot = json!({
        "kind": "line",
        "title": short(&findings::plot_title(&what, about, span), 120),
        "unit": unit,
        "from": done.data["start"],
        "step": done.data["step_seconds"],
        "series": series,
    });
    if unit == "%" {
        plot["max"] = 100.into();
    }
    // A fence of three marks ends at a line of its own, and there are no line ends in it.
    Some(plot.to_string())
}

fn unit(name: &str) -> &'static str {
    let units = [
        ("_bytes_per_second", "bytes/s"),
        ("_bytes", "bytes"),
        ("_percent", "%"),
        ("_seconds", "s"),
        ("_celsius", "°C"),
    ];
    let found = units.iter().find(|(end, _)| name.ends_with(end));
    found.map_or("", |(_, unit)| unit)
}

/// Text for a field of the drawing: one line, of so many characters at most.
fn short(text: &str, most: usize) -> String {
    let line = text.chars().filter(|c| !c.is_control());
    line.take(most).collect()
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
    Some(findings::course(&show(low), &show(high), &show(mean)))
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
