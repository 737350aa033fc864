//! Helpers for browser APIs. Called from effects and event handlers only: none of these APIs exist
//! while a page is rendered on the server.

mod dates;

use std::{cell::RefCell, time::Duration};

use futures::channel::oneshot;
use leptos::prelude::*;
use protocol::{CommandId, ConversationId, TabId, Timestamp};
use wasm_bindgen::{JsCast, JsValue};

pub use self::dates::{calendar_day, day, exact_time, local_day, local_time};

/// Returns the milliseconds since 1970 by the clock of this device.
pub fn now() -> Timestamp {
    Timestamp(js_sys::Date::now() as i64)
}

/// Writes an error of the browser to its console: nothing better can be done about it.
pub fn report<T>(result: Result<T, JsValue>) {
    if let Err(error) = result {
        web_sys::console::warn_1(&error);
    }
}

fn random() -> u128 {
    let mut bytes = [0u8; 16];
    match window().crypto() {
        Ok(crypto) => report(crypto.get_random_values_with_u8_array(&mut bytes)),
        Err(error) => report(Err::<(), _>(error)),
    }
    u128::from_le_bytes(bytes)
}

/// Returns a random number between 0 and 1, for jitter.
pub fn chance() -> f64 {
    js_sys::Math::random()
}

/// Makes the id of a command that this tab sends.
pub fn new_command_id() -> CommandId {
    CommandId::new(now(), random())
}

/// Makes the id of a conversation that begins here.
pub fn new_conversation_id() -> ConversationId {
    ConversationId::new(now(), random())
}

/// Makes the id of this tab.
pub fn new_tab_id() -> TabId {
    TabId::new(now(), random())
}

/// Waits for some time.
pub async fn sleep(time: Duration) {
    let (done, wait) = oneshot::channel();
    set_timeout(
        move || {
            // The sleeper may have been dropped meanwhile.
            let _gone = done.send(());
        },
        time,
    );
    let _woken = wait.await;
}

/// Returns whether something is open over the page that the browser itself closes with Escape.
pub fn has_popover() -> bool {
    document()
        .query_selector(":popover-open")
        .is_ok_and(|open| open.is_some())
}

/// Returns whether the page has an element that matches a selector.
#[cfg(feature = "hydrate")]
pub fn has(selector: &str) -> bool {
    document()
        .query_selector(selector)
        .is_ok_and(|found| found.is_some())
}

/// Returns whether a modal dialog is open, which receives all keys.
pub fn has_dialog() -> bool {
    document()
        .query_selector("dialog:modal")
        .is_ok_and(|open| open.is_some())
}

/// Focuses the first element that matches a selector; returns whether there is one.
pub fn focus_on(selector: &str) -> bool {
    let found = document().query_selector(selector).ok().flatten();
    let element = found.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
    element.is_some_and(|element| {
        report(element.focus());
        true
    })
}

/// Writes a text into a field as a person would, and focuses it.
pub fn write_in(selector: &str, text: &str) {
    let found = document().query_selector(selector).ok().flatten();
    let Some(element) = found else { return };
    if let Some(field) = element.dyn_ref::<web_sys::HtmlTextAreaElement>() {
        field.set_value(text);
    } else if let Some(field) = element.dyn_ref::<web_sys::HtmlInputElement>() {
        field.set_value(text);
    }
    let init = web_sys::EventInit::new();
    init.set_bubbles(true);
    if let Ok(event) = web_sys::Event::new_with_event_init_dict("input", &init) {
        report(element.dispatch_event(&event));
    }
    focus_on(selector);
}

/// Scrolls a line of a list into view by as little as possible, without moving the rest of the page.
/// The list is its offset parent.
pub fn reveal(id: &str) {
    let found = document().get_element_by_id(id);
    let line = found.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some((line, list)) = line.and_then(|line| Some((line.clone(), line.parent_element()?))) {
        let (top, height) = (line.offset_top(), line.offset_height());
        let lowest = top + height - list.client_height();
        list.set_scroll_top(list.scroll_top().clamp(lowest.min(top), top));
    }
}

