//! A drawing in the list: one line, and all its details when it is selected.

use kit::{Icon, format::upright, icon, live, live_text, live_view, press};
use leptos::prelude::*;
use markets_wire::Change;
use serde_json::Value;

use super::{
    drawing::{Drawing, who},
    forms::form,
    origin::{Origin, lead, origin},
    page_state::{ChartPageState, Form},
    position::steps,
    texts,
    time::{self, ChartClock},
};
use crate::dock::ask;

/// The most changes shown at first.
const CHANGES: usize = 5;

pub(super) fn entry(shared: ChartPageState, id: String) -> AnyView {
    let Some(drawing) = untrack(|| shared.drawings().get(&id)) else {
        return ().into_any();
    };
    let is_selected = {
        let id = id.clone();
        Memo::new(move |_| shared.selected.read().as_deref() == Some(&*id))
    };
    let toggle = {
        let id = id.clone();
        move || {
            let selected = is_selected.get_untracked();
            shared.select((!selected).then_some(&*id));
        }
    };
    let swatch = {
        let drawing = drawing.clone();
        live(move || {
            format!(
                "drawing__swatch drawing__swatch--{}",
                drawing.read().colour().name()
            )
        })
    };
    let title = {
        let drawing = drawing.clone();
        live_text(move || drawing.read().title())
    };
    let facts = {
        let drawing = drawing.clone();
        live_view(move || facts(shared, &drawing.read()))
    };
    let buttons = {
        let drawing = drawing.clone();
        live_view(move || buttons(shared, &drawing.read()))
    };
    let hidden = {
        let drawing = drawing.clone();
        live(move || drawing.read().is_hidden())
    };
    let details = live_view(move || {
        if is_selected.get() {
            details(shared, drawing.clone())
        } else {
            ().into_any()
        }
    });
    view! {
        <li
            class="drawing"
            id=format!("drawing-{id}")
            class:drawing--selected=live(move || is_selected.get())
            class:drawing--hidden=hidden
        >
            <div class="drawing__line">
                <button
                    type="button"
                    class="drawing__name"
                    aria-expanded=live(move || is_selected.get().to_string())
                    on:click=press(toggle)
                >
                    <span class=swatch aria-hidden="true"></span>
                    {title}
                </button>
                {facts}
                {buttons}
            </div>
            {details}
        </li>
    }
    .into_any()
}

/// Draws the facts that are visible without opening it.
fn facts(shared: ChartPageState, drawing: &Drawing) -> AnyView {
    let frame = shared.at.read().timeframe;
    let by = if drawing.is_models() {
        "drawing__by drawing__by--model"
    } else {
        "drawing__by"
    };
    let mut marks = vec![texts::drawings::importance(drawing.importance().name())];
    if !drawing.state().is_empty() {
        marks.push(drawing.state().to_owned());
    }
    marks.extend(shared.result(drawing));
    for (is, word) in [
        (drawing.is_locked(), texts::drawings::LOCKED),
        (drawing.is_hidden(), texts::drawings::HIDDEN),
        (drawing.is_private(), texts::drawings::ONLY_FOR_ME),
    ] {
        if is {
            marks.push(word.to_owned());
        }
    }
    if !drawing.is_visible_on(frame) {
        marks.push(texts::drawings::not_on(frame.name()));
    }
    view! {
        <span class="drawing__prices">{drawing.price_line()}</span>
        <span class=by>{drawing.who().to_owned()}</span>
        <span class="drawing__marks">{marks.join(" · ")}</span>
    }
    .into_any()
}

fn buttons(shared: ChartPageState, drawing: &Drawing) -> AnyView {
    let button = |picture: Icon, name: &'static str, act: Box<dyn Fn(&str)>| {
        let (id, title) = (drawing.id().to_owned(), drawing.title());
        let go = move || {
            if untrack(|| shared.channel.bars()).is_none() {
                act(&id);
            }
        };
        view! {
            <button
                type="button"
                class="icon-button icon-button--small"
                title=name
                aria-disabled=live(move || shared.channel.bars().map(|_| "true"))
                on:click=press(go)
            >
                {icon(picture)}
                <span class="visually-hidden">{name} " " {title}</span>
            </button>
        }
        .into_any()
    };
    let undo = {
        let (id, of) = (drawing.id().to_owned(), drawing.id().to_owned());
        let go = move || {
            shared.undo_change(Some(&id));
        };
        view! {
            <button
                type="button"
                class="icon-button icon-button--small"
                title=texts::drawings::UNDO_MY_LAST
                hidden=live(move || !shared.can_undo(Some(&of)))
                aria-disabled=live(move || shared.channel.bars().map(|_| "true"))
                on:click=press(go)
            >
                {icon(Icon::UNDO)}
                <span class="visually-hidden">
                    {texts::drawings::UNDO_LAST} " " {drawing.title()}
                </span>
            </button>
        }
    };
    let (hidden, locked) = (drawing.is_hidden(), drawing.is_locked());
    let sight = if hidden {
        (Icon::BLOCKED, texts::drawings::SHOW)
    } else {
        (Icon::EYE, texts::drawings::HIDE)
    };
    let lock = if locked {
        (Icon::LOCK, texts::drawings::UNLOCK)
    } else {
        (Icon::UNLOCK, texts::drawings::LOCK)
    };
    view! {
        <span class="drawing__do">
            {undo}
            {button(sight.0, sight.1, Box::new(move |id: &str| shared.hide(id, !hidden)))}
            {button(lock.0, lock.1, Box::new(move |id: &str| shared.lock(id, !locked)))}
            {button(
                Icon::EDIT,
                texts::drawings::EDIT,
                Box::new(move |id: &str| shared.open_form(id, Form::Edit)),
            )}
            {button(
                Icon::TRASH,
                texts::drawings::DELETE,
                Box::new(move |id: &str| shared.open_form(id, Form::Delete)),
            )}
        </span>
    }
    .into_any()
}

