//! One result as a part of the answer: a lead, what is wrong, and a table or a list.

mod notes;

use super::{
    asked::{held, is_brief, is_meant, is_since, is_wanted, state_asked},
    facts::facts,
    flat_row::FlatRow,
    gather::gather,
    history,
    lead::{Listed, counted, list_lead},
    naming::{self, Naming},
    output,
    period::Period,
    result_section::ResultSection,
    summary, superlative, table,
    target::target,
    trouble, units,
    values::values_lead,
};
use crate::{
    planner::{
        plan::{self, PlanContext},
        records,
        toolbox::Card,
        view::Done,
        words::{close, meaning},
    },
    texts::results,
};
use notes::{bare, cuts, reasons, unknowns};

/// Rows shown beside the one that was asked for.
const NEXT: usize = 5;

pub(super) fn of(done: &Done, context: PlanContext<'_>) -> ResultSection {
    let mut section = ResultSection {
        title: title(done, context),
        ..ResultSection::default()
    };
    if let Some(known) = open_outcome(done) {
        let what = units::code(&done.name);
        section
            .troubles
            .push(results::effect_unknown(&what, &known));
        section.unknown = true;
        section.has_gap = true;
        return section;
    }
    if done.is_error {
        section.has_gap = true;
        let what = units::code(&done.name);
        let target = target(done, context);
        let failed = results::call_failed(&what, target.as_deref(), &failure(done));
        section.troubles.push(failed);
        section.failed = true;
        return section;
    }
    if let Some((lead, body)) = output::of(done) {
        section.lead = Some(lead);
        section.body = body;
        return section;
    }
    if done.data.is_null() {
        section.body = quoted(&done.text);
        section.lead = Some(results::reports(&units::code(&done.name)));
        return section;
    }
    if let Some(reason) = units::unknown(&done.data) {
        section.has_gap = true;
        let unknown = results::unknown(&section.title, &units::safe(reason));
        section.troubles.push(unknown);
        return section;
    }
    if let Some(text) = summary::text(done) {
        summary::fill(done, text, context, &mut section);
        return section;
    }
    if let Some((lead, body)) = history::of(done, &context.ask.said) {
        section.lead = Some(lead);
        // A forecast rests on one series, which its sentence tells.
        section.body = if context.ask.is_forecast() {
            String::new()
        } else {
            body
        };
        return section;
    }
    read(done, context, &mut section);
    section
}

/// Says, after what was read, that some calls failed.
pub(super) fn say_failures(sections: &[ResultSection], text: &mut String) {
    if sections.iter().any(|section| section.failed) {
        text.push_str(if text.is_empty() {
            results::NOT_ALL_READ
        } else {
            results::AND_NOT_ALL_READ
        });
    }
}

