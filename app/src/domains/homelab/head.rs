//! The head of the page: the sentence, the counts of the cluster, and how old all of it is.

use homelab_wire::ClusterPart;
use kit::{
    format::{between, span, upright},
    live_text, live_view,
};
use leptos::prelude::*;
use protocol::Known;

use super::{
    board::HudBoard,
    figure::{age, unknown_because, utc},
    health::health,
    pieces,
    tally::HudTally,
    texts,
};
use crate::{
    channel::Channel,
    panel_pieces::{is_away, reconnect_button},
};

pub(super) fn head(board: &HudBoard, tally: Memo<HudTally>) -> AnyView {
    let health = health(board, tally);
    let sentence = live_view(move || {
        let phrases = health.get().into_iter();
        let phrases = phrases.map(|phrase| {
            if phrase.grave {
                view! { <strong class="hud__grave">{phrase.text}</strong> }.into_any()
            } else {
                phrase.text.into_any()
            }
        });
        phrases.collect::<Vec<_>>().into_any()
    });
    let counts = {
        let board = board.clone();
        live_view(move || counts(&board))
    };
    view! {
        <header class="hud__head">
            <p class="hud__health" role="status">{sentence}</p>
            {counts}
            {freshness(board)}
            {notes(board)}
        </header>
    }
    .into_any()
}

/// Returns whether the figures are not current: the cluster or the server is away.
pub(super) fn is_stale(board: &HudBoard, channel: Channel) -> bool {
    let overview = board.reading("overview");
    overview.is_some_and(|it| it.trouble.is_some()) || is_away(channel)
}

/// Draws `homelab · quorate · 4 of 4 nodes online · 12 of 20 guests running`.
fn counts(board: &HudBoard) -> AnyView {
    let cluster = board.cluster();
    let name = match cluster.as_ref().map(|cluster| &cluster.name) {
        Some(Known::Value(name)) => upright(name.clone()),
        _ => upright(board.system().name.clone()),
    };
    let simulated = board
        .system()
        .simulated
        .then(|| pieces::simulated(texts::SIMULATED));
    view! {
        <div class="hud__line">
            <h1>{name}</h1>
            {cluster.map(|cluster| line(&cluster))}
            {simulated}
        </div>
    }
    .into_any()
}

fn line(cluster: &ClusterPart) -> AnyView {
    let quorum = match &cluster.quorate {
        Known::Value(true) => view! { <span>{texts::head::QUORATE}</span> }.into_any(),
        Known::Value(false) => {
            view! { <span class="hud__grave">{texts::head::WITHOUT_QUORUM}</span> }.into_any()
        }
        Known::Unknown { unknown } => {
            let text = texts::head::quorum_unknown(&upright(unknown.clone()));
            view! { <span class="unknown">{text}</span> }.into_any()
        }
    };
    let nodes = match &cluster.nodes {
        Known::Value(count) => texts::head::nodes_online(count.online, count.total).into_any(),
        Known::Unknown { unknown } => (unknown_because(unknown), texts::head::NODES).into_any(),
    };
    let guests = match &cluster.guests {
        Known::Value(count) => {
            texts::head::guests_running(count.running, count.total, count.silent).into_any()
        }
        Known::Unknown { unknown } => (unknown_because(unknown), texts::head::GUESTS).into_any(),
    };
    view! {
        {quorum}
        <span>{nodes}</span>
        <span>{guests}</span>
    }
    .into_any()
}

/// Draws `Updated 3 s ago`, or the age of the last figures and the way to newer ones.
fn freshness(board: &HudBoard) -> AnyView {
    let channel = expect_context::<Channel>();
    let board = board.clone();
    let stale = {
        let board = board.clone();
        Memo::new(move |_| is_stale(&board, channel))
    };
    let at = Memo::new(move |_| board.reading("overview").and_then(|reading| reading.at));
    live_view(move || {
        if !stale.get() {
            let updated = live_view(move || match at.get() {
                Some(at) => (texts::head::UPDATED, age(Some(at))).into_any(),
                None => ().into_any(),
            });
            return view! { <p class="hud__age">{updated}</p> }.into_any();
        }
        let old = live_text(move || match (at.get(), channel.clock.second()) {
            (None, _) => texts::head::NO_FIGURES_YET.to_owned(),
            (Some(at), None) => texts::head::last_figures_of(&utc(at, false)),
            (Some(at), Some(now)) => texts::head::last_figures_old(&span(between(at, now) / 1000)),
        });
        let again = reconnect_button(channel);
        view! {
            <p class="hud__age hud__age--old">
                <span>{old}</span>
                {again}
            </p>
        }
        .into_any()
    })
}

/// Draws the reason why figures are old, and why a list of guests or storages may lack rows.
fn notes(board: &HudBoard) -> AnyView {
    let board = board.clone();
    live_view(move || {
        let trouble = board.reading("overview").and_then(|it| it.trouble);
        let mut notes: Vec<String> = trouble
            .into_iter()
            .map(|trouble| texts::out_of_date(&upright(trouble)))
            .collect();
        if let Some(cluster) = board.cluster() {
            let lacks = [
                (texts::head::LIST_OF_GUESTS, cluster.guests_lack),
                (texts::head::LIST_OF_STORAGES, cluster.storages_lack),
                (texts::head::LIST_OF_TASKS, cluster.tasks_lack),
            ];
            for (list, reason) in lacks
                .into_iter()
                .flat_map(|(list, reasons)| reasons.into_iter().map(move |reason| (list, reason)))
            {
                notes.push(texts::head::may_be_incomplete(list, &upright(reason)));
            }
        }
        pieces::reasons(notes)
    })
}
