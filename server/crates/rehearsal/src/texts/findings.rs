//! First sentences of answers about what was read: the one, the most, the failed, the past, how many.

pub(crate) mod lists;

/// An answer to who did something, where no record is about the thing.
pub(crate) fn nobody_recorded(things: &str, about: &str) -> String {
    format!("None of the recorded {things} is about {about}, sir.")
}

/// Words before a happening that is near to the one asked for.
pub(crate) const NEWEST_ON_RECORD: &str = "the newest on record, ";

/// `at` and `took`: empty, or with what goes before them.
pub(crate) fn by_whom(user: &str, lead: &str, happening: &str, at: &str, took: &str) -> String {
    format!("{user}, sir: {lead}{happening}{at}{took}.")
}

pub(crate) fn took(time: &str) -> String {
    format!(", for {time}")
}

pub(crate) const BEEN_UP_FOR: &str = "been up for";

/// Of rows with a figure beyond a bound: `named`, each with its figure.
pub(crate) struct RowsBeyond<'a> {
    pub(crate) all: usize,
    pub(crate) nouns: &'a str,
    /// `been up for`, or the label of the figure.
    pub(crate) have: &'a str,
    pub(crate) is_over: bool,
    pub(crate) limit: &'a str,
    pub(crate) count: usize,
    pub(crate) named: &'a [String],
}

pub(crate) fn beyond(found: &RowsBeyond<'_>) -> String {
    let RowsBeyond {
        all,
        nouns,
        have,
        is_over,
        limit,
        count,
        named,
    } = *found;
    let over = if is_over { "over" } else { "under" };
    match count {
        0 => format!("None of the {all} {nouns} has {have} {over} {limit}, sir."),
        _ => format!(
            "{count} of the {all} {nouns} have {have} {over} {limit}, sir: {}.",
            named.join("; ")
        ),
    }
}

pub(crate) fn none_has_warnings(things: &str) -> String {
    format!("None of the recorded {things} has warnings, sir.")
}

pub(crate) fn none_failed(things: &str) -> String {
    format!("None of the recorded {things} failed, sir.")
}

pub(crate) const NO_WARNING_IN_LOG: &str = "its log does not say which";

pub(crate) fn warned(name: &str, at: &str, warning: &str) -> String {
    format!("{name}{at} came with a warning, sir: {warning}.")
}

pub(crate) fn failed(name: &str, at: &str, reason: Option<&str>) -> String {
    match reason {
        Some(reason) => format!("{name} failed{at}, sir: {reason}."),
        None => format!("{name} failed{at}, sir, and its log does not say why."),
    }
}

/// `span`: empty, or ` in the last day`.
pub(crate) fn all_succeeded(all: usize, noun: &str, span: &str) -> String {
    format!("Yes, sir: none of the {all} {noun}{span} failed.")
}

/// The number of those that failed of all, and the newest of them.
pub(crate) fn not_all_succeeded(
    failed: usize,
    all: usize,
    noun: &str,
    span: &str,
    newest: &str,
) -> String {
    format!("No, sir: {failed} of the {all} {noun}{span} failed, the newest {newest}.")
}

pub(crate) fn cannot_tell(reason: &str) -> String {
    format!("I cannot tell, sir. {reason}")
}

pub(crate) const GROWTH_NOT_READ: &str = "I cannot tell, sir: I have how full it is now, but not how it grew. \
     Name one thing, and I shall look at its past.";

pub(crate) fn cannot_tell_of(about: &str, reason: &str) -> String {
    format!("I cannot tell of {about}, sir: {reason}.")
}

pub(crate) fn limit_not_reported(about: &str) -> String {
    format!("I cannot tell, sir: the capacity of {about} is not reported.")
}

pub(crate) fn growth_not_measured(about: &str) -> String {
    format!("I cannot tell, sir: the space used on {about} was not measured over time.")
}

pub(crate) fn past_too_short(about: &str, full: &str) -> String {
    format!("I cannot tell, sir: {about} is {full} full, but too little of its past is known.")
}

pub(crate) fn does_not_grow(what: &str, about: &str, full: &str, span: &str) -> String {
    format!(
        "Not at this pace, sir: the {what} of {about} is {full} full and did not grow over the \
         last {span}."
    )
}

/// The time until something is full, and the growth that it rests on.
pub(crate) struct FullForecast<'a> {
    pub(crate) days: f64,
    pub(crate) span: &'a str,
    pub(crate) what: &'a str,
    pub(crate) about: &'a str,
    pub(crate) full: &'a str,
    pub(crate) a_day: &'a str,
}

pub(crate) fn full_in(forecast: &FullForecast<'_>) -> String {
    let FullForecast {
        days,
        span,
        what,
        about,
        full,
        a_day,
    } = *forecast;
    format!(
        "In about {}, sir, at the pace of the last {span}: the {what} of {about} is {full} full and \
         grows by {a_day} a day.",
        in_days(days)
    )
}

