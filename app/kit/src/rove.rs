//! Arrow keys that move the focus among the controls of a line, so that the line is one tab stop.

use wasm_bindgen::JsCast;

use crate::browser;

/// Moves the focus of a key press to the next control in `frame`, the nearest such element around it:
/// with the arrow to the right to the one after, to the left to the one before. Returns whether
/// there is one. Keys in a text field are left to it.
pub fn rove(event: &web_sys::KeyboardEvent, frame: &str) -> bool {
    let back = match event.key().as_str() {
        "ArrowRight" => false,
        "ArrowLeft" => true,
        _ => return false,
    };
    let target = event.target();
    let Some(here) = target.and_then(|target| target.dyn_into::<web_sys::Element>().ok()) else {
        return false;
    };
    let list = here.closest(frame).ok().flatten();
    let Some(controls) = list.and_then(|list| list.query_selector_all("a, button").ok()) else {
        return false;
    };
    let mut before = None;
    let mut found = false;
    for at in 0..controls.length() {
        let Some(control) = controls.item(at) else {
            continue;
        };
        if found {
            return focus(control);
        }
        if control.is_same_node(Some(&here)) {
            if back {
                return before.is_some_and(focus);
            }
            found = true;
        }
        before = Some(control);
    }
    false
}

fn focus(control: web_sys::Node) -> bool {
    let control = control.dyn_into::<web_sys::HtmlElement>();
    control.is_ok_and(|control| {
        browser::report(control.focus());
        true
    })
}
