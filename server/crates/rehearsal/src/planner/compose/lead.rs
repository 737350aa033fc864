//! The sentences that an answer begins with.

use serde_json::Value;

use super::{
    asked::Held,
    flat_row::FlatRow,
    naming::{self, Naming, and},
    units,
    values::value_lead,
};
use crate::{
    planner::{ask::Ask, words::singular},
    texts::{
        findings::lists::{self, RowCount, TimeCourse},
        results,
    },
};

/// The state of a whole, of its single values: `cluster: lab, quorate: true` and counts of its parts.
pub(super) fn counted(scalars: &FlatRow) -> Option<String> {
    let (total, noun) = scalars.iter().find_map(|(key, value)| {
        let noun = key.strip_suffix("_total")?;
        Some((value.as_u64()?, noun))
    })?;
    let state = scalars.iter().find_map(|(key, value)| {
        let state = key.strip_prefix(noun)?.strip_prefix('_')?;
        (state != "total").then_some((state, value.as_u64()?))
    });
    let (whole, _) = scalars.iter().find(|(_, value)| value.is_string())?;
    let whole = units::label(whole).to_lowercase();
    let quality = scalars.iter().find(|(_, value)| {
        value.is_boolean() || value.is_object() && units::unknown(value).is_some()
    });
    let nouns = noun.replace('_', " ");
    let parts = state.map(|(state, count)| lists::parts_in_state(count, total, &nouns, state));
    let Some((key, value)) = quality else {
        return parts.map(|parts| lists::only_parts(&parts));
    };
    let what = units::label(key).to_lowercase();
    let is = lists::whole_is(&whole, &what, value.as_bool());
    Some(lists::whole_with_parts(&is, parts.as_deref()))
}

/// A list as it is told of.
pub(super) struct Listed<'a> {
    pub(super) naming: Naming<'a>,
    pub(super) noun: &'a str,
    /// The one thing that the call was about.
    pub(super) of: Option<&'a str>,
    /// The noun for their owners, as the result names those without any.
    pub(super) owners: Option<&'a str>,
    /// The rows that were asked for.
    pub(super) rows: &'a [FlatRow],
    /// All rows that count.
    pub(super) all: usize,
    /// A state whose rows are said and not counted, and how many they are.
    pub(super) beside: Option<(String, usize)>,
    /// The result's own counts, where it lists fewer.
    pub(super) counted: &'a FlatRow,
    /// Only these were asked for: failures, or those in a state.
    pub(super) state: Option<&'a str>,
    /// Only those that hold this were asked for.
    pub(super) held: Option<&'a Held>,
}

/// Most rows that are told by name.
const NAMED: usize = 4;

