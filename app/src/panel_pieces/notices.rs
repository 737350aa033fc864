//! The open notices of a system on its own page.

use kit::{BoardParts, Key, each, format::exposed, live_view};
use leptos::prelude::*;
use protocol::Notice;

use super::{acknowledge::AcknowledgeButton, moments::ago};
use crate::{
    frame::{NOTICES, notices_elsewhere},
    route::Page,
};

/// Draws the open notices, those that nobody acknowledged first, and the way to those of other systems.
/// `path`: the address of the page; `empty`: its words when there are none.
pub(crate) fn open_notices(
    all: BoardParts<Notice>,
    path: &'static str,
    empty: &'static str,
) -> AnyView {
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
        let none = open.read().is_empty();
        none.then(|| view! { <p class="panel-notices__none">{empty}</p> })
            .into_any()
    });
    let lines = each(
        move || open.get(),
        |it| Key::of(format!("{} {} {}", it.id, it.is_loud(), it.text)),
        line,
    );
    view! {
        {none}
        <ul class="panel-notices">{lines}</ul>
        {elsewhere(open, path)}
    }
    .into_any()
}

/// Draws a link to the notices of other systems, on the page that the mark in the header leads to.
fn elsewhere(open: Memo<Vec<Notice>>, path: &str) -> AnyView {
    let overview = Page::overview().path();
    if overview == path {
        return ().into_any();
    }
    let own = Memo::new(move |_| {
        let own = open.read().iter().filter(|it| it.is_loud()).count();
        u32::try_from(own).unwrap_or(u32::MAX)
    });
    notices_elsewhere(own, format!("{overview}#{NOTICES}"))
}

fn line(notice: Notice) -> AnyView {
    let text = exposed(&notice.text);
    let loud = notice.is_loud();
    let button = loud.then(|| AcknowledgeButton::of(notice.id, text.clone()).draw());
    let class = match (loud, notice.grave) {
        (true, true) => "panel-notice panel-notice--grave",
        (true, false) => "panel-notice",
        (false, _) => "panel-notice panel-notice--quiet",
    };
    view! {
        <li class=class>
            <span class="panel-notice__text">{text}</span>
            <span class="panel-notice__age">{ago(Some(notice.since))}</span>
            {button}
        </li>
    }
    .into_any()
}
