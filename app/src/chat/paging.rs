//! Paging of a long conversation: loads older turns as the reader comes near them and newer ones
//! again, keeps the reading position meanwhile, and drops turns that are far away.
//!
//! It measures before and after, whatever the browser did on its own. At the end of a turn, the
//! newest turns are trimmed if the reader is at the end.

use std::{future::Future, pin::Pin, time::Duration};

use kit::{browser, live, live_text, live_view, press};
use leptos::{html, prelude::*, wasm_split::wasm_split};
use protocol::{ErrorBody, HistoryPlace, MessageId};
use transcript::RowKey;

use super::{anchor::anchor, follow_end::Stick};
use crate::{
    api::{self, ApiError},
    conversation::{Conversation, HistoryDirection},
    texts::{chat as texts, common},
};

/// Distance from an edge at which more is requested, in pixels.
const AHEAD: i32 = 1200;

/// A handle on the loaded part of a transcript.
#[derive(Clone, Copy)]
pub(super) struct Paging {
    conversation: StoredValue<Conversation>,
    pub(super) scroller: NodeRef<html::Div>,
    pub(super) content: NodeRef<html::Div>,
    stick: Stick,
    /// True if the newest turns are not on view: there are others between them and the ones that
    /// are.
    pub(super) apart: Memo<bool>,
    asking: RwSignal<Option<HistoryDirection>>,
    trouble: RwSignal<Option<ErrorBody>>,
    /// Number of the latest request: answers to earlier ones are ignored.
    question: StoredValue<u32>,
    /// Announced to a reader who used the button.
    note: RwSignal<&'static str>,
}

/// Shows an answer; returns whether there was anything in it.
type Show = Box<dyn FnOnce() -> Result<bool, ErrorBody>>;
type ShowFuture = Pin<Box<dyn Future<Output = Result<Show, ApiError>>>>;

/// Requests older or newer turns. A part of the module: few conversations are that long.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(history, wasm_split_path = ::leptos::wasm_split, fallible)]
fn load(
    conversation: Conversation,
    way: HistoryDirection,
    place: HistoryPlace,
) -> Result<ShowFuture, ApiError> {
    Ok(Box::pin(async move {
        let page = match conversation.token() {
            Some(token) => api::shared_history(token, place).await?,
            None => api::history(conversation.id(), place).await?,
        };
        let show: Show = Box::new(move || conversation.put(way, &page));
        Ok(show)
    }))
}

impl Paging {
    pub(super) fn new(conversation: &Conversation) -> Self {
        let of = conversation.clone();
        let apart = Memo::new(move |_| of.is_apart());
        Self {
            conversation: StoredValue::new(conversation.clone()),
            scroller: NodeRef::new(),
            content: NodeRef::new(),
            stick: Stick::new(apart.into()),
            apart,
            asking: RwSignal::new(None),
            trouble: RwSignal::new(None),
            question: StoredValue::new(0),
            note: RwSignal::new(""),
        }
    }

    pub(super) fn stick(self) -> Stick {
        self.stick
    }

    /// Scrolls to the end and stays there.
    pub(super) fn to_end(self) {
        self.with(Conversation::settle);
        self.stick.to_end();
    }

    /// Drops turns far above once no turn runs, if the reader is at the end.
    pub(super) fn settle(self) {
        if self.stick.at_end.try_get_untracked() == Some(true) {
            self.with(Conversation::settle);
        }
    }

    /// Requests more turns after a scroll that comes near an edge.
    pub(super) fn moved(self) {
        let Some(scroller) = self.scroller.try_get_untracked().flatten() else {
            return;
        };
        let failed = self.trouble.try_with_untracked(Option::is_some);
        if failed != Some(false) || self.stick.at_end.try_get_untracked() != Some(false) {
            return;
        }
        let top = scroller.scroll_top();
        let rest = scroller.scroll_height() - scroller.client_height() - top;
        if top < AHEAD {
            self.ask(HistoryDirection::Older);
        }
        if rest < AHEAD {
            self.ask(HistoryDirection::Newer);
        }
    }

    /// Scrolls to the row that an address names, wherever it is in the conversation.
    pub(super) fn seek(self, row: String) {
        let (name, part) = row.split_once('-').unwrap_or((&row, ""));
        let Ok(message) = name.parse::<MessageId>() else {
            return;
        };
        // A call has its own identifier.
        let row = if part.starts_with("call_") {
            part.to_owned()
        } else {
            row
        };
        if !self.with(|it| it.shows(message)).unwrap_or(true) {
            if self.with(|it| it.is_new(message)) != Some(true) {
                return self.ask_for(HistoryDirection::To(message), Some(row));
            }
            self.with(Conversation::to_end);
        }
        self.stick.leave();
        browser::find_row(row);
    }

    fn with<T>(self, act: impl FnOnce(&Conversation) -> T) -> Option<T> {
        let conversation = self.conversation.try_get_value()?;
        Some(act(&conversation))
    }

    /// Requests turns, if there are any in that direction and none are on their way.
    fn ask(self, way: HistoryDirection) {
        if self.asking.try_get_untracked() == Some(None) {
            self.ask_for(way, None);
        }
    }

