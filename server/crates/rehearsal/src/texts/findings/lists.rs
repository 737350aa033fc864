//! First sentences about lists: how many of them, in which state, where.

/// The state of a whole, in a sentence that [`whole_with_parts`] ends.
pub(crate) fn whole_is(whole: &str, quality: &str, is: Option<bool>) -> String {
    match is {
        Some(true) => format!("The {whole} is {quality}"),
        Some(false) => format!("The {whole} is **not {quality}**"),
        None => format!("Whether the {whole} is {quality} is **unknown**"),
    }
}

pub(crate) fn parts_in_state(count: u64, total: u64, nouns: &str, state: &str) -> String {
    format!("{count} of {total} {nouns} are {state}")
}

pub(crate) fn whole_with_parts(is: &str, parts: Option<&str>) -> String {
    let parts = parts.map_or(String::new(), |parts| format!(", and {parts}"));
    format!("{is}{parts}, sir.")
}

pub(crate) fn only_parts(parts: &str) -> String {
    format!("{parts}, sir.")
}

pub(crate) fn is_on(name: &str, place: &str) -> String {
    format!("{name} is on {place}, sir.")
}

pub(crate) fn is_in_state(name: &str, state: &str) -> String {
    format!("{name} is {state}.")
}

/// `names`: empty, or with a colon before them. `text`: what they hold in the field, if a text.
pub(crate) fn hold(
    count: usize,
    all: usize,
    noun: &str,
    field: &str,
    text: Option<&str>,
    names: &str,
) -> String {
    let (are, have) = match count {
        1 => ("is", "has"),
        _ => ("are", "have"),
    };
    match text {
        None => format!("{count} of the {all} {noun} {are} {field}{names}."),
        Some(text) => format!("{count} of the {all} {noun} {have} {text} as {field}{names}."),
    }
}

/// `joined`: the names, where they are few enough to tell.
pub(crate) fn in_state(
    names: &[String],
    joined: Option<&str>,
    all: usize,
    noun: &str,
    state: &str,
) -> String {
    let of_all = format!("of the {all} {noun}");
    match (names, joined) {
        ([], _) => format!("None {of_all} is {state}, sir."),
        ([only], _) => format!("{only} is {state}: 1 {of_all}."),
        (names, None) => format!("{} {of_all} are {state}.", names.len()),
        (names, Some(joined)) => format!("{joined} are {state}: {} {of_all}.", names.len()),
    }
}

pub(crate) fn beside(count: usize, state: &str) -> String {
    match count {
        1 => format!("1 {state}"),
        count => format!("{count} {state}s"),
    }
}

/// `period`: empty, or ` in the last day`.
pub(crate) fn none_reported(noun: &str, period: &str) -> String {
    format!("No {noun} are reported{period}, sir.")
}

pub(crate) fn none_reported_but(noun: &str, beside: &str) -> String {
    format!("No {noun} are reported but {beside}, sir.")
}

pub(crate) fn none_matches(all: usize, noun: &str, about: Option<&str>, period: &str) -> String {
    let matches = about.map_or("matches".to_owned(), |about| format!("is about {about}"));
    format!("None of the {all} {noun} {matches}{period}, sir.")
}

/// `parts`: how many of all are in which state.
pub(crate) fn first_listed(total: usize, noun: &str, parts: &[String], listed: usize) -> String {
    let parts = if parts.is_empty() {
        String::new()
    } else {
        format!(": {}", parts.join(", "))
    };
    format!("{total} {noun}{parts}. The first {listed} are listed.")
}

pub(crate) fn of_all(all: usize) -> String {
    format!(" of {all}")
}

pub(crate) fn and_beside(beside: &str) -> String {
    format!("; and {beside}")
}

/// Before a count that may be too low.
pub(crate) const AT_LEAST: &str = "At least ";

/// A count of rows; `of_all`, `period` and `beside` are empty, or with what goes before them.
pub(crate) struct RowCount<'a> {
    pub(crate) at_least: &'a str,
    pub(crate) count: usize,
    pub(crate) of_all: &'a str,
    pub(crate) noun: &'a str,
    pub(crate) period: &'a str,
    /// Counts of them by state.
    pub(crate) parts: &'a [String],
    pub(crate) beside: &'a str,
}

pub(crate) fn counted(counted: &RowCount<'_>) -> String {
    let RowCount {
        at_least,
        count,
        of_all,
        noun,
        period,
        parts,
        beside,
    } = *counted;
    let parts = if parts.is_empty() {
        String::new()
    } else {
        format!(": {}", parts.join(", "))
    };
    format!("{at_least}{count}{of_all} {noun}{period}{parts}{beside}.")
}

/// `state`: that of all of them, if they have one.
pub(crate) fn placed(
    count: usize,
    all: usize,
    noun: &str,
    place: &str,
    names: &str,
    state: Option<&str>,
) -> String {
    let state = state.map_or(String::new(), |state| format!(", all {state}"));
    let is = if count == 1 { "is" } else { "are" };
    format!("{count} of the {all} {noun} {is} on {place}, sir: {names}{state}.")
}

pub(crate) fn one_dated(noun: &str, of: &str, at: &str) -> String {
    format!("1 {noun} of {of}, sir, of {at}.")
}

pub(crate) fn dated(count: usize, noun: &str, of: &str, newest: &str, oldest: &str) -> String {
    format!("{count} {noun} of {of}, sir: the newest of {newest}, the oldest of {oldest}.")
}

/// `owners`: how many have them, with their noun.
pub(crate) fn summed(total: &str, noun: &str, owners: Option<(usize, &str)>) -> String {
    let of = owners.map_or(String::new(), |(count, owners)| {
        format!(" of {count} {owners}")
    });
    format!("{total} {noun}{of}, sir.")
}

/// `lacked`: the word for what others had done to them, such as `verified`.
pub(crate) fn all_were(all: usize, nouns: &str, lacked: &str) -> String {
    format!("All {all} {nouns} were {lacked}, sir.")
}

pub(crate) fn never_were(
    count: usize,
    all: usize,
    nouns: &str,
    lacked: &str,
    names: &str,
) -> String {
    format!("{count} of the {all} {nouns} were never {lacked}, sir: {names}.")
}

/// The last figure of rows along time, from when to when.
pub(crate) struct TimeCourse<'a> {
    pub(crate) from: &'a str,
    pub(crate) to: &'a str,
    pub(crate) what: &'a str,
    pub(crate) low: &'a str,
    pub(crate) high: &'a str,
    pub(crate) last: &'a str,
}

pub(crate) fn along_time(course: &TimeCourse<'_>) -> String {
    let TimeCourse {
        from,
        to,
        what,
        low,
        high,
        last,
    } = *course;
    format!("From {from} to {to} the {what} was between {low} and {high}, and is {last}, sir.")
}

/// `named`: the first names, joined; `is_all`: they are all.
pub(crate) fn failed(
    at_least: &str,
    count: usize,
    noun: &str,
    period: &str,
    named: &str,
    is_all: bool,
) -> String {
    match count {
        0 => format!("No {noun} failed{period}, sir."),
        count if is_all => format!("{at_least}{count} {noun} failed{period}, sir: {named}."),
        count => format!("{at_least}{count} {noun} failed{period}, sir, among them {named}."),
    }
}
