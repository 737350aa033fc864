//! The trail of the drawings and the alerts: the changes that the server's filter lets through, the newest
//! first and older ones on demand, and their export.

use kit::{effect, live, live_view, on, press};
use leptos::{ev, prelude::*};
use markets_wire::{ALERT_KIND, Actor, SHAPE_KINDS, TrailEntry, TrailPage};
use protocol::{ErrorBody, FromJson};

use super::{
    entry::{in_words, origin_of},
    list_filter::filter,
    origin::lead,
    page_state::ChartPageState,
    place::BOARD,
    texts::{self, trail as words},
};
use crate::api;

/// The authors to choose from, as the filter calls them, with their names.
const AUTHORS: [(Actor, &str); 3] = [
    (Actor::User, words::PEOPLE),
    (Actor::Model, words::ASSISTANT),
    (Actor::Price, words::MARKET),
];

/// The changes that are listed.
struct ListedTrail {
    /// The filter that they passed.
    query: String,
    page: Result<TrailPage, ErrorBody>,
}

impl ListedTrail {
    /// Returns the query of the older ones; none if there are none.
    fn query_of_next(&self) -> Option<String> {
        let next = self.page.as_ref().ok()?.next.as_ref()?;
        Some(format!("{}&before={next}", self.query))
    }
}

/// Draws it, with what its filter lets through; nothing is asked for while it is folded.
pub(super) fn trail(shared: ChartPageState, is_open: RwSignal<bool>) -> AnyView {
    let is_whole = RwSignal::new(false);
    let (by, kind) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let (from, until) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    // The same words filter the list and the export. None of them needs an escape.
    let query = Memo::new(move |_| {
        let symbol = if is_whole.get() {
            ""
        } else {
            shared.at.read().symbol.name()
        };
        let (by, kind, from, until) = (by.get(), kind.get(), from.get(), until.get());
        format!("symbol={symbol}&by={by}&kind={kind}&from={from}&until={until}")
    });
    let told: RwSignal<Option<ListedTrail>> = RwSignal::new(None);
    let replays = Memo::new(move |_| shared.replay.is_on());
    let question = StoredValue::new(0_u32);
    effect(move || {
        if !is_open.get() {
            return;
        }
        // A drawing or an alert that changes is a change more.
        shared.drawings().visit(|_, _| {});
        shared.alerts().visit(|_, _| {});
        let query = query.get();
        let asked = question.try_update_value(|question| {
            *question += 1;
            *question
        });
        leptos::task::spawn_local(async move {
            let answer = read(query.clone()).await;
            if question.try_get_value() == asked {
                told.update(|told| *told = Some(renewed(told.take(), query, answer)));
            }
        });
    });
    let authors = AUTHORS.map(|(actor, name)| choice(actor.name(), name.to_owned()));
    let mut kinds: Vec<_> = SHAPE_KINDS
        .map(|word| choice(word, words::kind(word)))
        .into();
    kinds.push(choice(ALERT_KIND, words::kind(ALERT_KIND)));
    let export = move || format!("/api/v1/markets/trail?{}", query.read());
    view! {
        <div
            class="alerts__form"
            role="group"
            aria-label=words::FILTER
            hidden=live(move || replays.get())
        >
            {select(words::BY, words::ANYBODY, Vec::from(authors), by)}
            {select(words::KIND, words::ANY_KIND, kinds, kind)}
            {day(words::FROM, from)}
            {day(words::UNTIL, until)}
            {filter(texts::talks::OF_ALL_SYMBOLS, is_whole)}
            <a class="panel__filter" rel="external" download href=live(export)>
                {words::EXPORT}
            </a>
        </div>
        {live_view(move || {
            if replays.get() { later() } else { list(shared, told) }
        })}
        <button
            type="button"
            class="button button--small"
            hidden=live(move || {
                replays.get()
                    || told
                        .with(|told| {
                            told.as_ref().and_then(ListedTrail::query_of_next).is_none()
                        })
            })
            on:click=press(move || older(shared, told))
        >
            {words::OLDER}
        </button>
    }
    .into_any()
}

async fn read(query: String) -> Result<TrailPage, ErrorBody> {
    let (kind, name) = ("trail".to_owned(), "all".to_owned());
    let answer = api::page(BOARD.to_owned(), kind, name, query).await;
    let answer = answer.map_err(|error| error.0)?;
    TrailPage::from_json(answer.value).ok_or_else(api::incompatible)
}

