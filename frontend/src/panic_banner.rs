//! The banner after a crash of the app: a panic ends all of it at once.

use std::panic::PanicHookInfo;

use leptos::{logging::error, prelude::document};
use wasm_bindgen::JsValue;

use crate::texts;

/// Writes the panic to the console and offers to reload the page.
pub(crate) fn show(info: &PanicHookInfo<'_>) {
    error!("{info}");
    if let Err(cause) = put_banner() {
        error!("{cause:?}");
    }
}

/// Built by hand: after a panic nothing of the app is reliable.
fn put_banner() -> Result<(), JsValue> {
    let document = document();
    let Some(body) = document.body() else {
        return Ok(());
    };
    let banner = document.create_element("div")?;
    banner.set_class_name("panic-banner");
    banner.set_attribute("role", "alert")?;
    let text = document.create_element("p")?;
    text.set_text_content(Some(texts::PAGE_HAS_CRASHED));
    let link = document.create_element("a")?;
    // An empty address is the page itself.
    link.set_attribute("href", "")?;
    link.set_class_name("button button--primary");
    link.set_text_content(Some(texts::RELOAD_THE_PAGE));
    banner.append_child(&text)?;
    banner.append_child(&link)?;
    body.append_child(&banner)?;
    Ok(())
}
