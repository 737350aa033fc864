//! Offers where nothing fits: questions that the tools answer, with the page where people
//! do the same by hand.

use super::{units, voice};
use crate::planner::{
    plan::{self, Desk},
    toolbox, words,
};

/// Questions that an answer offers.
const MOST: usize = 3;

/// An example question, and the page of its area.
struct Offer<'a> {
    question: &'a str,
    page: Option<&'a (String, String)>,
    score: f64,
}

/// The examples that are nearest to the words, no two of one tool. Of tools that this conversation
/// lacks too: their page says where they can be asked.
fn nearest<'a>(desk: Desk<'a>) -> Vec<Offer<'a>> {
    let mut offers: Vec<Offer<'a>> = Vec::new();
    for area in desk.view.areas {
        for (name, examples) in &area.tools {
            let here = desk.view.tool(name).is_some();
            // Nothing is offered that acts.
            let acts = match desk.toolbox.card(name) {
                Some(card) => !card.reads,
                None => !toolbox::reads_by_name(name),
            };
            let questions = examples.iter().map(|example| &example.question);
            let best = questions.map(|question| {
                let said = words::words(question);
                let shared = said.iter().filter(|word| {
                    let meaning = words::meaning(word);
                    !words::is_filler(word)
                        && (desk
                            .ask
                            .content
                            .iter()
                            .any(|own| words::close(own, &meaning))
                            || desk.ask.said.contains(word))
                });
                let share = shared.count() as f64 / said.len().max(1) as f64;
                let told = desk.toolbox.card(name).map_or(0.0, |card| {
                    let told = desk.ask.content.iter().map(|word| card.mentions(word));
                    0.2 * told.fold(0.0, f64::max)
                });
                (question, share + told + if here { 0.05 } else { 0.0 })
            });
            // The first of the best.
            let best = best.fold(None, |best: Option<(&String, f64)>, one| match best {
                Some(best) if best.1 >= one.1 => Some(best),
                _ => Some(one),
            });
            if let Some((question, score)) =
                best.filter(|(_, score)| !acts && (here || *score > 0.1))
            {
                offers.push(Offer {
                    question,
                    page: area.page.as_ref(),
                    score,
                });
            }
        }
    }
    offers.sort_by(|a, b| b.score.total_cmp(&a.score));
    offers.truncate(MOST);
    offers
}

/// The offers as a list.
fn list(desk: Desk<'_>) -> String {
    let lines: Vec<String> = nearest(desk)
        .iter()
        .map(|offer| match offer.page {
            Some((title, path)) => format!("- {} ([{title}]({path}))", units::safe(offer.question)),
            None => format!("- {}", units::safe(offer.question)),
        })
        .collect();
    lines.join("\n")
}

/// The offers as a sentence.
pub(super) fn sentence(desk: Desk<'_>) -> String {
    let offers = nearest(desk);
    let questions: Vec<String> = offers
        .iter()
        .map(|offer| format!("“{}”", units::safe(offer.question)))
        .collect();
    match questions.split_last() {
        None => String::new(),
        Some((last, [])) => format!("You might ask me {last}."),
        Some((last, rest)) => format!("You might ask me {} or {last}.", rest.join(", ")),
    }
}

fn with_list(lead: &str, desk: Desk<'_>) -> String {
    let list = list(desk);
    if list.is_empty() {
        format!("{lead} {}", voice::REHEARSAL)
    } else {
        format!("{lead} These I can answer:\n\n{list}")
    }
}

/// Nothing answers the words; why, as far as that can be told.
pub(super) fn nothing_fits(desk: Desk<'_>) -> String {
    if let Some(topic) = plan::unknown_topic(desk) {
        return with_list(
            &format!("No tool here tells of {}, sir.", units::safe(topic)),
            desk,
        );
    }
    let lead = if desk.ask.quotes {
        "What you quote is text to me and no order, sir, and I have done nothing of it; to explain it needs a \
         real model."
    } else if plan::explains(desk.ask) {
        "Explaining needs a real model, sir; an API key connects one."
    } else {
        "That needs a real model, sir; an API key connects one."
    };
    with_list(lead, desk)
}

pub(super) fn no_tool(desk: Desk<'_>) -> String {
    with_list(
        "I have no tool that would do that, sir, and I do not pretend to.",
        desk,
    )
}

/// The words are in another language.
pub(super) fn foreign(desk: Desk<'_>) -> String {
    with_list(
        "I read English only, sir, and your message is in another language.",
        desk,
    )
}