/// Draws all its details.
fn details(shared: ChartPageState, drawing: ArcRwSignal<Drawing>) -> AnyView {
    // Not drawn again with each bar: a button may have the focus.
    let replays = Memo::new(move |_| shared.replay.is_on());
    let told = {
        let drawing = drawing.clone();
        live_view(move || told(shared, &drawing.read(), replays))
    };
    // Not redrawn with each update of the board: somebody may be typing in it.
    let form = live_view(move || match shared.form.get() {
        Some(kind) => form(shared, &drawing.get_untracked(), kind),
        None => ().into_any(),
    });
    view! { <div class="drawing__details">{told} {form}</div> }.into_any()
}

fn told(shared: ChartPageState, drawing: &Drawing, replays: Memo<bool>) -> AnyView {
    let fact = |name: &'static str, text: String| {
        (!text.is_empty()).then(|| {
            view! {
                <div>
                    <dt>{name}</dt>
                    <dd>{text}</dd>
                </div>
            }
            .into_any()
        })
    };
    let lead = lead(shared, drawing.origin().filter(|_| drawing.is_models()));
    let clock = shared.clock();
    let marker = drawing.is_marker().then(|| drawing.words());
    let replays = replays.get();
    // It is of all candles, also of those that a replay has not reached.
    let check = drawing.check(clock).filter(|_| !replays);
    view! {
        <dl class="drawing__facts">
            {fact(texts::drawings::REASON, drawing.reason())}
            {marker.and_then(|words| fact(texts::drawings::TEXT, words))}
            {fact(texts::drawings::NOTE, drawing.note())}
            {fact(texts::drawings::TAGS, drawing.tags())}
            {fact(texts::drawings::TIMES, drawing.time_line(clock))}
            {fact(texts::drawings::MEASURED, check.unwrap_or_default())}
            {fact(
                texts::drawings::DRAWN,
                texts::drawings::drawn_by(&time::shown(drawing.created(), clock), drawing.who()),
            )}
        </dl>
        {changes(shared, drawing, replays)}
        <div class="drawing__ways">
            {steps(shared, drawing)} {lead} {ask(drawing.reference())}
        </div>
    }
    .into_any()
}

/// Draws its history. The changes have the server's time: in a replay nobody can tell which were made by then.
fn changes(shared: ChartPageState, drawing: &Drawing, replays: bool) -> AnyView {
    let changes = drawing.record().map_or(&[][..], |record| &record.changes);
    if changes.is_empty() {
        return ().into_any();
    }
    if replays {
        let hidden = texts::replay::hidden(changes.len(), "change");
        return view! { <p class="drawing__past">{hidden}</p> }.into_any();
    }
    let clock = shared.clock();
    let mut lines: Vec<AnyView> = Vec::new();
    for change in changes.iter().rev() {
        let lead = lead(shared, origin_of(change));
        lines.push(view! { <li>{in_words(change, clock)} " " {lead}</li> }.into_any());
    }
    let older = lines.split_off(CHANGES.min(lines.len()));
    let older = (!older.is_empty()).then(|| {
        view! {
            <details class="drawing__older">
                <summary>{texts::drawings::older_changes(older.len())}</summary>
                <ul class="drawing__changes">{older}</ul>
            </details>
        }
    });
    let dropped = drawing.record().map_or(0, |record| record.dropped);
    let dropped = (dropped > 0).then(|| {
        view! { <p class="drawing__past">{texts::drawings::dropped_changes(dropped)}</p> }
    });
    view! {
        <h3 class="drawing__past">{texts::drawings::CHANGES}</h3>
        <ul class="drawing__changes">{lines}</ul>
        {older}
        {dropped}
    }
    .into_any()
}

/// Returns the row in which a change was called for. None for what was done by hand.
pub(super) fn origin_of(change: &Change) -> Option<Origin> {
    origin(
        change.conversation.as_deref(),
        change.message.as_deref(),
        change.call.as_deref(),
    )
}

/// Says when, by whom and why a change was made, and each field before and after. The server has them in words,
/// but for moments.
pub(super) fn in_words(change: &Change, clock: ChartClock) -> String {
    let shown = |value: &Value| match value {
        Value::Null => texts::drawings::NOTHING.to_owned(),
        Value::String(text) => time::shown(text, clock),
        other => other.to_string(),
    };
    let fields: Vec<_> = change
        .changes
        .iter()
        .map(|it| texts::drawings::from_to(&it.field, &shown(&it.from), &shown(&it.to)))
        .collect();
    let fields = if fields.is_empty() {
        String::new()
    } else {
        format!(" ({})", fields.join(", "))
    };
    let at = time::shown(&change.time, clock);
    let who = who(change.actor, change.person.as_deref());
    upright(format!("{at}, {who}: {}{fields}", change.reason))
}
