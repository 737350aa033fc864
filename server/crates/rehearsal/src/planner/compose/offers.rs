//! Offers where nothing fits: questions that the tools answer, with the page where people
//! do the same by hand.

use super::units;
use crate::{
    planner::{
        area::Area,
        plan::{self, PlanContext},
        toolbox, words, worked,
    },
    texts::offers as texts,
};

/// Questions that an answer offers.
const MOST: usize = 3;
/// The weight of an area whose words the question has, and of one that the conversation is about.
const OF_AREA: f64 = 0.3;

/// An example question, and the page of its area.
struct Offer<'a> {
    question: &'a str,
    page: Option<&'a (String, String)>,
    score: f64,
    /// The number of questions of the same area before it.
    turn: usize,
}

/// The examples that are nearest to the words, no two of one tool. Of tools that this conversation
/// lacks too: their page says where they can be asked.
fn nearest<'a>(context: PlanContext<'a>) -> Vec<Offer<'a>> {
    let mut offers: Vec<Offer<'a>> = Vec::new();
    for area in context.view.areas {
        let of_area = OF_AREA * (share_of(context, area) + spoken_of(context, area));
        let mut turn = 0;
        for (name, examples) in &area.tools {
            let here = context.view.tool(name).is_some();
            // Nothing is offered that acts.
            let acts = match context.toolbox.card(name) {
                Some(card) => !card.reads,
                None => !toolbox::reads_by_name(name),
            };
            // A number in an example is of no thing that is here.
            let has_number = |question: &String| {
                let mut words = question.split_whitespace();
                words.any(|word| worked::is_number_of_thing(word.trim_end_matches(['.', '?', ':'])))
            };
            let questions = examples.iter().map(|example| &example.question);
            let questions = questions.filter(|question| !has_number(question));
            let best = questions.map(|question| {
                let said = words::words(question);
                let shared = said.iter().filter(|word| {
                    let meaning = words::meaning(word);
                    !words::is_filler(word)
                        && (context
                            .ask
                            .content
                            .iter()
                            .any(|own| words::close(own, &meaning))
                            || context.ask.said.contains(word))
                });
                let share = shared.count() as f64 / said.len().max(1) as f64;
                let told = context.toolbox.card(name).map_or(0.0, |card| {
                    let told = context.ask.content.iter().map(|word| card.mentions(word));
                    0.2 * told.fold(0.0, f64::max)
                });
                let of_here = if here { 0.05 } else { 0.0 };
                let own = share + told;
                (question, own + of_area + of_here, own)
            });
            // The first of the best.
            let best = best.reduce(|best, one| if one.1 > best.1 { one } else { best });
            if let Some((question, score, _)) =
                best.filter(|(_, _, own)| !acts && (here || *own > 0.1))
            {
                offers.push(Offer {
                    question,
                    page: area.page.as_ref(),
                    score,
                    turn,
                });
                turn += 1;
            }
        }
    }
    // Where nothing speaks for an area, they take turns.
    offers.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.turn.cmp(&b.turn)));
    offers.truncate(MOST);
    offers
}

/// The share of the telling words of a question that the examples of an area have.
fn share_of(context: PlanContext<'_>, area: &Area) -> f64 {
    let telling = context
        .ask
        .said
        .iter()
        .filter(|word| !words::is_filler(word));
    let telling: Vec<String> = telling.map(|word| words::meaning(word)).collect();
    let examples = area.tools.iter().flat_map(|(_, examples)| examples);
    let own: Vec<String> = examples
        .flat_map(|example| words::words(&example.question))
        .map(|word| words::meaning(&word))
        .collect();
    let has = |word: &&String| own.iter().any(|own| words::close(own, word));
    telling.iter().filter(has).count() as f64 / telling.len().max(1) as f64
}

/// 1 for the area whose tools were called last in this conversation.
fn spoken_of(context: PlanContext<'_>, area: &Area) -> f64 {
    let called = context
        .view
        .earlier
        .iter()
        .chain(&context.view.done)
        .next_back();
    let is_its = |name: &String| area.tools.iter().any(|(own, _)| own == name);
    match called.map(|done| &done.name).filter(|name| is_its(name)) {
        Some(_) => 1.0,
        None => 0.0,
    }
}

/// The words are for tools that people choose when a conversation begins.
pub(super) fn of_pack(pack: &str) -> String {
    texts::needs_pack(&units::safe(pack))
}

/// The offers as a list.
fn list(context: PlanContext<'_>) -> String {
    let lines: Vec<String> = nearest(context)
        .iter()
        .map(|offer| match offer.page {
            Some((title, path)) => {
                texts::question_with_page(&units::safe(offer.question), title, path)
            }
            None => format!("- {}", units::safe(offer.question)),
        })
        .collect();
    lines.join("\n")
}

/// The offers as a sentence.
pub(super) fn sentence(context: PlanContext<'_>) -> String {
    let offers = nearest(context);
    let questions: Vec<String> = offers
        .iter()
        .map(|offer| format!("“{}”", units::safe(offer.question)))
        .collect();
    match questions.split_last() {
        None => String::new(),
        Some((last, before)) => texts::you_might_ask(before, last),
    }
}

fn with_list(lead: &str, context: PlanContext<'_>) -> String {
    let list = list(context);
    if list.is_empty() {
        texts::without_list(lead)
    } else {
        texts::with_list(lead, &list)
    }
}

/// Nothing answers the words; why, as far as that can be told.
pub(super) fn nothing_fits(context: PlanContext<'_>) -> String {
    if let Some(topic) = plan::unknown_topic(context) {
        return with_list(&texts::no_tool_covers(&units::safe(topic)), context);
    }
    let lead = if context.ask.quotes {
        texts::QUOTED_TEXT
    } else if plan::is_of_forms(context) {
        texts::IN_WORDS_OF_EXAMPLES
    } else if plan::explains(context.ask) {
        texts::EXPLAINING
    } else {
        texts::NEEDS_REAL_MODEL
    };
    with_list(lead, context)
}

/// The words are about a thing of tools that are asked in the words of their examples.
pub(super) fn in_forms(context: PlanContext<'_>) -> String {
    with_list(texts::IN_WORDS_OF_EXAMPLES, context)
}

pub(super) fn no_tool(context: PlanContext<'_>) -> String {
    with_list(texts::NO_SUCH_TOOL, context)
}

/// The words are in another language.
pub(super) fn foreign(context: PlanContext<'_>) -> String {
    with_list(texts::ENGLISH_ONLY, context)
}
