//! The page of the house: its notices, its lamps, and the calls of the person on them.

use kit::{Key, Moment, browser, each, format::upright, live, live_text, live_view, press};
use lamps_wire::LampPart;
use leptos::{prelude::*, wasm_split::wasm_split};
use protocol::{BoardPage, Command, Offer};
use serde_json::{Map, Value};

use super::{board::Board, texts};
use crate::{api::ApiError, channel::Channel, chat::own_call};

/// Draws the lamps of a board from a page's data; live from then on. Its code is a part of the
/// module that is loaded with the page.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(lamps, wasm_split_path = ::leptos::wasm_split, preload(preload_lamps), fallible)]
pub(crate) fn lamps_view(page: BoardPage) -> Result<AnyView, ApiError> {
    let system = upright(page.system.name.clone());
    let channel = expect_context::<Channel>();
    let board = Board::live(page);
    let notices = {
        let board = board.clone();
        each(
            move || board.notices.all(),
            |(name, notice)| Key::of(format!("{name} {}", notice.ended.is_some())),
            |(_, notice)| {
                let ended = notice.ended.map(|_| texts::RESOLVED);
                view! { <li>{upright(notice.text)} {ended}</li> }.into_any()
            },
        )
    };
    let lamps = {
        let names = board.clone();
        each(
            move || names.lamps.names(),
            |name| Key::of(name.clone()),
            move |name| lamp(&board, &name),
        )
    };
    let calls = each(
        move || {
            let actions = channel.list.actions.read();
            let own = actions.iter().filter(|line| {
                let action = line.action.as_deref();
                action.is_some_and(|own| own.tool == "switch_lamp")
            });
            own.map(|line| line.id).collect()
        },
        |id| Key::of(id.to_string()),
        |id| own_call(id, false),
    );
    let view = view! {
        <div class="hud" data-scroller="" tabindex="-1">
            <header class="hud__head">
                <h1>{system}</h1>
                <span class="mark">{texts::SIMULATED}</span>
            </header>
            <ul aria-label=texts::NOTICES>{notices}</ul>
            <ul aria-label=texts::LAMPS>{lamps}</ul>
            <div class="act__calls">{calls}</div>
        </div>
    };
    Ok(view.into_any())
}

/// Draws a lamp: its state, its last switch, and what can be done.
fn lamp(board: &Board, name: &str) -> AnyView {
    let Some(part) = board.lamps.get(name) else {
        return ().into_any();
    };
    let state = {
        let part = part.clone();
        live_text(move || upright(part.get().state))
    };
    let switched = {
        let part = part.clone();
        Signal::derive(move || part.get().switched)
    };
    let offers = {
        let (board, part) = (board.clone(), part);
        live_view(move || {
            let lamp = part.get();
            let house = board.house.get("").map(|house| house.get());
            let offers = house.into_iter().flat_map(|house| house.offers);
            let fits = offers.filter(|offer| offer.when == lamp.state);
            let buttons = fits.map(|offer| button(&lamp, offer));
            buttons.collect::<Vec<_>>().into_any()
        })
    };
    view! {
        <li>
            <strong>{upright(name.to_owned())}</strong>
            " "
            <span class="state">{state}</span>
            " "
            <Moment at=switched />
            " "
            {offers}
        </li>
    }
    .into_any()
}

/// Draws the button of an offer, which makes a call of the person's own: the gate decides on it.
fn button(lamp: &LampPart, offer: Offer) -> AnyView {
    let channel = expect_context::<Channel>();
    let about = upright(lamp.name.clone());
    let label = upright(offer.label.clone());
    let bar = live(move || channel.bars().map(|_| "true"));
    let name = lamp.name.clone();
    let act = move || {
        if untrack(|| channel.bars()).is_some() {
            return;
        }
        let mut input = Map::new();
        input.insert("lamp".to_owned(), name.clone().into());
        if let Value::Object(with) = &offer.with {
            input.extend(with.clone());
        }
        channel.command(Command::Act {
            conversation: browser::new_conversation_id(),
            tool: offer.tool.clone(),
            input: Value::Object(input),
        });
    };
    view! {
        // Not disabled: it would lose the focus.
        <button type="button" class="button button--small" aria-disabled=bar on:click=press(act)>
            {label}
            <span class="visually-hidden">" " {about}</span>
        </button>
    }
    .into_any()
}
