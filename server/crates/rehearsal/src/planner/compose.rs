//! Writes answers from what the tools brought back. Every figure comes from a result; rows are
//! counted, nothing is estimated.

mod ending;
mod facts;
mod headline;
mod history;
mod lead;
mod merge;
mod naming;
mod offers;
mod output;
mod period;
pub(super) mod section;
mod superlative;
mod table;
mod trouble;
pub(super) mod units;
mod voice;

use super::{
    Call,
    plan::{self, Desk},
    talk::Talk,
    toolbox::Toolbox,
    view::{Done, View},
};

/// The model's thought when it calls tools.
pub(super) fn intention(calls: &[Call]) -> String {
    let names: Vec<String> = calls
        .iter()
        .map(|call| format!("{} with {}", call.name, call.input))
        .collect();
    format!(
        "The operator's words call for {}. The calls do not depend on each other, so they go out \
         together.",
        names.join(", ")
    )
}

/// The model's thought before it answers.
pub(super) fn thought(view: &View<'_>) -> String {
    let failed = view.done.iter().filter(|done| done.is_error).count();
    match (view.done.len(), failed) {
        (0, _) => "Nothing needs to be read for this. I shall simply answer.".to_owned(),
        (_, 0) => "The results are in. I shall report what they say, trouble first, and no more."
            .to_owned(),
        _ => "Not every result came back well. I shall say so plainly.".to_owned(),
    }
}

/// The sentence before the first calls: none before one that acts, for whether it will is not
/// decided yet.
pub(super) fn announcement(
    view: &View<'_>,
    toolbox: &Toolbox<'_>,
    calls: &[Call],
) -> Option<&'static str> {
    let reads = |call: &Call| toolbox.card(&call.name).is_some_and(|card| card.reads);
    calls
        .iter()
        .all(reads)
        .then(|| voice::pick(&view.question, voice::LOOKING))
}

/// The answer.
pub(super) fn answer(desk: Desk<'_>) -> String {
    let view = desk.view;
    if view.files.is_empty() {
        return without_files(desk);
    }
    let files = format!(
        "What came with your message, sir:\n\n- {}\n\nA rehearsal cannot look into it.",
        view.files.join("\n- ")
    );
    if view.done.is_empty() {
        files
    } else {
        format!("{files}\n\n{}", without_files(desk))
    }
}

fn without_files(desk: Desk<'_>) -> String {
    let view = desk.view;
    if view.done.is_empty() {
        return without_results(desk);
    }
    if let Some(action) = &desk.ask.action {
        let tool = plan::tool_for(desk, action);
        let done = tool.and_then(|card| {
            view.done
                .iter()
                .rev()
                .find(|done| done.name == card.tool.name)
        });
        return match done {
            Some(done) => ending::told(desk, done),
            None => cannot(desk),
        };
    }
    report(desk)
}