    fn ask_for(self, way: HistoryDirection, row: Option<String>) {
        let Some(conversation) = self.conversation.try_get_value() else {
            return;
        };
        let Some(place) = conversation.place(way) else {
            return;
        };
        let question = self.question.try_update_value(|question| {
            *question += 1;
            *question
        });
        self.asking.set(Some(way));
        self.trouble.set(None);
        leptos::task::spawn_local(async move {
            let answer = match load(conversation, way, place).await {
                Ok(loading) => loading.await,
                Err(error) => Err(error),
            };
            if self.question.try_get_value() != question {
                return;
            }
            let shown = match answer {
                Ok(show) => self.answered(way, row, show),
                Err(error) => Err(error.0),
            };
            self.asking.try_set(None);
            if let Err(error) = shown {
                self.trouble.try_set(Some(error));
            }
        });
    }

    fn answered(
        self,
        way: HistoryDirection,
        row: Option<String>,
        show: Show,
    ) -> Result<(), ErrorBody> {
        if let Some(row) = row {
            if show()? {
                self.stick.leave();
                request_animation_frame(move || browser::find_row(row));
            }
            return Ok(());
        }
        let kept = self.first_seen();
        if show()? {
            request_animation_frame(move || {
                self.keep(kept);
                // A separate change, with its own frame to keep the position.
                set_timeout(move || self.let_go(way), Duration::ZERO);
            });
        }
        Ok(())
    }

    /// Returns the first row that reaches into the window, and its position.
    fn first_seen(self) -> Option<(web_sys::Element, f64)> {
        let edge = self.scroller.try_get_untracked()??;
        let edge = edge.get_bounding_client_rect().y();
        let mut next = self.content.try_get_untracked()??.first_element_child();
        while let Some(row) = next {
            let place = row.get_bounding_client_rect();
            if row.class_list().contains("row") && place.y() + place.height() > edge {
                return Some((row, place.y()));
            }
            next = row.next_element_sibling();
        }
        None
    }

    /// Restores the position of a row. Runs after the change is drawn and before it is painted.
    fn keep(self, kept: Option<(web_sys::Element, f64)>) {
        let (Some((row, before)), Some(scroller)) =
            (kept, self.scroller.try_get_untracked().flatten())
        else {
            return;
        };
        let moved = (row.get_bounding_client_rect().y() - before).round() as i32;
        if row.is_connected() && moved != 0 {
            scroller.set_scroll_top(scroller.scroll_top() + moved);
            self.stick.put_at(scroller.scroll_top());
        }
    }

    /// Drops turns far from where the reader went. Requests more if there is room.
    fn let_go(self, way: HistoryDirection) {
        let kept = self.first_seen();
        let had_focus = !browser::nothing_has_focus();
        let mut gone = false;
        while let Some(Some(edge)) = self.with(|it| it.edge(way))
            && self.is_far(edge, way)
        {
            self.with(|it| it.let_go(way));
            gone = true;
        }
        if !gone {
            return self.moved();
        }
        request_animation_frame(move || {
            self.keep(kept);
            if had_focus
                && browser::nothing_has_focus()
                && let Some(scroller) = self.scroller.try_get_untracked().flatten()
            {
                browser::report(scroller.focus());
            }
            self.moved();
        });
    }

    fn is_far(self, row: RowKey, way: HistoryDirection) -> bool {
        let row = anchor(row).and_then(|id| document().get_element_by_id(&id));
        let (Some(row), Some(scroller)) = (row, self.scroller.try_get_untracked().flatten()) else {
            return false;
        };
        let (top, window) = (
            row.get_bounding_client_rect().y(),
            scroller.get_bounding_client_rect(),
        );
        let ahead = f64::from(AHEAD) * 1.5;
        match way {
            HistoryDirection::Older => top > window.y() + window.height() + ahead,
            _ => top < window.y() - ahead,
        }
    }
}

/// Draws the button above the transcript that loads older turns: for readers who do not scroll.
pub(super) fn older_bar(paging: Paging) -> AnyView {
    let more = Memo::new(move |_| {
        let conversation = paging.conversation.try_get_value();
        conversation.is_some_and(|it| it.has_older())
    });
    let trouble = move || {
        let trouble = paging.trouble.get();
        trouble
            .map(|error| view! { <p class="transcript__trouble" role="alert">{error.message}</p> })
    };
    let ask = move || {
        paging.note.set("");
        paging.stick.leave();
        paging.ask(HistoryDirection::Older);
        paging.note.set(texts::OLDER_MESSAGES_ARE_SHOWN_ABOVE);
    };
    view! {
        <div class="transcript__edge transcript__older" hidden=live(move || !more.get())>
            {button(paging, HistoryDirection::Older, texts::SHOW_OLDER_MESSAGES, press(ask))}
            {live_view(move || trouble().into_any())}
            <span class="visually-hidden" aria-live="polite">
                {live_text(move || match paging.asking.get() {
                    None => paging.note.get().to_owned(),
                    Some(_) => String::new(),
                })}
            </span>
        </div>
    }
    .into_any()
}

/// Draws the button below the transcript, while the newest turns are not on view.
pub(super) fn newer_bar(paging: Paging) -> AnyView {
    let ask = press(move || paging.ask(HistoryDirection::Newer));
    view! {
        <div class="transcript__edge">
            {button(paging, HistoryDirection::Newer, texts::SHOW_NEWER_MESSAGES, ask)}
        </div>
    }
    .into_any()
}

fn button(
    paging: Paging,
    way: HistoryDirection,
    name: &'static str,
    act: Box<dyn FnMut(leptos::ev::MouseEvent)>,
) -> AnyView {
    let busy = move || paging.asking.get() == Some(way);
    view! {
        <button
            type="button"
            class="button button--small button--quiet"
            aria-busy=live(move || busy().then_some("true"))
            on:click=act
        >
            {live_text(move || if busy() { common::LOADING } else { name }.to_owned())}
        </button>
    }
    .into_any()
}