/// The content of a list, by name where few were asked for, else counted by state.
pub(super) fn list_lead(list: &Listed<'_>, ask: &Ask, period: Option<&str>) -> String {
    let Listed {
        noun, rows, all, ..
    } = *list;
    if ask.wants("fail") && rows.iter().all(|row| naming::state_of(row).is_some()) {
        return failures(list, period);
    }
    let asks_which = list.held.is_some() && ask.which.is_some();
    if let ([only], true) = (rows, ask.names_a_thing() && !asks_which)
        && let Some((key, value)) = naming::state_of(only)
    {
        let name = list.naming.name_of(only);
        if let Some(place) = list.naming.place_of(only).filter(|_| ask.has("where")) {
            return lists::is_on(&name, &units::safe(place));
        }
        if let Some(told) = value_lead(only, ask, Some(&name)) {
            return told;
        }
        return lists::is_in_state(&name, &units::value(key, value));
    }
    if let Some(course) = course(rows) {
        return course;
    }
    if let Some(bare) = never(list, ask) {
        return bare;
    }
    if let Some(placed) = placed(list, ask) {
        return placed;
    }
    if let Some(dated) = dated(list) {
        return dated;
    }
    if let Some(summed) = summed(list) {
        return summed;
    }
    if let Some(held) = list.held {
        let names: Vec<String> = rows.iter().map(|row| list.naming.name_of(row)).collect();
        let names = if names.len() > NAMED {
            String::new()
        } else {
            format!(": {}", and(&names))
        };
        let text = held.text.as_deref().map(units::safe);
        let field = match text {
            None => held.field.clone(),
            Some(_) => units::in_words(&singular(&held.field)),
        };
        return lists::hold(rows.len(), all, noun, &field, text.as_deref(), &names);
    }
    let total = find(list, "total").unwrap_or(0);
    if let Some(state) = list.state.filter(|_| all > 0) {
        let names: Vec<String> = rows.iter().map(|row| list.naming.name_of(row)).collect();
        let joined = (names.len() <= NAMED).then(|| and(&names));
        return lists::in_state(&names, joined.as_deref(), total.max(all), noun, state);
    }
    let beside = list.beside.as_ref();
    let beside = beside.map(|(state, count)| lists::beside(*count, state));
    if rows.is_empty() {
        let period = period.unwrap_or_default();
        return match (all, beside) {
            (0, None) => lists::none_reported(noun, period),
            (0, Some(beside)) => lists::none_reported_but(noun, &beside),
            _ => {
                let about = ask.named.first().and_then(|record| record.name.as_deref());
                let about = about.map(units::safe);
                lists::none_matches(all, noun, about.as_deref(), period)
            }
        };
    }
    if rows.len() == all && total > all && period.is_none() {
        let parts: Vec<String> = ["failed", "running"]
            .iter()
            .filter_map(|state| Some(format!("{} {state}", find(list, state)?)))
            .collect();
        return lists::first_listed(total, noun, &parts, all);
    }
    let mut states: Vec<(String, usize)> = Vec::new();
    for (key, value) in rows.iter().filter_map(naming::state_of) {
        let state = units::value(key, value);
        match states.iter_mut().find(|(name, _)| *name == state) {
            Some((_, count)) => *count += 1,
            None => states.push((state, 1)),
        }
    }
    let at_least = at_least(list, period);
    let of_all = if rows.len() == all || period.is_some() {
        String::new()
    } else {
        lists::of_all(all)
    };
    let parts: Vec<String> = states
        .iter()
        .take(4)
        .map(|(state, count)| format!("{count} {state}"))
        .collect();
    let noun = if rows.len() == 1 && of_all.is_empty() {
        singular(noun)
    } else {
        noun.to_owned()
    };
    let beside = match (beside, rows.len() == all) {
        (Some(beside), true) => lists::and_beside(&beside),
        _ => String::new(),
    };
    let period = period.unwrap_or_default();
    lists::counted(&RowCount {
        at_least,
        count: rows.len(),
        of_all: &of_all,
        noun: &noun,
        period,
        parts: &parts,
        beside: &beside,
    })
}

