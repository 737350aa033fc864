//! The place of a popup: below the button that opens it.

use kit::browser;
use leptos::prelude::*;

/// Puts a popup below its button, before the browser opens it.
pub(super) fn place_under(id: &str) {
    let document = document();
    let button = document.query_selector(&format!("[popovertarget={id}]"));
    if let (Ok(Some(button)), Some(popup)) = (button, document.get_element_by_id(id)) {
        let place = button.get_bounding_client_rect();
        browser::set_property(&popup, "--x", &format!("{}px", place.x()));
        browser::set_property(&popup, "--y", &format!("{}px", place.bottom() + 4.0));
    }
}
