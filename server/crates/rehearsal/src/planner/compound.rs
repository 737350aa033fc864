//! Several questions in one message: "What is in A, and why is B late?"
//!
//! A message is taken apart only if each part is a question that leads to a tool by itself, and then each
//! is answered as if it had been asked alone. Nothing that acts comes of a part.

mod pieces;

use std::collections::HashMap;

use self::pieces::{Pieces, QuestionPiece, is_question, opening, points_back};
use super::{
    Call, MOST_STEPS, PlannedStep, action,
    area::Area,
    calls,
    compose::{self, several},
    routine, step, told,
    toolbox::Toolbox,
    view::{Tool, View},
    worked,
};
use crate::{
    reply::Block,
    request::{Choice, Request},
};

/// Questions that are answered at once; the others are named.
const MOST: usize = 3;
/// A message of more pieces is a text, and there are too many ways to take it apart.
const MOST_PIECES: usize = 7;

/// The way from words to tools.
enum QuestionLead {
    /// To none.
    Nothing,
    /// They are understood whole: in the form of an example, or by a routine.
    Exact,
    /// These calls, because the words are like what tools say of themselves.
    Alike(Vec<Call>),
}

/// True if words are no more than one question or order.
pub(super) fn is_one(question: &str) -> bool {
    Pieces::of(question).all.len() < 2
}

/// Plans or answers each question as if it stood alone; none if the words are not several.
pub(super) fn answer(request: &Request, areas: &[Area]) -> Option<Vec<Block>> {
    if request.choice != Choice::Auto {
        return None;
    }
    let whole = View::of(request, areas);
    let pieces = Pieces::of(&whole.question);
    if !(2..=MOST_PIECES).contains(&pieces.all.len()) || !whole.files.is_empty() {
        return None;
    }
    // What has been read since must not change where the words are taken apart.
    let fresh = View {
        done: Vec::new(),
        steps: 0,
        ..whole.clone()
    };
    let toolbox = Toolbox::of(&fresh);
    // What is understood whole stays whole.
    if worked::tool(&fresh).is_some() || routine::is_for(&fresh) {
        return None;
    }
    let calls_of_whole = match step(fresh.clone(), &Choice::Auto, true) {
        PlannedStep::Calls(planned) => planned,
        PlannedStep::Say(..) => Vec::new(),
    };
    if let Some(order) = pieces
        .all
        .iter()
        .find(|it| is_order(it.text, &fresh, &toolbox))
    {
        let is_asked = |text: &str| {
            is_question(text) && !matches!(lead(&fresh, &toolbox, text), QuestionLead::Nothing)
        };
        let is_beside =
            calls_of_whole.is_empty() && pieces.all.iter().any(|piece| is_asked(piece.text));
        let text = several::one_at_a_time(order.text);
        return is_beside.then(|| told(compose::thought(&whole), &text, &whole));
    }
    let parts = parts(&fresh, &toolbox, &pieces, &calls_of_whole)?;
    let (asked, left) = parts.split_at(parts.len().min(MOST));
    let mut open: Vec<Call> = Vec::new();
    let mut answers = Vec::new();
    for part in asked {
        match replayed(&whole, &fresh, part, request.parallel) {
            PlannedStep::Calls(planned) => {
                for call in planned {
                    if !open.contains(&call) {
                        open.push(call);
                    }
                }
            }
            PlannedStep::Say(_, text) => answers.push((*part, text)),
        }
    }
    if open.is_empty() {
        let text = several::together(&answers, left);
        return Some(told(compose::thought(&whole), &text, &whole));
    }
    if !request.parallel {
        open.truncate(1);
    }
    // Results that never come must not be asked for without end.
    (whole.steps < MOST_STEPS * MOST).then(|| calls(open))
}

/// The next step of a part that knows the results of its own calls alone.
fn replayed(whole: &View<'_>, fresh: &View<'_>, part: &str, parallel: bool) -> PlannedStep {
    let mut view = alone(fresh, part);
    loop {
        let planned = match step(view.clone(), &Choice::Auto, parallel) {
            PlannedStep::Calls(planned) => planned,
            answered @ PlannedStep::Say(..) => return answered,
        };
        let (mut made, mut open) = (Vec::new(), Vec::new());
        for call in planned {
            match whole.done.iter().find(|done| call.is(done)) {
                Some(done) => made.push(done.clone()),
                None => open.push(call),
            }
        }
        if !open.is_empty() {
            return PlannedStep::Calls(open);
        }
        view.done.extend(made);
        // Ends: after MOST_STEPS a step says what it has.
        view.steps += 1;
    }
}