fn report(desk: Desk<'_>) -> String {
    let (view, ask) = (desk.view, desk.ask);
    let sections: Vec<section::ResultSection> = merge::by_place(relevant(desk), desk.toolbox)
        .iter()
        .map(|done| section::of(done, desk))
        .collect();
    if !sections.is_empty() && sections.iter().all(|section| section.missed) {
        return not_found(desk);
    }
    let sections: Vec<section::ResultSection> = sections
        .into_iter()
        .filter(|section| !section.missed)
        .collect();
    let mut troubles: Vec<String> = Vec::new();
    for trouble in sections.iter().flat_map(|section| &section.troubles) {
        if !troubles.contains(trouble) {
            troubles.push(trouble.clone());
        }
    }
    let mut text = String::new();
    let leads: Vec<&str> = sections
        .iter()
        .filter_map(|section| section.lead.as_deref())
        .collect();
    match headline::of(desk) {
        Some(headline) => text.push_str(&headline),
        None => text.push_str(&lead::joined(&leads)),
    }
    text.push_str("\n\n");
    if !troubles.is_empty() {
        text.push_str(match troubles.len() {
            1 => "One matter wants your attention:\n\n",
            _ => "These matters want your attention:\n\n",
        });
        for trouble in troubles.iter().take(12) {
            text.push_str(&format!("- {trouble}\n"));
        }
        if troubles.len() > 12 {
            text.push_str(&format!("- and {} more of the kind\n", troubles.len() - 12));
        }
        text.push('\n');
    }
    let many = sections.len() > 1;
    for section in &sections {
        if section.body.trim().is_empty() {
            continue;
        }
        if many {
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
fn relevant<'v>(desk: Desk<'v>) -> Vec<&'v Done> {
    let chosen = plan::chosen(desk);
    let finds = chosen.iter().any(|card| card.finds());
    let is_for = |done: &Done| {
        let card = desk.toolbox.card(&done.name);
        done.is_error
            || chosen.iter().any(|card| card.tool.name == done.name)
            || finds && desk.ask.names_a_thing() && card.is_some_and(|card| card.finds())
    };
    let kept: Vec<&Done> = desk.view.done.iter().filter(|done| is_for(done)).collect();
    if kept.is_empty() {
        desk.view.done.iter().collect()
    } else {
        kept
    }
}

/// The name in the words that no thing has.
fn unknown_name(desk: Desk<'_>) -> Option<String> {
    let ask = desk.ask;
    let strangers = ask.strangers.iter().filter(|it| !it.is_place);
    let name = strangers
        .chain(&ask.strangers)
        .map(|it| it.word.clone())
        .next();
    let ids = ask.named.iter().flat_map(|record| &record.ids);
    let ids = ask.ids.iter().chain(ids.map(|(_, id)| id));
    name.or_else(|| ids.map(i64::to_string).next())
}

/// Nothing goes by the name that was asked for.
fn not_found(desk: Desk<'_>) -> String {
    format!(
        "I find nothing called {} in what is reported, sir. A slip in the name, perhaps?",
        units::code(&unknown_name(desk).unwrap_or_default())
    )
}

fn cannot(desk: Desk<'_>) -> String {
    if let Some(failed) = desk.view.done.iter().find(|done| done.is_error) {
        return format!(
            "I could not find out what I need to know for that, sir.\n\n{}",
            section::failure(failed)
        );
    }
    if plan::target_of(desk).is_some() {
        return offers::no_tool(desk);
    }
    match unknown_name(desk) {
        Some(what) => format!(
            "I find nothing called {} in what is reported, sir, and I should not like to guess. Which \
             one do you mean?",
            units::code(&what)
        ),
        None => "I am not certain which one you mean, sir. A name or a number would settle it."
            .to_owned(),
    }
}

fn without_results(desk: Desk<'_>) -> String {
    let (view, ask) = (desk.view, desk.ask);
    match ask.talk.filter(|_| !ask.foreign) {
        Some(Talk::Greeting) => {
            let offer = offers::sentence(desk);
            return format!("{} {offer}", voice::GREETING).trim_end().to_owned();
        }
        Some(Talk::Thanks) => return voice::pick(&view.question, voice::THANKS).to_owned(),
        Some(Talk::Identity) => return voice::IDENTITY.to_owned(),
        Some(Talk::Help) => return help(desk),
        None => {}
    }
    if ask.foreign {
        return offers::foreign(desk);
    }
    if let Some(word) = ask.doubt.as_ref().filter(|_| !plan::is_beyond(desk)) {
        return doubtful(desk, word);
    }
    if view.tools.is_empty() {
        return format!(
            "I have no tools in this conversation, sir, and so can neither look anything up nor \
             change it. {}",
            voice::REHEARSAL
        );
    }
    if let Some(action) = &ask.action {
        return match plan::tool_for(desk, action) {
            Some(_) => cannot(desk),
            None => offers::no_tool(desk),
        };
    }
    match plan::missing(desk) {
        Some(missing) => missing,
        None => offers::nothing_fits(desk),
    }
}

/// An order is not plain.
fn doubtful(desk: Desk<'_>, word: &str) -> String {
    let sample = plan::plain_order(desk).map_or(String::new(), |order| {
        format!(
            " Put it like “{}”, and I shall see to it.",
            units::safe(order)
        )
    });
    format!(
        "I carry out plain orders only, sir, for one thing and at once, and “{}” leaves open what \
         exactly you want, so I do nothing.{sample}",
        units::safe(word)
    )
}

fn help(desk: Desk<'_>) -> String {
    let view = desk.view;
    if view.tools.is_empty() {
        return format!("In this conversation, sir, only talk. {}", voice::REHEARSAL);
    }
    let tools: Vec<String> = view
        .tools
        .iter()
        .map(|tool| {
            let first = brief(tool.description);
            format!("- {}: {}", units::code(tool.name), units::safe(&first))
        })
        .collect();
    let offer = offers::sentence(desk);
    format!(
        "These are the tools at my disposal, sir:\n\n{}\n\n{offer} {}",
        tools.join("\n"),
        voice::REHEARSAL
    )
}

/// The beginning of a description, up to a place where it may end: "Lists the backups".
fn brief(description: &str) -> String {
    const MOST: usize = 100;
    let sentence = description
        .split(['.', '\n', ':'])
        .next()
        .unwrap_or_default();
    // Without what stands in brackets.
    let mut plain = String::new();
    let mut depth = 0_usize;
    for sign in sentence.chars() {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            sign if depth == 0 => plain.push(sign),
            _ => {}
        }
    }
    let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain = plain.replace(" ,", ",").replace(" ;", ";");
    if plain.chars().count() <= MOST {
        return plain;
    }
    let short: String = plain.chars().take(MOST).collect();
    let end = short.rfind([',', ';']).or_else(|| short.rfind(' '));
    short
        .get(..end.unwrap_or(short.len()))
        .unwrap_or_default()
        .to_owned()
}
