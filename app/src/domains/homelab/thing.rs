//! The page of one thing: its part of the board, live; its history as charts; and everything else
//! about it.

mod chart;
mod charts;
mod guest;
mod guests_of;
mod log;
mod node;
mod sections;

use kit::{ErrorCard, format::upright, live_view};
use leptos::prelude::*;
use leptos_meta::Title;
use protocol::{BoardPage, ErrorBody, FromJson, PageAnswer, Reference};

use self::{
    charts::charts, guest::guest_card, guests_of::guests_of, log::task_log, node::card,
    sections::sections,
};
use super::{
    act::{ActHome, Subject, act_button, act_panel},
    board::{HudBoard, live_board},
    pieces::{self, hidden_heading},
    storages, texts,
};
use crate::{api, dock::ask, domains::homelab::ClusterObject};

/// The data of a page: the board, the text part (the log of a task), the charts.
pub(crate) struct Loaded {
    pub(crate) thing: ClusterObject,
    pub(crate) board: BoardPage,
    pub(crate) about: Result<PageAnswer, ErrorBody>,
    /// None for a task.
    pub(crate) charts: Option<Result<PageAnswer, ErrorBody>>,
}

/// Draws the page.
pub(super) fn thing_view(loaded: Loaded) -> AnyView {
    let Loaded {
        thing,
        board,
        about,
        charts: drawn,
    } = loaded;
    let board = live_board(board);
    // Before the buttons that open it.
    let panel = act_panel(&board, ActHome::Thing);
    let simulated = board
        .system()
        .simulated
        .then(|| pieces::simulated(texts::SIMULATED));
    let title = title(&thing);
    let content = match &thing {
        _ if about.is_err() && !is_known(&board, &thing) => missing(about),
        ClusterObject::Task(upid) => match about.and_then(read) {
            Ok(page) => task_log(&board, upid, page),
            Err(error) => view! { <ErrorCard error /> }.into_any(),
        },
        _ => {
            let said = match about.and_then(read) {
                Ok(page) => sections(page),
                Err(error) => view! { <ErrorCard error /> }.into_any(),
            };
            let drawn = drawn.map(|drawn| charts(&thing, drawn.and_then(read)));
            let head = head(&board, &thing);
            let guests = match &thing {
                ClusterObject::Node(name) => Some(guests_of(&board, name)),
                ClusterObject::Guest(_) | ClusterObject::Storage(_) | ClusterObject::Task(_) => {
                    None
                }
            };
            view! {
                <section class="hud__section thing__head" aria-labelledby="thing-now">
                    {hidden_heading("thing-now", texts::things::NOW)}
                    {head}
                </section>
                {guests}
                {drawn}
                {said}
            }
            .into_any()
        }
    };
    view! {
        {panel}
        <div class="hud thing" data-scroller="" tabindex="-1">
            <header class="hud__head">
                <nav class="thing__way" aria-label=texts::things::BREADCRUMB>
                    <a href="/hud">{texts::HUD}</a>
                </nav>
                <h1>{named(&board, &thing, title)}</h1>
                {simulated}
                {slot(&thing)}
            </header>
            {content}
        </div>
    }
    .into_any()
}

/// Returns whether the board has the thing. A task is not on it for long.
fn is_known(board: &HudBoard, thing: &ClusterObject) -> bool {
    match thing {
        ClusterObject::Node(name) => board.nodes().get(name).is_some(),
        ClusterObject::Guest(vmid) => board.guests().get(&vmid.to_string()).is_some(),
        ClusterObject::Storage(name) => board.storages().get(name).is_some(),
        ClusterObject::Task(_) => true,
    }
}

/// Draws the page of something that is not there: its reason, once, and the way back.
fn missing(about: Result<PageAnswer, ErrorBody>) -> AnyView {
    let why = about.err().map(|error| upright(error.message));
    view! {
        <section class="hud__section">
            <p>{why}</p>
            <p>
                <a href="/hud">{texts::things::BACK_TO_HUD}</a>
            </p>
        </section>
    }
    .into_any()
}

/// Draws the actions that the page offers for a thing. A thing with a card on the board has its
/// buttons there.
fn slot(thing: &ClusterObject) -> AnyView {
    let buttons = match thing {
        ClusterObject::Guest(vmid) => {
            let about = Reference::new(thing.kind(), thing.name());
            let act = act_button(Subject::Guest(*vmid), texts::some_guest(*vmid));
            Some((ask(about), act))
        }
        ClusterObject::Node(_) | ClusterObject::Storage(_) | ClusterObject::Task(_) => None,
    };
    view! { <div class="thing__slot">{buttons}</div> }.into_any()
}

/// Draws the heading: the name that a guest has, and its number. The page's title follows it.
fn named(board: &HudBoard, thing: &ClusterObject, title: String) -> AnyView {
    let ClusterObject::Guest(vmid) = thing else {
        return title.into_any();
    };
    let (guests, vmid) = (board.guests(), *vmid);
    let name = Memo::new(move |_| {
        let guest = guests.get(&vmid.to_string())?;
        guest.get().name.map(upright)
    });
    live_view(move || match name.get() {
        Some(name) => {
            let head = texts::named_guest(&name, vmid);
            view! { <Title text=head /> {name} " " <small>{title.clone()}</small> }.into_any()
        }
        None => title.clone().into_any(),
    })
}

/// Returns the name of a thing for the page's head.
pub(crate) fn title(thing: &ClusterObject) -> String {
    match thing {
        ClusterObject::Node(name) => texts::node(&upright(name.clone())),
        ClusterObject::Guest(vmid) => texts::guest(&vmid.to_string()),
        ClusterObject::Storage(name) => texts::storage(&upright(name.clone())),
        ClusterObject::Task(upid) => match upid.split(':').nth(5) {
            Some(kind) => texts::task(&upright(kind.to_owned())),
            None => texts::TASK.to_owned(),
        },
    }
}

fn read<T: FromJson>(answer: PageAnswer) -> Result<T, ErrorBody> {
    T::from_json(answer.value).ok_or_else(api::incompatible)
}

/// Draws the thing's part of the board.
fn head(board: &HudBoard, thing: &ClusterObject) -> AnyView {
    let (board, thing) = (board.clone(), thing.clone());
    live_view(move || {
        let part = match &thing {
            ClusterObject::Node(name) => board
                .nodes()
                .get(name)
                .map(|node| card(&board, &node.get())),
            ClusterObject::Guest(vmid) => {
                let guest = board.guests().get(&vmid.to_string());
                guest.map(|guest| guest_card(&guest.get()))
            }
            ClusterObject::Storage(name) => {
                let storage = board.storages().get(name);
                storage.map(|storage| {
                    let line = storages::line(&board, name, &storage.get());
                    view! { <ul class="storages">{line}</ul> }.into_any()
                })
            }
            ClusterObject::Task(_) => None,
        };
        part.unwrap_or_else(|| pieces::nothing(texts::things::NOT_FOUND))
    })
}
