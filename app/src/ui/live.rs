//! Parts of views that follow signals.
//!
//! Each closure in a view has its own type, for which the compiler generates all the code of a view
//! again. Behind one pointer they all share it; in the browser that is a good part of the download.

use std::sync::{Arc, Mutex};

use leptos::{ev, prelude::*};
use protocol::{CallId, CommandId, ConversationId, GrantId, MessageId, Shelf};
use transcript::RowKey;

use crate::route::{Page, Route};

/// A function that is run again when a signal that it read changes.
pub(crate) type Live<T> = Arc<Mutex<dyn FnMut() -> T + Send>>;

/// Makes a value that follows signals, for an attribute or a text.
pub(crate) fn live<T>(value: impl FnMut() -> T + Send + 'static) -> Live<T> {
    Arc::new(Mutex::new(value))
}

/// Draws a text that follows signals.
pub(crate) fn live_text(text: impl FnMut() -> String + Send + 'static) -> AnyView {
    live(text).into_any()
}

/// Draws a part of a view that follows signals.
pub(crate) fn live_view(view: impl FnMut() -> AnyView + Send + 'static) -> AnyView {
    live(view).into_any()
}

/// Draws a part of a page one frame after the rest if the page is drawn in a live browser: this
/// splits the work of a press in two, and neither half blocks the browser. In HTML from the server,
/// and while that hydrates, it is there at once.
pub(crate) fn later(view: impl FnOnce() -> AnyView + Send + 'static) -> AnyView {
    if !expect_context::<Route>().is_alive() {
        return view();
    }
    let due = RwSignal::new(false);
    request_animation_frame(move || {
        due.try_set(true);
    });
    let mut view = Some(view);
    live_view(move || match due.get().then(|| view.take()).flatten() {
        Some(view) => view(),
        None => ().into_any(),
    })
}

/// Wraps a handler of a press.
pub(crate) fn press(mut act: impl FnMut() + 'static) -> Box<dyn FnMut(ev::MouseEvent)> {
    Box::new(move |_| act())
}

/// Wraps a handler of an event.
pub(crate) fn on<E>(act: impl FnMut(E) + 'static) -> Box<dyn FnMut(E)> {
    Box::new(act)
}

/// Runs in the browser once the page is alive, and again when a signal that it read changes.
pub(crate) fn effect(act: impl FnMut() + 'static) {
    let mut act: Box<dyn FnMut()> = Box::new(act);
    Effect::new(move |_| act());
}

/// The identity of an entry in a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    Page(Page),
    Row(RowKey, u8),
    Place(usize),
    Number(u64),
    /// The name of something on a board.
    Name(String),
    Message(MessageId),
    /// With the time at which its request expires.
    Call(CallId, i64),
    /// With everything that its line shows.
    Grant(GrantId, u32, bool),
    Command(CommandId, bool),
    /// With everything that its line shows, so that a changed line is redrawn.
    Conversation(ConversationId, String, bool, i64, Shelf),
}

struct LiveEntry {
    key: Key,
    view: Box<dyn FnOnce() -> AnyView + Send>,
}

/// Draws a list that follows signals; an entry is drawn once and stays while its key does.
pub(crate) fn each<T: Send + 'static>(
    items: impl Fn() -> Vec<T> + Send + Sync + 'static,
    key: fn(&T) -> Key,
    view: impl Fn(T) -> AnyView + Clone + Send + Sync + 'static,
) -> AnyView {
    list(Arc::new(move || {
        items()
            .into_iter()
            .map(|item| {
                let view = view.clone();
                LiveEntry {
                    key: key(&item),
                    view: Box::new(move || view(item)),
                }
            })
            .collect()
    }))
}

fn list(entries: Arc<dyn Fn() -> Vec<LiveEntry> + Send + Sync>) -> AnyView {
    view! {
        <For each=move || entries() key=|entry| entry.key.clone() children=|entry| (entry.view)() />
    }
    .into_any()
}