/// Reads single values and lists.
fn read(done: &Done, context: PlanContext<'_>, section: &mut ResultSection) {
    let ask = context.ask;
    // Beside how everything is, what happened is that of the last day.
    let is_beside = plan::is_told_beside(context, &done.name);
    let day = || Period::day(context.view).filter(|_| is_beside);
    let period = Period::read(&ask.said, context.view).or_else(day);
    let places = context.toolbox.places.as_slice();
    let card = context.toolbox.card(&done.name);
    let mut scalars: FlatRow = Vec::new();
    let mut lists: Vec<(String, Vec<FlatRow>)> = Vec::new();
    gather("", &done.data, &mut scalars, &mut lists);
    let who = target(done, context).unwrap_or_else(|| "it".to_owned());
    section.troubles.extend(trouble::of_row(&who, &scalars));
    let lacking_parts = reasons(&scalars);
    section.has_gap |= !lacking_parts.is_empty();
    section.troubles.extend(lacking_parts);
    // Of the whole only where the whole is asked about.
    section.lead = counted(&scalars).filter(|_| !ask.names_a_thing());
    let brief = is_brief(done, context);
    let mut listed = false;
    let asked = state_asked(context, done, card, &lists);
    let asks_of_every = ask.any(&["everything", "every"])
        && ask
            .said
            .first()
            .is_some_and(|word| matches!(word.as_str(), "is" | "are" | "does" | "do"));
    let lacking = asks_of_every || ask.any(&["no", "without", "lack", "lacks", "missing", "not"]);
    // Lists without any row in the state that is asked for are not what is asked for.
    if let Some(state) = &asked
        && lists
            .iter()
            .any(|(_, rows)| rows.iter().any(|row| naming::is_in(row, state)))
    {
        lists.retain(|(_, rows)| rows.iter().any(|row| naming::is_in(row, state)));
    }
    lists = naming::spoken_of(lists, ask);
    let alone = lists
        .iter()
        .filter(|(key, _)| key != "cut" && !key.contains("_without_"))
        .count()
        == 1;
    let is_of_one = done
        .input
        .as_object()
        .is_some_and(|input| input.keys().any(|key| records::is_id(key)));
    let about = target(done, context).filter(|_| is_of_one);
    let owners = lists
        .iter()
        .find_map(|(key, _)| Some(key.split_once("_without_")?.0.to_owned()));
    for (key, rows) in lists {
        if key == "cut" {
            continue;
        }
        let naming = Naming { key: &key, places };
        let beside = naming::uncounted(&rows, &scalars);
        let counts = |row: &FlatRow| {
            beside
                .as_ref()
                .is_none_or(|(state, _)| !naming::is_in(row, state))
        };
        let all = rows.iter().filter(|row| counts(row)).count();
        let cutoff = period.as_ref().map(|period| period.cutoff.as_str());
        let held = held(&rows, context);
        let has_times = rows.iter().flatten().any(|(key, _)| key == "started_at");
        let mut rows: Vec<FlatRow> = rows
            .into_iter()
            .filter(|row| is_meant(row, naming, context, done) && is_since(row, cutoff))
            .filter(|row| is_wanted(row, context, asked.as_deref()))
            .filter(|row| held.as_ref().is_none_or(|held| held.is_in(row)))
            .collect();
        let is_searched = card.is_some_and(Card::finds);
        section.missed |=
            ask.names_a_thing() && is_searched && all > 0 && rows.is_empty() && asked.is_none();
        for row in &rows {
            section
                .troubles
                .extend(trouble::of_row(&naming.name_of(row), row));
        }
        // "guests_without_backup": a list of what lacks something.
        if let Some((nouns, lack)) = key.split_once("_without_") {
            let lacks = bare(&rows, naming, nouns, lack);
            let lack_meant = meaning(lack);
            if lacking && ask.content.iter().any(|word| close(word, &lack_meant)) {
                section.body.clear();
                section.lead = Some(match lacks {
                    Some(lacks) => format!("{lacks}, sir."),
                    None => results::none_without(&nouns.replace('_', " "), lack),
                });
            } else {
                section.troubles.extend(lacks);
            }
            continue;
        }
        let noun = noun(card, &key, alone);
        // What is not counted is listed only where it is meant alone.
        if !ask.names_a_thing() || rows.len() > 1 {
            rows.retain(|row| counts(row));
        }
        let list = Listed {
            naming,
            noun: &noun,
            of: about.as_deref(),
            owners: owners.as_deref(),
            rows: &rows,
            all,
            beside: beside.clone(),
            counted: &scalars,
            state: asked.as_deref(),
            held: held.as_ref(),
        };
        // Rows without a time are of now.
        let told = period.as_ref().filter(|_| has_times || all == 0);
        let told = told.map(|period| period.words.as_str());
        let lead = list_lead(&list, ask, told);
        // What the first sentence has counted is not counted again.
        section.lead = Some(match section.lead.take() {
            Some(_) if asked.is_some() => lead,
            Some(before) if before.contains(&format!(" {key} are ")) => before,
            Some(before) => format!("{before} {lead}"),
            None => lead,
        });
        if !brief {
            // Of one among many the next ones suffice.
            let is_one = superlative::sort(&mut rows, ask) && rows.len() > 2 * NEXT;
            let limit = if is_one {
                ask.count.or(Some(NEXT as u64))
            } else {
                ask.count
            };
            section
                .body
                .push_str(&listing(&rows, naming, &ask.said, limit));
            section.body.push('\n');
            if rows.len() > 1 {
                for reason in unknowns(&rows) {
                    let unknown = results::unknown_values(&reason);
                    section.body.push_str(&format!("\n- {unknown}\n"));
                }
            }
        }
        section.unknown |= rows
            .iter()
            .flatten()
            .any(|(_, value)| units::unknown(value).is_some());
        listed = true;
    }
    if listed {
        scalars.retain(|(key, _)| !is_count(key));
    }
    section.unknown |= scalars
        .iter()
        .any(|(_, value)| units::unknown(value).is_some());
    if section.lead.is_none() {
        section.lead = values_lead(done, context, &scalars);
    }
    if brief {
        return;
    }
    let facts = facts(&scalars);
    if !facts.is_empty() {
        section.body = format!("{facts}\n{}", section.body);
    }
    for cut in cuts(&done.data) {
        section.body.push_str(&format!("\n_{cut}_\n"));
    }
    if let Some(cut) = &done.cut {
        section
            .body
            .push_str(&format!("\n_{}_\n", units::safe(cut)));
    }
}

