//! Writes answers from what the tools brought back. Every figure comes from a result; rows are
//! counted, nothing is estimated.

mod actor;
mod asked;
mod bounded;
mod cancel;
pub(super) mod ending;
mod facts;
mod failure;
mod finish;
mod flat_row;
mod forecast;
mod gather;
mod happenings;
mod headline;
mod help;
mod history;
mod lead;
mod merge;
mod money;
mod naming;
mod offers;
mod output;
mod overall;
mod period;
mod result_section;
pub(super) mod section;
pub(super) mod several;
mod source;
mod summary;
mod superlative;
mod table;
mod target;
mod trouble;
pub(super) mod units;
mod values;
mod verdict;
mod voice;

pub(super) use finish::finished;
use result_section::ResultSection;
pub(super) use superlative::is_measure;

use super::{
    Call,
    plan::{self, PlanContext},
    talk::Talk,
    view::{Done, View},
    worked,
};
use crate::texts::{self, attachments, manner, orders, results};

/// The model's thought when it calls tools.
pub(super) fn intention(calls: &[Call]) -> String {
    let names: Vec<String> = calls
        .iter()
        .map(|call| manner::call_with_input(&call.name, &call.input.to_string()))
        .collect();
    manner::calls_intended(&names)
}

/// The model's thought before it answers.
pub(super) fn thought(view: &View<'_>) -> String {
    let failed = view.done.iter().filter(|done| done.is_error).count();
    let thought = match (view.done.len(), failed) {
        (0, _) => manner::NOTHING_TO_READ,
        (_, 0) => manner::RESULTS_ARE_IN,
        _ => manner::SOME_FAILED,
    };
    thought.to_owned()
}

/// The answer, which is not [`finished`] yet.
pub(super) fn answer(context: PlanContext<'_>) -> String {
    let view = context.view;
    let files = (!view.files.is_empty()).then(|| attachments::came_with_message(&view.files));
    match files {
        None => without_files(context),
        Some(files) if view.done.is_empty() => files,
        Some(files) => format!("{files}\n\n{}", without_files(context)),
    }
}

fn without_files(context: PlanContext<'_>) -> String {
    let view = context.view;
    if view.done.is_empty() {
        return without_results(context);
    }
    if let Some(action) = &context.ask.action {
        let acted = plan::acted(context, action).into_iter();
        let told: Vec<String> = acted.map(|done| ending::told(context, done)).collect();
        return match told[..] {
            [] => cannot(context),
            _ => told.join(" "),
        };
    }
    report(context)
}

fn report(context: PlanContext<'_>) -> String {
    let (view, ask) = (context.view, context.ask);
    let sections: Vec<ResultSection> = merge::by_place(relevant(context), context.toolbox)
        .iter()
        .map(|done| section::of(done, context))
        .collect();
    if !sections.is_empty() && sections.iter().all(|section| section.missed) {
        return not_found(context);
    }
    let sections: Vec<ResultSection> = sections
        .into_iter()
        .filter(|section| !section.missed)
        .collect();
    let headline = headline::of(context);
    // A question about one thing also reports what could not be read, and nothing else.
    let told = sections
        .iter()
        .filter(|section| headline.is_none() || section.has_gap);
    let mut troubles: Vec<String> = Vec::new();
    for trouble in told.flat_map(|section| &section.troubles) {
        if !troubles.contains(trouble) {
            troubles.push(trouble.clone());
        }
    }
    let mut text = String::new();
    let leads: Vec<&str> = sections
        .iter()
        .filter_map(|section| section.lead.as_deref())
        .collect();
    let overall = overall::of(context, leads.first().copied(), &troubles);
    match overall
        .map(|overall| lead::followed(&overall, &leads))
        .or(headline)
    {
        Some(headline) => text.push_str(&headline),
        None => text.push_str(&lead::joined(&leads)),
    }
    section::say_failures(&sections, &mut text);
    // The name that was asked for, where another was found for it.
    let mut unknown = view
        .done
        .iter()
        .filter(|done| done.data["note"].is_string());
    if let Some(done) = unknown.next_back()
        && view.done.last() != Some(done)
        && let Some((lead, _)) = output::of(done)
    {
        let lead = lead
            .split(results::KNOWN_NAMES)
            .next()
            .unwrap_or_default()
            .replace(", sir", "");
        text.push_str(&format!(" {lead}"));
    }
    source::append(context, &mut text);
    text.push_str("\n\n");
    if !troubles.is_empty() {
        text.push_str(results::wants_attention(troubles.len()));
        for trouble in troubles.iter().take(12) {
            text.push_str(&format!("- {trouble}\n"));
        }
        if troubles.len() > 12 {
            text.push_str(&results::more_troubles(troubles.len() - 12));
        }
        text.push('\n');
    }
    let many = sections.len() > 1;
    for section in &sections {
        if section.body.trim().is_empty() {
            continue;
        }
        // A list right after the one above would be one list with it.
        let follows_list = !troubles.is_empty() && section.body.trim_start().starts_with("- ");
        if many || follows_list {
            text.push_str(&format!("### {}\n\n", section.title));
        }
        text.push_str(section.body.trim_end());
        text.push_str("\n\n");
    }
    let unknown = sections.iter().any(|section| section.unknown);
    // What a command printed is not judged.
    if !view.done.iter().any(|done| output::of(done).is_some()) {
        text.push_str(voice::closing(&ask.question, troubles.len(), unknown).unwrap_or_default());
    }
    text.trim_end().to_owned()
}