/// The words before a count of rows in a time that the list does not reach the beginning of.
fn at_least(list: &Listed<'_>, period: Option<&str>) -> &'static str {
    let total = find(list, "total").unwrap_or(0);
    let is_cut = period.is_some() && list.rows.len() == list.all && total > list.all;
    if is_cut { lists::AT_LEAST } else { "" }
}

/// Rows at the place that the words name, by name.
fn placed(list: &Listed<'_>, ask: &Ask) -> Option<String> {
    /// More than so many names tell nobody anything.
    const MOST: usize = 10;
    let [place] = &ask.named[..] else {
        return None;
    };
    let is_at = |row: &FlatRow| {
        list.naming
            .place_of(row)
            .is_some_and(|at| place.is_called(at))
    };
    let count = list.rows.len();
    if !(1..=MOST).contains(&count)
        || count >= list.all
        || list.state.is_some()
        || list.held.is_some()
    {
        return None;
    }
    if !place.ids.is_empty() || !list.rows.iter().all(is_at) {
        return None;
    }
    let names: Vec<String> = list
        .rows
        .iter()
        .map(|row| list.naming.name_of(row))
        .collect();
    let name = place.name.as_deref().map(units::safe)?;
    let states: Vec<String> = list
        .rows
        .iter()
        .filter_map(naming::state_of)
        .map(|(key, value)| units::value(key, value))
        .collect();
    let all_in = states
        .first()
        .filter(|first| states.iter().all(|state| state == *first) && states.len() == count);
    let state = all_in.filter(|_| count > 1).map(String::as_str);
    Some(lists::placed(
        count,
        list.all,
        list.noun,
        &name,
        &and(&names),
        state,
    ))
}

/// The number of things made of one subject, with the newest and the oldest.
fn dated(list: &Listed<'_>) -> Option<String> {
    let of = list.of?;
    let moments = list
        .rows
        .iter()
        .map(|row| naming::cell(row, "created_at")?.as_str());
    let mut moments: Vec<&str> = moments.collect::<Option<Vec<_>>>()?;
    moments.sort_unstable();
    let show = |moment: &str| units::value("created_at", &moment.into());
    let (first, last) = (moments.first()?, moments.last()?);
    let noun = list.noun;
    Some(match moments.len() {
        1 => lists::one_dated(&singular(noun), of, &show(last)),
        count => lists::dated(count, noun, of, &show(last), &show(first)),
    })
}

/// Rows that each stand for several: "103 of them, of 15 things".
fn summed(list: &Listed<'_>) -> Option<String> {
    if list.rows.len() < 2 || list.state.is_some() || list.held.is_some() {
        return None;
    }
    let counts = list
        .rows
        .iter()
        .map(|row| naming::cell(row, "count").and_then(Value::as_u64));
    let total: u64 = counts.sum::<Option<u64>>()?;
    let owners = list.owners.map(|owners| (list.rows.len(), owners));
    Some(lists::summed(&::units::count(total), list.noun, owners))
}

/// "Which were never verified?": the rows that lack what others have.
fn never(list: &Listed<'_>, ask: &Ask) -> Option<String> {
    const MOST: usize = 15;
    let lacked = ask
        .said
        .windows(2)
        .find(|pair| matches!(pair[0].as_str(), "never" | "not" | "un"))?;
    let stem: String = lacked[1].chars().take(5).collect();
    if stem.len() < 5 {
        return None;
    }
    let has = |row: &&FlatRow| {
        row.iter()
            .any(|(key, _)| key.split('_').any(|part| part.starts_with(&stem)))
    };
    let with = list.rows.iter().filter(has).count();
    if with == 0 {
        return None;
    }
    let without: Vec<String> = list
        .rows
        .iter()
        .filter(|row| !has(row))
        .map(|row| list.naming.name_of(row))
        .collect();
    let (count, all) = (without.len(), list.rows.len());
    let newest = list
        .rows
        .iter()
        .flatten()
        .any(|(key, _)| key.starts_with("newest_"));
    let newest = if newest { "newest " } else { "" };
    let nouns = format!("{newest}{}", list.noun);
    let names = and(&without[..count.min(MOST)]);
    Some(match count {
        0 => lists::all_were(all, &nouns, &lacked[1]),
        _ => lists::never_were(count, all, &nouns, &lacked[1], &names),
    })
}

/// Rows along time: from when to when, and between what the last of their figures was.
fn course(rows: &[FlatRow]) -> Option<String> {
    let (first, last) = (rows.first()?, rows.last()?);
    let time = |row: &FlatRow| Some(units::value("time", naming::cell(row, "time")?));
    let (from, to) = (time(first)?, time(last)?);
    let mut keys = first.iter().filter(|(_, value)| value.is_number());
    let closing = keys.clone().find(|(key, _)| key == "close");
    let (key, _) = closing.or_else(|| keys.next_back())?;
    let all = || {
        rows.iter()
            .filter_map(|row| naming::cell(row, key)?.as_f64())
    };
    let (low, high) = (all().reduce(f64::min)?, all().reduce(f64::max)?);
    let show = |number: f64| units::value(key, &number.into());
    Some(lists::along_time(&TimeCourse {
        from: &from,
        to: &to,
        what: &units::in_words(key),
        low: &show(low),
        high: &show(high),
        last: &show(all().next_back()?),
    }))
}

fn find(list: &Listed<'_>, name: &str) -> Option<usize> {
    let keys = [
        format!("counts.{name}"),
        format!("{}_counts.{name}", list.naming.kind()),
    ];
    let (_, value) = list
        .counted
        .iter()
        .find(|(known, _)| keys.contains(known))?;
    usize::try_from(value.as_u64()?).ok()
}

/// A sentence about failures, by name.
fn failures(list: &Listed<'_>, period: Option<&str>) -> String {
    let at_least = at_least(list, period);
    let period = period.unwrap_or_default();
    let noun = list.noun;
    let one = singular(noun);
    let mut names: Vec<String> = list
        .rows
        .iter()
        .take(NAMED)
        .map(|row| list.naming.name_of(row))
        .collect();
    names.dedup();
    let count = list.rows.len();
    let noun = if count < 2 { one.as_str() } else { noun };
    let is_all = count <= names.len();
    lists::failed(at_least, count, noun, period, &and(&names), is_all)
}

/// A first sentence with the leads of all parts but the first, which it tells itself.
pub(super) fn followed(first: &str, leads: &[&str]) -> String {
    match leads.get(1..).unwrap_or_default() {
        [] => first.to_owned(),
        rest => format!("{first}\n\n{}", rest.join(" ")),
    }
}

/// The leads of all parts, in which the operator is addressed once at least.
pub(super) fn joined(leads: &[&str]) -> String {
    let Some((first, rest)) = leads.split_first() else {
        return results::FOUND.to_owned();
    };
    let addressed = leads.iter().any(|lead| lead.contains("sir"));
    let mut text = if addressed {
        (*first).to_owned()
    } else {
        format!("{}, sir.", first.trim_end_matches('.'))
    };
    for lead in rest {
        text.push(' ');
        text.push_str(lead);
    }
    text
}