/// A number of days in the unit that suits it.
fn in_days(days: f64) -> String {
    let (count, unit) = match days {
        days if days < 2.0 => ((days * 24.0).max(1.0), "hour"),
        days if days < 60.0 => (days, "day"),
        days if days < 700.0 => (days / 30.4, "month"),
        days => (days / 365.0, "year"),
    };
    let count = format!("{count:.0}");
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

/// The beginning of the next three: the state of a thing.
pub(crate) fn state_of(name: &str, state: Option<&str>) -> String {
    match state {
        Some(state) => format!("{name} is {state}"),
        None => format!("The state of {name} is **unknown**"),
    }
}

pub(crate) fn not_in_state(is: &str, other: &str) -> String {
    format!("{is}, not {other}, sir.")
}

/// `newest`: empty, or the next sentence.
pub(crate) fn unexplained(is: &str, things: &str, newest: &str) -> String {
    format!("{is}, sir; none of the recorded {things} explains why.{newest}")
}

pub(crate) fn newest_about_it(name: &str, at: &str) -> String {
    format!(" The newest about it: {name} at {at}.")
}

/// `happening` with its user and its time, and how it ended.
pub(crate) fn explained(is: &str, kind: &str, happening: &str, end: &str) -> String {
    format!("{is}, sir; the newest {kind} that may explain it, {happening}, {end}.")
}

pub(crate) fn failed_with(error: &str) -> String {
    format!("failed: {error}")
}

pub(crate) fn ended(state: &str) -> String {
    format!("ended {state}")
}

pub(crate) const ALL_THAT_IS_KNOWN: &str = "is all that is known";

pub(crate) fn then_and_now(what: &str, about: &str, then: &str, span: &str, now: &str) -> String {
    format!("The {what} of {about} was {then} a {span} ago, sir, and is {now} now.")
}

/// `peak`: as in [`peak`].
pub(crate) fn at_peak(what: &str, about: &str, peak: &str) -> String {
    format!("The {what} of {about} {peak}, sir.")
}

pub(crate) fn peak(now: &str, high: &str, at: &str) -> String {
    format!("is at **{now}** now; it peaked at **{high}** at {at}")
}

/// `course`: as in [`course`].
pub(crate) fn over_time(what: &str, about: &str, span: &str, course: &str) -> String {
    format!("Over the last {span} the {what} of {about} was {course}, sir.")
}

pub(crate) fn course(low: &str, high: &str, mean: &str) -> String {
    format!("between {low} and {high}, {mean} on average")
}

pub(crate) fn not_measured(about: &str, span: &str) -> String {
    format!("Nothing of {about} was measured over the last {span}, sir.")
}

pub(crate) fn plot_title(what: &str, about: &str, span: &str) -> String {
    format!("{what} of {about}, last {span}")
}

/// Stands for the whole where no sentence tells of it.
pub(crate) const WHAT_WAS_READ: &str = "what I could read is listed";

/// `seeks`: it was asked whether anything is wrong, not whether all is well.
pub(crate) fn overall(whole: &str, troubles: Option<&str>, seeks: bool) -> String {
    match (troubles, seeks) {
        (None, true) => format!("No, sir: {whole}, and nothing that I read is wrong."),
        (None, false) => format!("Yes, sir: {whole}, and nothing that I read is wrong."),
        (Some(troubles), true) => format!("Yes, sir: {troubles}. Otherwise {whole}."),
        (Some(troubles), false) => format!("Mostly, sir: {whole}, but {troubles}."),
    }
}

pub(crate) fn more(count: usize) -> String {
    format!("{count} more")
}

pub(crate) fn judged(name: &str, is: &str, limit: &str, is_bad: bool) -> String {
    if is_bad {
        format!("Yes, sir: {name} is at {is}, and from {limit} on I count it as trouble.")
    } else {
        format!("No, sir: {name} is at {is}, and I count it as trouble from {limit} on.")
    }
}

pub(crate) fn is_at(name: &str, figure: &str) -> String {
    format!("{name} is at {figure}, sir.")
}

/// `superlative`: `is the warmest`.
pub(crate) fn superlative(name: &str, superlative: &str, figure: &str) -> String {
    format!("{name} {superlative}, {figure}.")
}

pub(crate) fn left(name: &str, amount: &str, is_memory: bool) -> String {
    let what = if is_memory { " memory" } else { "" };
    format!("{name} has {amount}{what} left, sir.")
}

pub(crate) fn most_left(name: &str, what: &str, amount: &str) -> String {
    format!("{name} has the most {what} left, sir: {amount}.")
}

/// `name`: that of what the thing is made of, if it has one.
pub(crate) fn by_time(word: &str, noun: &str, name: Option<&str>, at: &str) -> String {
    match name {
        None => format!("The {word} {noun} was made at {at}, sir."),
        Some(name) => format!("The {word} {noun} is of {name}, made at {at}, sir."),
    }
}

/// `words`: the span, such as `day`.
pub(crate) fn in_the_last(words: &str) -> String {
    format!(" in the last {words}")
}