/// A result without any search for trouble, for what an order brought.
pub(super) fn plain(done: &Done, context: PlanContext<'_>) -> String {
    if let Some((_, body)) = output::of(done) {
        return body;
    }
    if done.data.is_null() {
        return quoted(&done.text);
    }
    let mut scalars = Vec::new();
    let mut lists = Vec::new();
    gather("", &done.data, &mut scalars, &mut lists);
    let places = context.toolbox.places.as_slice();
    let mut text = facts(&scalars);
    for (key, rows) in lists {
        let naming = Naming { key: &key, places };
        text.push_str(&format!("\n{}\n", listing(&rows, naming, &[], None)));
    }
    text.trim_end().to_owned()
}

/// The known facts of a call whose outcome is not known.
pub(super) fn open_outcome(done: &Done) -> Option<String> {
    (done.data["outcome"] == "unknown").then(|| {
        let known = done.data["known"].as_str();
        known.map_or_else(|| results::NO_DETAILS.to_owned(), units::safe)
    })
}

/// Why a call failed, in the tool's words.
pub fn failure(done: &Done) -> String {
    let text = |key: &str| done.data[key].as_str();
    let help = text("help").map(for_people).filter(|help| !help.is_empty());
    match (text("message"), help) {
        (Some(message), Some(help)) => {
            format!(
                "{} ({})",
                units::safe(&for_people(message)),
                units::safe(&help)
            )
        }
        (Some(message), None) => units::safe(&for_people(message)),
        // What the gate and what a person said.
        _ if let Some(said) = ["blocked", "denied", "expired", "withdrawn", "unavailable"]
            .iter()
            .find_map(|key| text(key)) =>
        {
            units::safe(&for_people(said))
        }
        _ if done.text.trim().is_empty() => results::NO_REASON.to_owned(),
        _ => units::safe(done.text.trim()),
    }
}

/// A text without its last clause where that begins with the name of a tool: "; find_name finds it." is
/// advice for the model.
pub(super) fn for_people(text: &str) -> String {
    let is_advice = |clause: &str| {
        let first = clause.split(' ').next().unwrap_or_default();
        let is_name = |sign: u8| sign.is_ascii_lowercase() || sign == b'_';
        first.contains('_') && first.bytes().all(is_name)
    };
    match text.rsplit_once("; ") {
        Some((told, clause)) if is_advice(clause) => format!("{told}."),
        None if is_advice(text) => String::new(),
        _ => text.to_owned(),
    }
}

/// One row as a list of facts, more as a table.
fn listing(rows: &[FlatRow], naming: Naming<'_>, said: &[String], limit: Option<u64>) -> String {
    match rows {
        [] => String::new(),
        [only] => facts(only),
        _ => table::of(rows, naming, said, limit),
    }
}

/// Counts of what stands in the list, told in the lead.
fn is_count(key: &str) -> bool {
    key.contains("counts.")
        || key.ends_with("_total")
        || key.ends_with("_online")
        || matches!(key, "total" | "count")
}

fn quoted(text: &str) -> String {
    let text: String = text.chars().take(2_000).collect();
    text.lines()
        .map(|line| format!("> {}\n", units::safe(line)))
        .collect()
}

/// The noun for the rows of a list: that of the tool's description, else the list's own key.
fn noun(card: Option<&Card<'_>>, key: &str, alone: bool) -> String {
    let told = card.filter(|_| alone).and_then(|card| {
        let rest = card.tool.description.strip_prefix("Lists the ")?;
        let end = rest.find(['(', ',', '.', ';', ':']).unwrap_or(rest.len());
        let mut words = Vec::new();
        for word in rest[..end].split_whitespace() {
            if crate::planner::words::is_filler(word) || word.contains(['\'', '’']) {
                break;
            }
            words.push(word);
        }
        (!words.is_empty() && words.len() <= 3).then(|| words.join(" "))
    });
    let key = key.rsplit('.').next().unwrap_or(key);
    told.unwrap_or_else(|| match key {
        "" => "entries".to_owned(),
        key => key.replace('_', " "),
    })
}

fn title(done: &Done, context: PlanContext<'_>) -> String {
    let name = done.name.strip_prefix("get_").unwrap_or(&done.name);
    let name = units::label(name);
    match target(done, context) {
        Some(target) => format!("{name}: {target}"),
        None => name,
    }
}