/// Returns the newest changes, with the older ones of the same filter that are listed already: they stay
/// unless there are changes in between.
fn renewed(
    before: Option<ListedTrail>,
    query: String,
    mut page: Result<TrailPage, ErrorBody>,
) -> ListedTrail {
    if let Ok(newest) = &mut page
        && let Some(before) = before.filter(|it| it.query == query)
        && let Ok(known) = before.page
    {
        join(newest, known);
    }
    ListedTrail { query, page }
}

fn join(newest: &mut TrailPage, mut known: TrailPage) {
    let last = newest.entries.last();
    let met = known.entries.iter().position(|it| Some(it) == last);
    if let Some(met) = met {
        newest.entries.extend(known.entries.drain(met + 1..));
        newest.next = known.next;
    }
}

/// Lists a page of older changes below those that are there.
fn older(shared: ChartPageState, told: RwSignal<Option<ListedTrail>>) {
    let query = told.with_untracked(|told| told.as_ref()?.query_of_next());
    let Some(query) = query else {
        return;
    };
    leptos::task::spawn_local(async move {
        let answer = read(query.clone()).await;
        told.try_update(|told| {
            // Another filter, or another press, may have been faster.
            let is_asked = |it: &&mut ListedTrail| it.query_of_next().as_ref() == Some(&query);
            let listed = told.as_mut().filter(is_asked);
            match (answer, listed.map(|it| &mut it.page)) {
                (Ok(older), Some(Ok(page))) => {
                    page.entries.extend(older.entries);
                    page.next = older.next;
                }
                (Err(error), Some(_)) => shared.channel.toasts.error(error),
                _ => {}
            }
        });
    });
}

fn choice(word: &'static str, name: String) -> AnyView {
    view! { <option value=word>{name}</option> }.into_any()
}

/// Draws a choice of one word; the first is none.
fn select(
    label: &'static str,
    none: &'static str,
    choices: Vec<AnyView>,
    chosen: RwSignal<String>,
) -> AnyView {
    view! {
        <label>
            {label}
            <select
                class="field"
                on:change=on(move |event: ev::Event| chosen.set(event_target_value(&event)))
            >
                <option value="">{none}</option>
                {choices}
            </select>
        </label>
    }
    .into_any()
}

/// Draws the field of a day in UTC.
fn day(label: &'static str, chosen: RwSignal<String>) -> AnyView {
    view! {
        <label>
            {label}
            <input
                class="field"
                type="date"
                on:change=on(move |event: ev::Event| chosen.set(event_target_value(&event)))
            />
        </label>
    }
    .into_any()
}

/// Stands in for the list in a replay: the changes have the server's time, so that nobody can tell which were
/// made by its bar.
fn later() -> AnyView {
    view! {
        <p class="drawing__past" role="status">
            {texts::replay::TRAIL_IS_HIDDEN}
        </p>
    }
    .into_any()
}

fn list(shared: ChartPageState, told: RwSignal<Option<ListedTrail>>) -> AnyView {
    let told = told.read();
    let (lines, note) = match told.as_ref().map(|told| &told.page) {
        None => (Vec::new(), String::new()),
        Some(Err(error)) => (Vec::new(), error.message.clone()),
        Some(Ok(page)) => {
            let lines = page.entries.iter().map(|entry| line(shared, entry));
            let note = if page.entries.is_empty() {
                words::NONE
            } else {
                ""
            };
            (lines.collect(), note.to_owned())
        }
    };
    view! {
        <ul class="panel__turns" aria-label=words::ALL_CHANGES>
            {lines}
        </ul>
        <p class="drawing__past" role="status">
            {note}
        </p>
    }
    .into_any()
}

fn line(shared: ChartPageState, entry: &TrailEntry) -> AnyView {
    let subject = words::subject(&entry.symbol, &entry.kind, entry.is_drawn);
    let change = in_words(&entry.change, shared.clock());
    let lead = lead(shared, origin_of(&entry.change));
    view! {
        <li class="panel__turn">
            <p>
                <span class="panel__names">{subject}</span>
                " "
                {change}
            </p>
            {lead}
        </li>
    }
    .into_any()
}
