//! Writes answers from what the tools brought back. Every figure comes from a result; rows are
//! counted, nothing is estimated.

mod ending;
mod facts;
mod headline;
mod history;
mod lead;
mod merge;
mod output;
mod period;
pub(super) mod section;
mod table;
mod trouble;
pub(super) mod units;
mod voice;

use super::{
    Call, generic,
    intent::{Intent, Talk},
    plan,
    view::{Done, View},
};

/// What the model thinks when it calls tools.
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

/// What the model thinks before it answers.
pub(super) fn thought(view: &View<'_>) -> String {
    let failed = view.done.iter().filter(|done| done.is_error).count();
    match (view.done.len(), failed) {
        (0, _) => "Nothing needs to be read for this. I shall simply answer.".to_owned(),
        (_, 0) => "The results are in. I shall report what they say, trouble first, and no more."
            .to_owned(),
        _ => "Not every result came back well. I shall say so plainly.".to_owned(),
    }
}

/// What is said before the first calls: nothing before one that acts, for whether it will is not
/// decided yet.
pub(super) fn announcement(view: &View<'_>, calls: &[Call]) -> Option<&'static str> {
    let changes = calls.iter().any(|call| {
        super::words::parts(&call.name)
            .iter()
            .any(|part| super::action::changes_something(part))
    });
    (!changes).then(|| voice::pick(&view.question, voice::LOOKING))
}

/// The answer.
pub(super) fn answer(view: &View<'_>, intent: &Intent) -> String {
    if view.files.is_empty() {
        return without_files(view, intent);
    }
    let files = format!(
        "What came with your message, sir:\n\n- {}\n\nA rehearsal cannot look into it.",
        view.files.join("\n- ")
    );
    match view.done.is_empty() {
        true => files,
        false => format!("{files}\n\n{}", without_files(view, intent)),
    }
}

fn without_files(view: &View<'_>, intent: &Intent) -> String {
    if view.done.is_empty() {
        return without_results(view, intent);
    }
    if let Some(action) = &intent.action {
        let target = plan::target(view, intent);
        let tool = plan::tool_for(view, action, target.as_ref(), !intent.nodes.is_empty());
        let done = tool.and_then(|tool| view.done.iter().rev().find(|done| done.name == tool.name));
        return match done {
            Some(done) => ending::told(view, done),
            None => cannot(view, intent),
        };
    }
    report(view, intent)
}

fn report(view: &View<'_>, intent: &Intent) -> String {
    let sections: Vec<section::Section> = merge::by_node(relevant(view, intent))
        .iter()
        .map(|done| section::of(done, view, intent))
        .collect();
    if !sections.is_empty() && sections.iter().all(|section| section.missed) {
        return lead::not_found(intent);
    }
    let sections: Vec<section::Section> = sections
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
    match headline::of(view, intent) {
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
        text.push_str(voice::closing(&view.question, troubles.len(), unknown).unwrap_or_default());
    }
    text.trim_end().to_owned()
}

/// The results that the answer is about: those that only served to find names are left out when
/// others came of them.
fn relevant<'v>(view: &'v View<'_>, intent: &Intent) -> Vec<&'v Done> {
    use super::intent::Topic;
    let stepping_stone = |done: &Done| {
        done.name == "get_cluster_status"
            && !intent.wants(Topic::Cluster)
            && !intent.wants(Topic::Overview)
            && !intent.wants(Topic::Nodes)
            && !done.is_error
    };
    let kept: Vec<&Done> = view
        .done
        .iter()
        .filter(|done| !stepping_stone(done))
        .collect();
    if kept.is_empty() {
        view.done.iter().collect()
    } else {
        kept
    }
}

fn cannot(view: &View<'_>, intent: &Intent) -> String {
    let what = intent
        .stranger
        .clone()
        .or_else(|| intent.vmids.first().map(u64::to_string));
    if let Some(failed) = view.done.iter().find(|done| done.is_error) {
        return format!(
            "I could not find out what I need to know for that, sir.\n\n{}",
            section::failure(failed)
        );
    }
    match what {
        Some(what) => format!(
            "I find nothing called {} in what the cluster reports, sir, and I should not like to \
             guess. Which one do you mean?",
            units::code(&what)
        ),
        None => "I am not certain which one you mean, sir. A name or a number would settle it."
            .to_owned(),
    }
}

fn without_results(view: &View<'_>, intent: &Intent) -> String {
    match intent.talk {
        Some(Talk::Greeting) => return format!("{} {}", voice::GREETING, voice::SUGGESTION),
        Some(Talk::Thanks) => return voice::pick(&view.question, voice::THANKS).to_owned(),
        Some(Talk::Identity) => return voice::IDENTITY.to_owned(),
        Some(Talk::Help) => return help(view),
        None => {}
    }
    if view.tools.is_empty() {
        return format!(
            "I have no tools in this conversation, sir, and so can neither look anything up nor \
             change it. {}",
            voice::REHEARSAL
        );
    }
    if let Some(action) = &intent.action {
        let target = plan::target(view, intent);
        let tool = plan::tool_for(view, action, target.as_ref(), !intent.nodes.is_empty());
        return match tool {
            Some(_) => cannot(view, intent),
            None => format!(
                "I have no tool that would do that, sir, and I do not pretend to. {}",
                voice::REHEARSAL
            ),
        };
    }
    if let Some(command) = &intent.command {
        return format!(
            "{} would tell, sir. On which node shall I run it?",
            units::code(command)
        );
    }
    if let Some(Err(missing)) = generic::call(view, intent) {
        return format!(
            "I should gladly look, sir, but need to know the {} first.",
            units::label(&missing.0).to_lowercase()
        );
    }
    format!(
        "That needs a real model, sir. {} {}",
        voice::REHEARSAL,
        voice::SUGGESTION
    )
}

fn help(view: &View<'_>) -> String {
    if view.tools.is_empty() {
        return format!("In this conversation, sir, only talk. {}", voice::REHEARSAL);
    }
    let tools: Vec<String> = view
        .tools
        .iter()
        .map(|tool| {
            let first = tool
                .description
                .split(['.', '\n', ':', ';'])
                .next()
                .unwrap_or_default();
            let first: String = first.chars().take(140).collect();
            format!(
                "- {}: {}",
                units::code(tool.name),
                units::safe(first.trim())
            )
        })
        .collect();
    format!(
        "These are the tools at my disposal, sir:\n\n{}\n\n{} {}",
        tools.join("\n"),
        voice::SUGGESTION,
        voice::REHEARSAL
    )
}
