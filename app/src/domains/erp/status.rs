//! The head of the overview, and the pane about ledger and connection.

use erp_wire::{DocumentRow, ErpHealthPart};
use kit::{
    format::{between, span, upright},
    live_text, live_view,
};
use leptos::prelude::*;
use protocol::Known;

use super::{
    board::ErpParts,
    figures::{known, link, reasons},
    texts,
};
use crate::{
    channel::Channel,
    panel_pieces::{ago, is_away, reconnect_button},
};

/// Returns whether the data are not current: the site or the server is away.
pub(super) fn is_stale(board: &ErpParts, channel: Channel) -> bool {
    board.health().is_some_and(|it| it.trouble.is_some()) || is_away(channel)
}

pub(super) fn head(board: &ErpParts) -> AnyView {
    let mark = board
        .system
        .simulated
        .then(|| view! { <span class="mark">{texts::SIMULATED}</span> });
    let user = {
        let board = board.clone();
        live_view(move || match board.health() {
            Some(health) => {
                let user = known(&health.user, |user| upright(user.clone()).into_any());
                view! {
                    <p class="erp-facts" title=texts::SHOWN_AS_MEANS>
                        {texts::SHOWN_AS}
                        {user}
                    </p>
                }
                .into_any()
            }
            None => ().into_any(),
        })
    };
    let notes = {
        let board = board.clone();
        live_view(move || {
            let mut notes = Vec::new();
            if let Some(health) = board.health() {
                let trouble = health.trouble.map(|it| texts::cannot_be_read(&upright(it)));
                notes.extend(trouble);
                notes.extend(health.help.map(upright));
                if !health.missing.is_empty() {
                    let types = upright(health.missing.join(", "));
                    notes.push(texts::rights_missing(&types));
                }
            }
            reasons(notes)
        })
    };
    view! {
        <header class="erp__head">
            <h1>{upright(site_name(&board.system.name).to_owned())}</h1>
            {mark}
            {user}
            {freshness(board)}
            {notes}
        </header>
    }
    .into_any()
}

/// The name of a system, or its host if an address is its name.
fn site_name(name: &str) -> &str {
    name.split_once("://").map_or(name, |(_, host)| host)
}

/// Draws `Updated 3 s ago`, or the age of the last data and the way to newer ones.
fn freshness(board: &ErpParts) -> AnyView {
    let channel = expect_context::<Channel>();
    let board = board.clone();
    let stale = {
        let board = board.clone();
        Memo::new(move |_| is_stale(&board, channel))
    };
    let at = Memo::new(move |_| board.health().and_then(|health| health.at));
    live_view(move || {
        if !stale.get() {
            let updated = live_view(move || match at.get() {
                Some(at) => view! { <span>{texts::UPDATED} {ago(Some(at))}</span> }.into_any(),
                None => ().into_any(),
            });
            return view! { <p class="erp-facts">{updated}</p> }.into_any();
        }
        let old = live_text(move || match (at.get(), channel.clock.second()) {
            (Some(at), Some(now)) => texts::last_data(&span(between(at, now) / 1000)),
            _ => texts::NO_DATA_YET.to_owned(),
        });
        let again = reconnect_button(channel);
        view! { <p class="erp-facts erp-facts--old" role="status">{old} " " {again}</p> }.into_any()
    })
}

/// Draws the pane about the ledger, the queue and the site.
pub(super) fn health(board: &ErpParts) -> AnyView {
    let board = board.clone();
    let content = live_view(move || match board.health() {
        Some(health) => {
            // The port of a simulation says nothing, and is another one with each start.
            let site = if board.system.simulated {
                texts::SIMULATED_COMPANY.to_owned()
            } else {
                upright(health.site.clone())
            };
            facts(&health, site)
        }
        None => view! { <p class="erp-none">{texts::NO_DATA_YET}</p> }.into_any(),
    });
    view! {
        <section class="erp-pane" aria-labelledby="erp-health">
            <header class="erp-pane__head">
                <h2 id="erp-health">{texts::HEALTH}</h2>
            </header>
            {content}
        </section>
    }
    .into_any()
}

fn facts(health: &ErpHealthPart, site: String) -> AnyView {
    let posting = |row: &DocumentRow| {
        if row.name.is_empty() {
            return texts::NOTHING_POSTED.into_any();
        }
        let text = format!("{} {}", row.doctype, row.name);
        (link(&row.doctype, &row.name, text), " ", ago(row.since)).into_any()
    };
    let days = health.balance_days;
    let balance = |is: &bool| {
        if *is {
            texts::balanced(days).into_any()
        } else {
            view! { <strong class="erp-grave">{texts::not_balanced(days)}</strong> }.into_any()
        }
    };
    let queue = |count: &u32| {
        if *count == 0 {
            texts::failed(0).into_any()
        } else {
            view! { <strong class="erp-grave">{texts::failed(*count)}</strong> }.into_any()
        }
    };
    let entries = [
        (texts::LAST_POSTING, known(&health.last_posting, posting)),
        (texts::BALANCE, known(&health.balanced, balance)),
        (texts::QUEUE, known(&health.queue_failed, queue)),
        (
            texts::CLOCK,
            known(&health.clock_offset, |it| texts::clock(*it).into_any()),
        ),
        (texts::SITE, site.into_any()),
    ];
    let entries = entries.into_iter().map(|(name, value)| {
        view! {
            <div class="erp-fields__entry">
                <dt>{name}</dt>
                <dd>{value}</dd>
            </div>
        }
        .into_any()
    });
    let companies = (!health.companies.is_empty()).then(|| {
        let names = upright(health.companies.join(", "));
        view! { <p class="erp-facts">{texts::confined_to(&names)}</p> }
    });
    view! {
        <dl class="erp-fields">{entries.collect::<Vec<_>>()}</dl>
        {companies}
    }
    .into_any()
}

/// The reason why a value is unknown, for a note.
pub(super) fn reason<T>(value: &Known<T>) -> Option<String> {
    value.reason().map(|reason| upright(reason.to_owned()))
}
