//! Browser notifications, for a tab that nobody looks at. The settings' page of notifications asks for
//! the permission.

use leptos::prelude::*;
use web_sys::{Notification, NotificationOptions, NotificationPermission};

use crate::browser;

/// Returns whether the person wants them in this browser, and it has them for this address.
fn may_tell() -> bool {
    let window = window();
    let exists = js_sys::Reflect::get(&window, &"Notification".into())
        .is_ok_and(|constructor| constructor.is_function());
    exists
        && window.is_secure_context()
        && Notification::permission() == NotificationPermission::Granted
        // Kept by the script of that page.
        && browser::recall_here("jarvis.notify").is_none_or(|kept| kept != "off")
}

/// Shows a notification, once for each `tag`, if the person wants that.
pub fn tell(title: &str, text: &str, tag: &str) {
    if !may_tell() {
        return;
    }
    let options = NotificationOptions::new();
    options.set_body(text);
    options.set_tag(tag);
    browser::report(Notification::new_with_options(title, &options));
}
