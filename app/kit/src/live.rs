//! Parts of views that follow signals.
//!
//! Each closure in a view has its own type, for which the compiler generates all the code of a view
//! again. Behind one pointer they all share it; in the browser that is a good part of the download.
//!
//! What is generic here is `#[inline]`: other crates otherwise get a function for each closure, five
//! kilobytes of the module after brotli.

use std::any::Any;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

use leptos::{ev, prelude::*};

/// A function that is run again when a signal that it read changes.
pub type Live<T> = Arc<Mutex<dyn FnMut() -> T + Send>>;

/// Makes a value that follows signals, for an attribute or a text.
#[inline]
pub fn live<T>(value: impl FnMut() -> T + Send + 'static) -> Live<T> {
    Arc::new(Mutex::new(value))
}

/// Draws a text that follows signals.
#[inline]
pub fn live_text(text: impl FnMut() -> String + Send + 'static) -> AnyView {
    live(text).into_any()
}

/// Draws a part of a view that follows signals.
#[inline]
pub fn live_view(view: impl FnMut() -> AnyView + Send + 'static) -> AnyView {
    live(view).into_any()
}

/// Draws a part of a page one frame after the rest: this splits the work of a press in two, and
/// neither half blocks the browser. Only for a page that is alive: HTML from the server, and what
/// hydrates it, have the part at once.
#[inline]
pub fn later(view: impl FnOnce() -> AnyView + Send + 'static) -> AnyView {
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
#[inline]
pub fn press(mut act: impl FnMut() + 'static) -> Box<dyn FnMut(ev::MouseEvent)> {
    Box::new(move |_| act())
}

/// Wraps a handler of an event.
#[inline]
pub fn on<E>(act: impl FnMut(E) + 'static) -> Box<dyn FnMut(E)> {
    Box::new(act)
}

/// Runs in the browser once the page is alive, and again when a signal that it read changes.
#[inline]
pub fn effect(act: impl FnMut() + 'static) {
    let mut act: Box<dyn FnMut()> = Box::new(act);
    Effect::new(move |_| act());
}

/// The identity of an entry in a list: any value that can be compared.
#[derive(Clone)]
pub struct Key(Arc<dyn ListKey>);

impl Key {
    /// Makes the key of an entry. Whatever changes it has the entry drawn anew.
    #[inline]
    pub fn of(identity: impl Hash + Eq + Send + Sync + 'static) -> Self {
        Self(Arc::new(identity))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.0.is(&*other.0)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.put_in(state);
    }
}

/// A value of any type in a key, so that all lists share their code.
trait ListKey: Any + Send + Sync {
    fn is(&self, other: &dyn ListKey) -> bool;
    fn put_in(&self, state: &mut dyn Hasher);
}

impl<T: Hash + Eq + Send + Sync + 'static> ListKey for T {
    fn is(&self, other: &dyn ListKey) -> bool {
        (other as &dyn Any).downcast_ref::<T>() == Some(self)
    }

    fn put_in(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }
}

struct LiveEntry {
    key: Key,
    view: Box<dyn FnOnce() -> AnyView + Send>,
}

/// Draws a list that follows signals; an entry is drawn once and stays while its key does.
#[inline]
pub fn each<T: Send + 'static>(
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
