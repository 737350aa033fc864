//! The live log of a run: the end of its output, read again as it grows, and the lines before it.

use std::time::Duration;

use field_wire::FieldText;
use kit::{ErrorCard, effect, live, live_view, press};
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
        live_view(move || tail(&thing, &out.answer.read()))
    };
    let error_lines = live_view(move || match &*errors.answer.read() {
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
        {windows(out)}
        {error_lines}
        {windows(errors)}
    };
    pane("field-log", say::LOG, "", content.into_any())
}

/// Draws the ways to earlier lines and back. They are not drawn again with the lines, so that they keep the focus.
fn windows(stream: FollowedStream) -> AnyView {
    let start = move || match &*stream.answer.read() {
        Some(Ok(text)) => text.start,
        _ => 0,
    };
    let earlier = press(move || stream.before.set(untrack(start)));
    let newest = press(move || stream.before.set(0));
    view! {
        <button
            type="button"
            class="button button--small"
            hidden=live(move || start() == 0)
            on:click=earlier
        >
            {say::EARLIER}
        </button>
        <button
            type="button"
            class="button button--small"
            hidden=live(move || stream.before.get() == 0)
            on:click=newest
        >
            {say::NEWEST_LINES}
        </button>
    }
    .into_any()
}

fn tail(thing: &ShownFieldThing, answer: &Option<Result<FieldText, ErrorBody>>) -> AnyView {
    match answer {
        None => none(texts::LOADING),
        Some(Ok(text)) if text.bytes == 0 => none(say::EMPTY),
        Some(Ok(text)) => thing.look.text(text.pieces.clone()),
        Some(Err(error)) => {
            let error = error.clone();
            view! { <ErrorCard error /> }.into_any()
        }
    }
}

/// Output or errors, as they are read.
#[derive(Clone, Copy)]
struct FollowedStream {
    answer: RwSignal<Option<Result<FieldText, ErrorBody>>>,
    /// The offset before which lines are shown; 0 for the last lines.
    before: RwSignal<u64>,
}

/// Reads a stream once the page is alive, and again when the run has changed or other lines are asked for.
fn follow(thing: &ShownFieldThing, part: &'static str) -> FollowedStream {
    let answer = RwSignal::new(None);
    let before = RwSignal::new(0_u64);
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
        before.track();
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
                    let part = match before.get_untracked() {
                        0 => part.to_owned(),
                        before => format!("{part}/before/{before}"),
                    };
                    read_part(&id, part, answer);
                }
            },
            PAUSE,
        );
    });
    FollowedStream { answer, before }
}
