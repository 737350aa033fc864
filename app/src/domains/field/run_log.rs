//! The live log of a run: the end of its output, read again as it grows.

use std::time::Duration;

use field_wire::FieldText;
use kit::{ErrorCard, effect, live_view};
use leptos::prelude::*;
use protocol::ErrorBody;

use super::{
    figures::{none, pane},
    part_answer::read_part,
    shown_thing::ShownFieldThing,
    texts,
    texts::pages as say,
};

/// Least time between two reads.
const PAUSE: Duration = Duration::from_millis(300);

/// Draws the output and, if there are any, the errors.
pub(super) fn logs(thing: &ShownFieldThing) -> AnyView {
    let out = follow(thing, "log/out");
    let errors = follow(thing, "log/err");
    let thing = thing.clone();
    let output = {
        let thing = thing.clone();
        live_view(move || tail(&thing, &out.read()))
    };
    let errors = live_view(move || match &*errors.read() {
        Some(Ok(text)) if text.bytes == 0 => ().into_any(),
        None => ().into_any(),
        some => {
            let tail = tail(&thing, some);
            view! {
                <h3 class="field-pane__group">{say::ERRORS}</h3>
                {tail}
            }
            .into_any()
        }
    });
    let content = view! {
        {output}
        {errors}
    };
    pane("field-log", say::LOG, "", content.into_any())
}

fn tail(thing: &ShownFieldThing, answer: &Option<Result<FieldText, ErrorBody>>) -> AnyView {
    match answer {
        None => none(texts::LOADING),
        Some(Ok(text)) if text.bytes == 0 => none(say::EMPTY),
        Some(Ok(text)) => {
            let cut = text.is_cut.then(|| none(say::CUT));
            view! {
                {cut}
                {thing.look.text(text.pieces.clone())}
            }
            .into_any()
        }
        Some(Err(error)) => {
            let error = error.clone();
            view! { <ErrorCard error /> }.into_any()
        }
    }
}

/// Reads a stream once the page is alive, and again when the run has changed.
fn follow(
    thing: &ShownFieldThing,
    part: &'static str,
) -> RwSignal<Option<Result<FieldText, ErrorBody>>> {
    let answer = RwSignal::new(None);
    let (board, id) = (thing.board.clone(), thing.id.clone());
    let grown = {
        let id = id.clone();
        Memo::new(move |_| {
            let run = board.runs.get(&id);
            run.map(|run| (run.read().output, run.read().phase.clone()))
        })
    };
    let waits = StoredValue::new(false);
    let mut is_first = true;
    effect(move || {
        // Read, not only tracked: a memo that nobody reads follows nothing.
        grown.with(|_| ());
        if std::mem::take(&mut is_first) {
            read_part(&id, part.to_owned(), answer);
            return;
        }
        if waits.get_value() {
            return;
        }
        waits.set_value(true);
        let id = id.clone();
        set_timeout(
            move || {
                // None if the page is gone.
                if waits.try_set_value(false).is_none() {
                    read_part(&id, part.to_owned(), answer);
                }
            },
            PAUSE,
        );
    });
    answer
}
