//! Browser notifications, for a tab that nobody looks at.

use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Notification, NotificationOptions, NotificationPermission};

use crate::browser;

/// The browser's permission for notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// The browser has no notifications, or none for this address.
    Impossible,
    NotAsked,
    Granted,
    Denied,
}

/// Returns the permission that the browser has recorded.
pub fn permission() -> Permission {
    let window = window();
    let exists = js_sys::Reflect::get(&window, &"Notification".into())
        .is_ok_and(|constructor| constructor.is_function());
    if !exists || !window.is_secure_context() {
        return Permission::Impossible;
    }
    match Notification::permission() {
        NotificationPermission::Granted => Permission::Granted,
        NotificationPermission::Denied => Permission::Denied,
        _ => Permission::NotAsked,
    }
}

/// Requests permission through the browser. Call it only in response to a press.
pub fn ask(state: RwSignal<Option<Permission>>) {
    let Ok(asked) = Notification::request_permission() else {
        return;
    };
    leptos::task::spawn_local(async move {
        browser::report(JsFuture::from(asked).await);
        state.try_set(Some(permission()));
    });
}

/// Shows a notification, once for each `tag`, if the person wants that.
pub fn tell(title: &str, text: &str, tag: &str) {
    if permission() != Permission::Granted {
        return;
    }
    let options = NotificationOptions::new();
    options.set_body(text);
    options.set_tag(tag);
    browser::report(Notification::new_with_options(title, &options));
}