/// Scrolls an element into view by as little as possible, whatever scrolls around it.
pub fn into_view(element: &web_sys::Element) {
    let options = web_sys::ScrollIntoViewOptions::new();
    options.set_block(web_sys::ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

/// Submits the form of a field, as its button would.
pub fn submit(field: &web_sys::HtmlTextAreaElement) {
    if let Some(form) = field.form() {
        report(form.request_submit());
    }
}

/// Returns whether the browser believes that it has a network.
pub fn online() -> bool {
    window().navigator().on_line()
}

/// Returns whether this tab is visible and has the focus.
pub fn is_looked_at() -> bool {
    visible() && document().has_focus().unwrap_or(true)
}

/// Returns whether this tab is visible.
pub fn visible() -> bool {
    document().visibility_state() == web_sys::VisibilityState::Visible
}

/// Returns the position of an element in the window, if its middle is in view and not covered.
pub fn place(element: &web_sys::Element) -> Option<(i32, i32)> {
    let rect = element.get_bounding_client_rect();
    let (x, y) = (
        rect.x() + rect.width() / 2.0,
        rect.y() + rect.height() / 2.0,
    );
    let there = document().element_from_point(x as f32, y as f32)?;
    element
        .contains(Some(&there))
        .then_some((rect.x() as i32, rect.y() as i32))
}

/// Returns whether an element can be seen from its upper to its lower edge.
pub fn is_whole(element: &web_sys::Element) -> bool {
    let rect = element.get_bounding_client_rect();
    let x = rect.x() + rect.width() / 2.0;
    [0.1, 0.9].iter().all(|part| {
        let y = rect.y() + rect.height() * part;
        let there = document().element_from_point(x as f32, y as f32);
        there.is_some_and(|there| element.contains(Some(&there)))
    })
}

/// Returns whether nothing has the focus, as when the focused element was removed or moved.
pub fn nothing_has_focus() -> bool {
    let document = document();
    match document.active_element() {
        Some(active) => document.body().is_some_and(|body| *active == **body),
        None => true,
    }
}

/// Scrolls an element into view and focuses it, as soon as it is there.
pub fn show(id: String) {
    when_there(id, |element| {
        element.scroll_into_view();
        report(element.focus());
    });
}

/// Returns the fragment of the address, such as a message.
pub fn hash() -> Option<String> {
    let hash = window().location().hash().ok()?;
    hash.strip_prefix('#').map(str::to_owned)
}

/// Returns the element in `frame` that the address names.
pub fn named_in(frame: &web_sys::Element) -> Option<web_sys::HtmlElement> {
    let found = document().get_element_by_id(&hash()?)?;
    frame
        .contains(Some(&found))
        .then(|| found.dyn_into().ok())
        .flatten()
}

/// Duration of the mark on a row that was looked for.
const MARKED_FOR: Duration = Duration::from_secs(3);

/// Scrolls a row of a transcript into view, as soon as it is there.
pub fn find_row(id: String) {
    when_there(id, show_row);
}

/// Scrolls a row of a transcript into view, focuses it and marks it for a while. Opens the fold that
/// it is in.
pub fn show_row(row: &web_sys::HtmlElement) {
    const MARK: &str = "row--found";
    if let Ok(Some(fold)) = row.closest("details") {
        report(fold.set_attribute("open", ""));
    }
    report(row.class_list().add_1(MARK));
    row.set_tab_index(-1);
    row.scroll_into_view();
    report(row.focus());
    let row = row.clone();
    let (again, done) = (row.clone(), row);
    // Rows above it get their height only once they are drawn.
    request_animation_frame(move || again.scroll_into_view());
    set_timeout(move || report(done.class_list().remove_1(MARK)), MARKED_FOR);
}

/// Applies `act`, such as a click, to the first element that matches a selector; returns whether
/// there is one.
pub fn first(selector: &str, act: fn(&web_sys::HtmlElement)) -> bool {
    let found = document().query_selector(selector).ok().flatten();
    let found = found.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok());
    found.inspect(act).is_some()
}

/// Returns the gap between the rows of a grid, in pixels.
pub fn row_gap(grid: &web_sys::Element) -> f64 {
    let style = window().get_computed_style(grid).ok().flatten();
    let gap = style.and_then(|style| style.get_property_value("row-gap").ok());
    // A list that is no grid has the gap `normal`. The browser's own reader: Rust's has large tables.
    let gap = gap.map_or(f64::NAN, |gap| js_sys::parse_float(&gap));
    if gap.is_finite() { gap } else { 0.0 }
}

/// Opens the first fold inside another.
pub fn open_inner(fold: &web_sys::Element) {
    if let Ok(Some(inner)) = fold.query_selector("details") {
        report(inner.set_attribute("open", ""));
    }
}

/// Opens a popover, as soon as it is there.
pub fn open_popover(id: &str) {
    when_there(id.to_owned(), |element| report(element.show_popover()));
}

fn when_there(id: String, act: fn(&web_sys::HtmlElement)) {
    leptos::task::spawn_local(async move {
        for _ in 0..50 {
            let found = document().get_element_by_id(&id);
            if let Some(element) = found.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
                act(&element);
                break;
            }
            sleep(Duration::from_millis(100)).await;
        }
    });
}

