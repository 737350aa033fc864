//! The overview: notices, approvals, money, deliveries, shortages, drafts, and the state of it all.

use kit::{Key, each, format::exposed, live, live_view, press};
use leptos::prelude::*;
use protocol::{BoardPage, Command, Notice};

use super::{
    PATH,
    board::ErpParts,
    lists::{drafts, list, shortages},
    status::{head, health, is_stale},
    texts,
};
use crate::{
    channel::Channel,
    frame::{NOTICES, notices_elsewhere},
    panel_pieces::ago,
    route::Page,
};

/// Draws the page of a board from its data; live from then on.
pub(super) fn overview(page: BoardPage) -> AnyView {
    let channel = expect_context::<Channel>();
    let board = ErpParts::live(page);
    let stale = {
        let board = board.clone();
        live(move || is_stale(&board, channel))
    };
    view! {
        <div class="erp" class:erp--past=stale data-scroller="" tabindex="-1">
            {head(&board)}
            {notices(&board)}
            <div class="erp__columns">
                // Two columns of their own: a short pane leaves no hole beside a long one.
                <div class="erp__column">
                    {list(&board.approvals, "approvals", texts::APPROVALS, texts::NO_APPROVALS)}
                    {list(&board.receivables, "receivables", texts::RECEIVABLES, texts::NO_RECEIVABLES)}
                    {list(&board.payables, "payables", texts::PAYABLES, texts::NO_PAYABLES)}
                    {list(&board.deliveries, "deliveries", texts::DELIVERIES, texts::NO_DELIVERIES)}
                </div>
                <div class="erp__column">
                    {shortages(&board)} {drafts(&board)} {health(&board)}
                </div>
            </div>
        </div>
    }
    .into_any()
}

/// Draws the open notices, those that nobody acknowledged first.
fn notices(board: &ErpParts) -> AnyView {
    let all = board.notices.clone();
    let open = Memo::new(move |_| {
        let mut open = Vec::new();
        all.visit(|_, notice| {
            if notice.ended.is_none() {
                open.push(notice.clone());
            }
        });
        open.sort_by_key(|it: &Notice| (!it.is_loud(), !it.grave, std::cmp::Reverse(it.since)));
        open
    });
    let none = live_view(move || {
        if open.read().is_empty() {
            view! { <p class="erp-none">{texts::NO_NOTICES}</p> }.into_any()
        } else {
            ().into_any()
        }
    });
    let elsewhere = elsewhere(open);
    let lines = each(
        move || open.get(),
        |notice| {
            Key::of(format!(
                "{} {} {}",
                notice.id,
                notice.is_loud(),
                notice.text
            ))
        },
        notice,
    );
    view! {
        <section class="erp-pane" id=NOTICES tabindex="-1" aria-labelledby="erp-notices">
            <header class="erp-pane__head">
                <h2 id="erp-notices">{texts::NOTICES}</h2>
            </header>
            {none}
            <ul class="erp-list">{lines}</ul>
            {elsewhere}
        </section>
    }
    .into_any()
}

/// Draws a link to the notices of other systems, on the page that the mark in the header leads to.
fn elsewhere(open: Memo<Vec<Notice>>) -> AnyView {
    let path = Page::overview().path();
    if path == PATH {
        return ().into_any();
    }
    let own = Memo::new(move |_| {
        let own = open.read().iter().filter(|it| it.is_loud()).count();
        u32::try_from(own).unwrap_or(u32::MAX)
    });
    notices_elsewhere(own, format!("{path}#{NOTICES}"))
}

fn notice(notice: Notice) -> AnyView {
    let channel = expect_context::<Channel>();
    let (id, loud) = (notice.id, notice.is_loud());
    let text = exposed(&notice.text);
    let barred = channel.bars();
    let asking = Memo::new(move |_| {
        let pending = channel.pending.read();
        let of =
            |command: &Command| matches!(command, Command::Acknowledge { notice } if *notice == id);
        pending.iter().any(|pending| of(&pending.command))
    });
    let act = press(move || {
        if barred.is_none() && !asking.get_untracked() {
            channel.command(Command::Acknowledge { notice: id });
        }
    });
    let about = text.clone();
    let button = loud.then(move || {
        view! {
            <button
                type="button"
                class="button button--small"
                aria-disabled=live(move || (barred.is_some() || asking.get()).then_some("true"))
                title=barred
                on:click=act
            >
                {texts::ACKNOWLEDGE}
                <span class="visually-hidden">": " {about}</span>
            </button>
        }
    });
    let class = match (loud, notice.grave) {
        (true, true) => "erp-notice erp-notice--grave",
        (true, false) => "erp-notice",
        (false, _) => "erp-notice erp-notice--quiet",
    };
    view! {
        <li class=class>
            <span class="erp-notice__text">{text}</span>
            <span class="erp-facts">{ago(Some(notice.since))}</span>
            {button}
        </li>
    }
    .into_any()
}