/// The results that the answer is about: those that only served to find names are left out when
/// others came of them.
fn relevant<'v>(context: PlanContext<'v>) -> Vec<&'v Done> {
    let chosen = plan::chosen(context);
    let finds = chosen.iter().any(|card| card.finds());
    let is_for = |done: &Done| {
        let card = context.toolbox.card(&done.name);
        done.is_error
            || chosen.iter().any(|card| card.tool.name == done.name)
            || finds && context.ask.names_a_thing() && card.is_some_and(|card| card.finds())
    };
    let mut kept: Vec<&Done> = context
        .view
        .done
        .iter()
        .filter(|done| is_for(done))
        .collect();
    // The same call under another name adds nothing.
    let last = kept.last().map(|done| done.name.clone());
    let again = kept
        .iter()
        .filter(|done| Some(&done.name) == last.as_ref())
        .count()
        > 1;
    if again {
        let newest = kept.len() - 1;
        let mut at = 0;
        kept.retain(|done| {
            at += 1;
            at > newest || !done.data["note"].is_string()
        });
    }
    // "Home assistant" was read as a place before it was found to be a thing.
    let is_asked = |done: &Done| {
        let values = done
            .input
            .as_object()
            .into_iter()
            .flat_map(|all| all.values());
        let mut named = values.filter(|value| {
            context.ask.named.iter().any(|record| {
                value.as_str().is_some_and(|text| record.is_called(text))
                    || record.ids.iter().any(|(_, id)| value.as_i64() == Some(*id))
            })
        });
        named.next().is_some()
    };
    let asked: Vec<&str> = kept
        .iter()
        .filter(|done| is_asked(done))
        .map(|done| done.name.as_str())
        .collect();
    kept.retain(|done| is_asked(done) || !asked.contains(&done.name.as_str()));
    if kept.is_empty() {
        context.view.done.iter().collect()
    } else {
        kept
    }
}

/// The name in the words that no thing has.
fn unknown_name(context: PlanContext<'_>) -> Option<String> {
    let ask = context.ask;
    let strangers = ask.strangers.iter().filter(|it| !it.is_place);
    let name = strangers
        .chain(&ask.strangers)
        .map(|it| it.word.clone())
        .next();
    let ids = ask.named.iter().flat_map(|record| &record.ids);
    let ids = ask.ids.iter().chain(ids.map(|(_, id)| id));
    name.or_else(|| ids.map(i64::to_string).next())
}

/// `Do you mean a or b?`, where names are like the one in the words.
fn asked_back(context: PlanContext<'_>) -> Option<String> {
    let names = context.ask.near.iter().map(|record| {
        let name = record.name.as_deref().map(units::safe).unwrap_or_default();
        match record.ids.first() {
            Some((_, id)) => format!("{name} ({id})"),
            None => name,
        }
    });
    let names: Vec<String> = names.collect();
    let states: Vec<&str> = context
        .ask
        .near
        .iter()
        .filter_map(|record| record.text("state"))
        .collect();
    let state = match (states.as_slice(), names.len()) {
        ([state], 1) => Some(units::safe(state)),
        _ => None,
    };
    (!names.is_empty()).then(|| manner::do_you_mean(&names, state.as_deref()))
}