/// Selects the head of a card, in any of its forms.
pub const HEADS: &str = "h3[tabindex], summary";

/// Call it before something in `frame` is replaced: if that has the focus and takes it along, the
/// first element that matches `next` gets it, so that the focus is never lost.
pub fn keep_focus(frame: &web_sys::Element, next: &'static str) {
    let frame = frame.clone();
    if has_focus(&frame) {
        request_animation_frame(move || {
            let next = frame.query_selector(next).ok().flatten();
            if let Some(next) = next.filter(|_| !has_focus(&frame))
                && let Ok(next) = next.dyn_into::<web_sys::HtmlElement>()
            {
                report(next.focus());
            }
        });
    }
}

/// Returns whether the focus is in an element.
pub fn has_focus(frame: &web_sys::Element) -> bool {
    let focused = document().active_element();
    focused.is_some_and(|focused| frame.contains(Some(&focused)))
}

/// Closes a popover.
pub fn close_popover(id: &str) {
    let found = document().get_element_by_id(id);
    if let Some(element) = found.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
        report(element.hide_popover());
    }
}

/// Loads the page again.
pub fn reload() {
    report(window().location().reload());
}

/// Returns the build that this page came from.
pub fn page_build() -> Option<String> {
    meta("meta[name=jarvis-build]")
}

/// Returns the content of the `<meta>` element that matches a selector.
pub fn meta(selector: &str) -> Option<String> {
    let meta = document().query_selector(selector).ok()??;
    meta.get_attribute("content")
}

/// Notifies the parts of the page that listen to the window.
pub fn announce(event: &str) {
    match web_sys::Event::new(event) {
        Ok(event) => report(window().dispatch_event(&event).map(|_| ())),
        Err(error) => report(Err::<(), _>(error)),
    }
}

/// Returns the address of the websocket on the server of this page.
pub fn socket_url() -> Option<String> {
    let location = window().location();
    let scheme = if location.protocol().ok()? == "https:" {
        "wss"
    } else {
        "ws"
    };
    Some(format!("{scheme}://{}/ws", location.host().ok()?))
}

fn storage() -> Option<web_sys::Storage> {
    window().session_storage().ok()?
}

/// Reads a value that this tab stored, also before a reload.
pub fn recall(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Stores a value in this tab, also across a reload; empty text removes it.
pub fn remember(key: &str, value: &str) {
    let Some(storage) = storage() else {
        return;
    };
    report(if value.is_empty() {
        storage.remove_item(key)
    } else {
        storage.set_item(key, value)
    });
}

/// Reads a value that this device stored, for all tabs and permanently.
pub fn recall_here(key: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(key).ok()?
}

/// Stores a value on this device, for all tabs and permanently.
pub fn remember_here(key: &str, value: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        report(storage.set_item(key, value));
    }
}

