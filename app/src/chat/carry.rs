//! Links in answers: a question that goes along to another page, and the source of a figure.

use kit::browser;
use leptos::{ev, prelude::*};
use protocol::{ASK_ALONG, CallId, SOURCE};

use super::{anchor::anchor, draft};
use crate::{
    conversation::{Conversation, RowView, RowViewContent},
    dock::Dock,
    route::{Page, Route, clicked_link},
};

/// Makes the handler of clicks on such links in a conversation. A source opens its call. A question
/// becomes the draft of a new conversation beside the page; the person sends it.
pub(super) fn carry(conversation: &Conversation) -> Box<dyn FnMut(ev::MouseEvent)> {
    let (route, dock) = (expect_context::<Route>(), expect_context::<Dock>());
    let rows = conversation.rows();
    Box::new(move |event| {
        let Some((link, href)) = clicked_link(&event) else {
            return;
        };
        if let Some(number) = href.strip_prefix(SOURCE) {
            event.prevent_default();
            let number: Option<usize> = number.parse().ok();
            let calls = calls_above(&rows.read_untracked(), &link);
            if let Some(call) = number.and_then(|number| calls.get(number.checked_sub(1)?)) {
                browser::find_row(call.to_string());
            }
            return;
        }
        let page = href.strip_suffix(ASK_ALONG).map(Page::of);
        let Some(page @ Page::Panel(_)) = page else {
            return;
        };
        event.prevent_default();
        let row = link.closest(".row").ok().flatten().map(|row| row.id());
        let mut question = None;
        for shown in rows.read_untracked().iter() {
            match &shown.content {
                RowViewContent::User(said) => question = Some(said.text.clone()),
                _ if anchor(shown.key) == row => break,
                _ => {}
            }
        }
        // A draft that was begun there is not lost.
        if let Some(question) = question {
            let begun = draft::recall(draft::NEXT).filter(|begun| *begun != question);
            let begun = begun.map(|begun| format!("{begun}\n\n"));
            draft::keep(draft::NEXT, &(begun.unwrap_or_default() + &question));
        }
        route.go(page);
        dock.begin();
    })
}

/// Returns the calls of the turn above a link in its answer, in order.
fn calls_above(rows: &[RowView], link: &web_sys::Element) -> Vec<CallId> {
    let row = link.closest(".row").ok().flatten().map(|row| row.id());
    let mut calls = Vec::new();
    for shown in rows {
        match &shown.content {
            RowViewContent::User(_) => calls.clear(),
            RowViewContent::Tool(cell) => calls.extend(cell.row.read_untracked().call),
            _ if anchor(shown.key) == row => break,
            _ => {}
        }
    }
    calls
}