/// Nothing goes by the name that was asked for.
fn not_found(context: PlanContext<'_>) -> String {
    if let Some(asked) = asked_back(context) {
        return asked;
    }
    let name = unknown_name(context).unwrap_or_default();
    texts::offers::name_not_found(&units::code(&name))
}

fn cannot(context: PlanContext<'_>) -> String {
    if let Some(failed) = context.view.done.iter().find(|done| done.is_error) {
        return orders::could_not_read_first(&section::failure(failed));
    }
    if let Some(asked) = asked_back(context) {
        return asked;
    }
    if let Some(name) = plan::unknown_of_several(context) {
        return orders::name_not_found_of_several(&units::code(&name));
    }
    // A number of which no data tells is of nothing, whatever the words call it.
    if plan::target_of(context).is_some_and(|target| !target.tools.is_empty()) {
        return offers::no_tool(context);
    }
    match unknown_name(context) {
        Some(what) => orders::name_not_found(&units::code(&what)),
        None => orders::WHICH_ONE.to_owned(),
    }
}

fn without_results(context: PlanContext<'_>) -> String {
    let (view, ask) = (context.view, context.ask);
    if plan::sets_rules_aside(ask) {
        return orders::RULES_STAY.to_owned();
    }
    match ask.talk.filter(|_| !ask.foreign) {
        Some(Talk::Greeting) => {
            let offer = offers::sentence(context);
            return format!("{} {offer}", manner::GREETING)
                .trim_end()
                .to_owned();
        }
        Some(Talk::Thanks) => return voice::pick(&view.question, manner::THANKS).to_owned(),
        Some(Talk::Identity) => return manner::IDENTITY.to_owned(),
        Some(Talk::Help) => return help::told(context),
        Some(Talk::Cancel) => return cancel::told(context),
        Some(Talk::Yes) => return manner::YES_TO_WHAT.to_owned(),
        None => {}
    }
    if ask.foreign {
        return offers::foreign(context);
    }
    if let Some(left) = left_alone(context) {
        return left;
    }
    if let Some(pack) = worked::absent(view).and_then(|area| area.pack.as_ref()) {
        return offers::of_pack(pack);
    }
    if let Some((title, path)) = plan::elsewhere(context) {
        return texts::offers::belongs_on_page(&units::safe(title), path);
    }
    if !ask.near.is_empty()
        && ask.doubt.is_none()
        && let Some(asked) = asked_back(context)
    {
        return asked;
    }
    if ask.doubt.is_some() && worked::is_named(view) {
        return offers::in_forms(context);
    }
    if let Some(word) = ask.doubt.as_ref().filter(|_| !plan::is_beyond(context)) {
        return doubtful(context, word);
    }
    if view.all_tools().next().is_none() {
        return texts::offers::no_tools();
    }
    if let Some(action) = &ask.action {
        return match plan::tool_for(context, action) {
            Some(_) => cannot(context),
            None => offers::no_tool(context),
        };
    }
    if ask.quotes
        || plan::is_of_forms(context)
        || plan::unknown_topic(context).is_some()
        || plan::explains(ask)
    {
        return offers::nothing_fits(context);
    }
    match plan::missing(context) {
        Some(missing) => missing,
        None => offers::nothing_fits(context),
    }
}

/// "Don't restart it": nothing is done, and that is said.
fn left_alone(context: PlanContext<'_>) -> Option<String> {
    let named = context
        .ask
        .named
        .iter()
        .filter_map(|record| record.name.as_deref());
    let mut names = named.chain(context.ask.strangers.iter().map(|it| it.word.as_str()));
    plan::refuses(context.ask).then(|| match names.next() {
        Some(name) => orders::left_as_it_is(&units::safe(name)),
        None => orders::I_DO_NOTHING.to_owned(),
    })
}

/// An order is not plain.
fn doubtful(context: PlanContext<'_>, word: &str) -> String {
    let sample =
        plan::bare_order(context).or_else(|| plan::plain_order(context).map(str::to_owned));
    let sample = sample.map_or(String::new(), |order| {
        orders::put_it_like(&units::safe(order.trim_end_matches('.')))
    });
    let word = units::safe(word);
    if super::action::is_later(&word) {
        return orders::only_at_once(&word, &sample);
    }
    orders::only_plain_orders(&word, &sample)
}