/// Sets a property of the style of an element.
pub fn set_property(element: &web_sys::Element, name: &str, value: &str) {
    if let Some(element) = element.dyn_ref::<web_sys::HtmlElement>() {
        report(web_sys::HtmlElement::style(element).set_property(name, value));
    }
}

/// Returns the left edge of an element, in pixels from the left of the window.
pub fn left_of(id: &str) -> i32 {
    let found = document().get_element_by_id(id);
    found.map_or(0, |element| element.get_bounding_client_rect().x() as i32)
}

thread_local! {
    /// The element that had the focus before another took it.
    static FOCUS: RefCell<Option<web_sys::HtmlElement>> = const { RefCell::new(None) };
}

/// Remembers the focused element, for [`return_focus`].
pub fn leave_focus() {
    let focused = document().active_element();
    let focused = focused.and_then(|element| element.dyn_into().ok());
    FOCUS.with(|kept| kept.replace(focused));
}

/// Returns the focus to the remembered element; if that is gone, or was the page itself, to the
/// element `or`.
pub fn return_focus(or: &'static str) {
    request_animation_frame(move || {
        let kept = FOCUS.with(RefCell::take);
        let kept = kept.filter(|element| element.is_connected() && element.tag_name() != "BODY");
        let other = || document().get_element_by_id(or)?.dyn_into().ok();
        if let Some(element) = kept.or_else(other) {
            report(web_sys::HtmlElement::focus(&element));
        }
    });
}

/// Returns whether an event happened in an element that matches a selector.
pub fn happened_in(event: &web_sys::Event, selector: &str) -> bool {
    let target = event.target();
    let element = target.and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    element.is_some_and(|element| element.closest(selector).is_ok_and(|found| found.is_some()))
}

/// Sets or removes an attribute of the whole document, for styles.
pub fn mark_page(name: &str, on: bool) {
    if let Some(html) = document().document_element() {
        report(html.toggle_attribute_with_force(name, on));
    }
}

/// Lets the page fill the screen, or ends that. Where a browser cannot, nothing happens.
pub fn fill_screen(full: bool) {
    let document = document();
    if !full {
        if document.fullscreen_element().is_some() {
            document.exit_fullscreen();
        }
    } else if let Some(html) = document.document_element() {
        // A phone may have no full screen for pages, and then no such function.
        if js_sys::Reflect::has(&html, &"requestFullscreen".into()).unwrap_or(false) {
            report(html.request_fullscreen());
        }
    }
}

/// Returns whether a media query matches.
pub fn matches_media(query: &str) -> bool {
    window()
        .match_media(query)
        .ok()
        .flatten()
        .is_some_and(|list| list.matches())
}

/// Returns whether there is a pointer as fine as a mouse: a physical keyboard is then likely, and
/// focus in a field does not open one on the screen.
pub fn has_mouse() -> bool {
    matches_media("(hover: hover) and (pointer: fine)")
}

/// Copies text to the clipboard; returns whether that worked.
pub async fn copy(text: String) -> bool {
    let navigator = window().navigator();
    // The clipboard exists on secure origins only.
    if js_sys::Reflect::get(&navigator, &"clipboard".into()).is_ok_and(|c| c.is_object()) {
        let written = navigator.clipboard().write_text(&text);
        return wasm_bindgen_futures::JsFuture::from(written).await.is_ok();
    }
    copy_by_selection(&text).unwrap_or(false)
}

fn copy_by_selection(text: &str) -> Option<bool> {
    let document = document();
    let area: web_sys::HtmlTextAreaElement =
        document.create_element("textarea").ok()?.dyn_into().ok()?;
    area.set_value(text);
    area.set_class_name("visually-hidden");
    document.body()?.append_child(&area).ok()?;
    area.select();
    let copied = document
        .dyn_ref::<web_sys::HtmlDocument>()
        .and_then(|document| document.exec_command("copy").ok());
    area.remove();
    copied
}