/// The conversation as if these had been the newest words.
fn alone<'v>(fresh: &View<'v>, words: &str) -> View<'v> {
    View {
        question: words.to_owned(),
        ..fresh.clone()
    }
}

fn lead(fresh: &View<'_>, toolbox: &Toolbox<'_>, words: &str) -> QuestionLead {
    let mut view = alone(fresh, words);
    if let Some(question) = worked::with_kind(&view) {
        view.question = question;
    }
    if let Some(tool) = worked::tool(&view) {
        return if answers(tool, toolbox) {
            QuestionLead::Exact
        } else {
            QuestionLead::Nothing
        };
    }
    if routine::is_for(&view) {
        return QuestionLead::Exact;
    }
    match step(view, &Choice::Auto, true) {
        PlannedStep::Calls(planned) => QuestionLead::Alike(planned),
        PlannedStep::Say(..) => QuestionLead::Nothing,
    }
}

/// True if a tool answers questions: it reads, or its examples ask.
fn answers(tool: &Tool<'_>, toolbox: &Toolbox<'_>) -> bool {
    let reads = toolbox.card(tool.name).is_some_and(|card| card.reads);
    let mut examples = tool.examples.iter();
    reads || examples.any(|example| is_question(&example.question))
}

/// True if a piece orders something: by its verb, or by the word that examples of tools that act open
/// with.
fn is_order(text: &str, fresh: &View<'_>, toolbox: &Toolbox<'_>) -> bool {
    let acting = fresh.all_tools().filter(|tool| !answers(tool, toolbox));
    let mut examples = acting.flat_map(|tool| tool.examples);
    let opening = opening(text);
    !is_question(text)
        && opening.is_some()
        && (action::read(text).is_some()
            || examples.any(|it| self::opening(&it.question) == opening))
}

/// The questions, as many as there can be; none if the words are not several.
fn parts<'p>(
    fresh: &View<'_>,
    toolbox: &Toolbox<'_>,
    pieces: &Pieces<'p>,
    whole: &[Call],
) -> Option<Vec<&'p str>> {
    let mut known: HashMap<&str, QuestionLead> = HashMap::new();
    pieces.ways().into_iter().find_map(|parts| {
        if !parts.iter().all(|part| is_question(part.text)) {
            return None;
        }
        for part in &parts {
            let leads = known.entry(part.text);
            leads.or_insert_with(|| lead(fresh, toolbox, part.text));
        }
        let leads = parts.iter().filter_map(|part| known.get(part.text));
        let led: Vec<(&QuestionPiece<'_>, &QuestionLead)> = parts.iter().zip(leads).collect();
        is_several(&led, whole).then(|| parts.iter().map(|part| part.text).collect())
    })
}

/// True if parts say more than the whole. Where the whole leads to calls, they must be understood better
/// than that: one of them in an exact form, or all of them sentences that ask for more.
fn is_several(parts: &[(&QuestionPiece<'_>, &QuestionLead)], whole: &[Call]) -> bool {
    let leads = |(part, lead): &(&QuestionPiece<'_>, &QuestionLead)| match lead {
        QuestionLead::Nothing => false,
        QuestionLead::Exact => true,
        // What "it" is stands in another part.
        QuestionLead::Alike(_) => !points_back(part.text),
    };
    if !parts.iter().all(leads) {
        return false;
    }
    let is_exact =
        |(_, lead): &(&QuestionPiece<'_>, &QuestionLead)| matches!(lead, QuestionLead::Exact);
    let adds = |(_, lead): &(&QuestionPiece<'_>, &QuestionLead)| match lead {
        QuestionLead::Alike(own) => own.iter().any(|call| !whole.contains(call)),
        QuestionLead::Exact | QuestionLead::Nothing => false,
    };
    let mut later = parts.iter().skip(1);
    whole.is_empty()
        || parts.iter().any(is_exact)
        || parts.iter().any(adds) && later.all(|(part, _)| part.is_sentence)
}
