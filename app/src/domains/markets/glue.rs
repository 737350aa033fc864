//! The chart in the browser: a separate module, loaded when its page is shown. The interface is
//! JSON text; see `frontend/chart/README.md`.
//!
//! Browser only: called from effects and events alone.

use std::{cell::RefCell, rc::Rc};

use js_sys::{Function, Promise};
use serde_json::Value;
use wasm_bindgen::{JsCast as _, JsValue, closure::Closure, prelude::wasm_bindgen};
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlElement;

#[wasm_bindgen(inline_js = r#"
export function load_chart(url) { return import(url); }
const formats = {};
export function zone_offset(zone, unix) {
  formats[zone] ??= new Intl.DateTimeFormat("en-US", { timeZone: zone || undefined, timeZoneName: "longOffset" });
  const name = formats[zone].formatToParts(unix * 1000).find(({ type }) => type === "timeZoneName").value;
  const [, sign, hours, minutes] = /GMT(?:(.)(\d+):(\d+))?/.exec(name);
  return sign ? (sign === "-" ? -1 : 1) * (60 * hours + +minutes) : 0;
}
"#)]
extern "C" {
    fn load_chart(url: &str) -> Promise;
    /// The minutes that a zone is ahead of UTC at an instant; an empty zone is the browser's.
    pub(super) fn zone_offset(zone: &str, unix: f64) -> i32;
}

#[wasm_bindgen]
extern "C" {
    /// The exports of the module.
    #[derive(Clone)]
    pub(super) type Module;

    #[wasm_bindgen(method, catch)]
    fn mount(
        this: &Module,
        element: &HtmlElement,
        options: &str,
        on: &Function,
    ) -> Result<u32, JsValue>;
    #[wasm_bindgen(method, catch, js_name = setMarket)]
    fn set_market(this: &Module, handle: u32, json: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setCandles)]
    fn set_candles(this: &Module, handle: u32, json: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = prependCandles)]
    fn prepend_candles(this: &Module, handle: u32, json: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = pushCandle)]
    fn push_candle(this: &Module, handle: u32, json: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = putDrawing)]
    fn put_drawing(this: &Module, handle: u32, json: &str) -> Result<String, JsValue>;
    #[wasm_bindgen(method, catch, js_name = removeDrawing)]
    fn remove_drawing(this: &Module, handle: u32, id: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn select(this: &Module, handle: u32, id: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = startDrawing)]
    fn start_drawing(this: &Module, handle: u32, kind: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setIndicators)]
    fn set_indicators(this: &Module, handle: u32, names: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setReplay)]
    fn set_replay(this: &Module, handle: u32, json: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setComparison)]
    fn set_comparison(this: &Module, handle: u32, json: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = pushComparison)]
    fn push_comparison(this: &Module, handle: u32, json: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setZone)]
    fn set_zone(this: &Module, handle: u32, zone: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setScale)]
    fn set_scale(this: &Module, handle: u32, scale: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setPrice)]
    fn set_price(this: &Module, handle: u32, word: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = scrollTo)]
    fn scroll_to(this: &Module, handle: u32, json: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = setTheme)]
    fn set_theme(this: &Module, handle: u32) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn state(this: &Module, handle: u32) -> Result<String, JsValue>;
    #[wasm_bindgen(method)]
    fn unmount(this: &Module, handle: u32);
}

/// Loads the module; the browser caches it.
///
/// # Errors
/// There is no network, or the script is of another release.
pub(super) async fn load(url: &str) -> Result<Module, String> {
    let module = JsFuture::from(load_chart(url)).await.map_err(words)?;
    Ok(module.unchecked_into())
}

/// A chart on the page. Dropping it removes it first, and only then drops the callbacks.
pub(super) struct Chart {
    module: Module,
    handle: u32,
    _on: Closure<dyn FnMut(String)>,
}

impl Chart {
    /// Puts a chart into `element`, which must have a size. `on` gets each event as JSON.
    ///
    /// # Errors
    /// The options are invalid, or the element is not on the page.
    pub(super) fn mount(
        module: Module,
        element: &HtmlElement,
        options: &str,
        on: impl FnMut(String) + 'static,
    ) -> Result<Self, String> {
        let on = Closure::new(on);
        let handle = module
            .mount(element, options, on.as_ref().unchecked_ref())
            .map_err(words)?;
        Ok(Self {
            module,
            handle,
            _on: on,
        })
    }

    pub(super) fn set_market(&self, json: &str) -> Result<(), String> {
        self.module.set_market(self.handle, json).map_err(words)
    }

    pub(super) fn set_candles(&self, json: &str) -> Result<(), String> {
        self.module.set_candles(self.handle, json).map_err(words)
    }

    pub(super) fn prepend_candles(&self, json: &str) -> Result<(), String> {
        self.module
            .prepend_candles(self.handle, json)
            .map_err(words)
    }

    pub(super) fn push_candle(&self, json: &str) -> Result<(), String> {
        self.module.push_candle(self.handle, json).map_err(words)
    }

    /// Adds or updates a drawing; returns whether it is new on the chart.
    pub(super) fn put_drawing(&self, record: &str) -> Result<bool, String> {
        let said = self
            .module
            .put_drawing(self.handle, record)
            .map_err(words)?;
        match said.as_str() {
            "created" => Ok(true),
            "updated" => Ok(false),
            _ => Err(said),
        }
    }

    pub(super) fn remove_drawing(&self, id: &str) -> Result<(), String> {
        self.module.remove_drawing(self.handle, id).map_err(words)
    }

    /// Selects a drawing; "" selects none.
    pub(super) fn select(&self, id: &str) -> Result<(), String> {
        self.module.select(self.handle, id).map_err(words)
    }

    /// Starts a drawing by hand; "" ends it.
    pub(super) fn start_drawing(&self, kind: &str) -> Result<(), String> {
        self.module.start_drawing(self.handle, kind).map_err(words)
    }

    /// Shows exactly the indicators of a list of names, with spaces between them.
    pub(super) fn set_indicators(&self, names: &str) -> Result<(), String> {
        self.module
            .set_indicators(self.handle, names)
            .map_err(words)
    }

    /// Shows the candles up to a bar, or all of them.
    pub(super) fn set_replay(&self, json: &str) -> Result<(), String> {
        self.module.set_replay(self.handle, json).map_err(words)
    }

    /// Shows the candles of another symbol as a line; "" removes it.
    pub(super) fn set_comparison(&self, json: &str) -> Result<(), String> {
        self.module.set_comparison(self.handle, json).map_err(words)
    }

    pub(super) fn push_comparison(&self, json: &str) -> Result<(), String> {
        self.module
            .push_comparison(self.handle, json)
            .map_err(words)
    }

    /// Sets the time zone; an empty one is the browser's.
    pub(super) fn set_zone(&self, zone: &str) -> Result<(), String> {
        self.module.set_zone(self.handle, zone).map_err(words)
    }

    /// Sets the scale of prices: "log", or any other word for a linear one.
    pub(super) fn set_scale(&self, scale: &str) -> Result<(), String> {
        self.module.set_scale(self.handle, scale).map_err(words)
    }

    /// Sets how the last price looks: as a live one, or as an old one if the word is "unknown".
    pub(super) fn set_price(&self, word: &str) -> Result<(), String> {
        self.module.set_price(self.handle, word).map_err(words)
    }

    pub(super) fn scroll_to(&self, json: &str) -> Result<(), String> {
        self.module.scroll_to(self.handle, json).map_err(words)
    }

    pub(super) fn set_theme(&self) -> Result<(), String> {
        self.module.set_theme(self.handle).map_err(words)
    }

    /// Returns the openings of the first and the last bar in view; none without bars.
    pub(super) fn range(&self) -> Option<(i64, i64)> {
        let state = self.module.state(self.handle).ok()?;
        let state: Value = serde_json::from_str(&state).ok()?;
        let edge = |name: &str| state["range"][name].as_i64();
        Some((edge("from")?, edge("to")?))
    }
}

impl Drop for Chart {
    fn drop(&mut self) {
        self.module.unmount(self.handle);
    }
}

/// Returns the message of an exception.
fn words(thrown: JsValue) -> String {
    match thrown.dyn_ref::<js_sys::Error>() {
        Some(error) => error.message().into(),
        None => thrown
            .as_string()
            .unwrap_or_else(|| super::texts::stage::IT_FAILED.to_owned()),
    }
}

thread_local! {
    /// The chart of the page, of which there is one. JavaScript's values cannot be in a signal of a
    /// server.
    static CHART: RefCell<Option<Rc<Chart>>> = const { RefCell::new(None) };
}

thread_local! {
    /// The media query of the system's colour scheme. A query that is dropped sends no events.
    static SYSTEM: RefCell<Option<web_sys::MediaQueryList>> = const { RefCell::new(None) };
}

/// Returns the chart of the page, once it is there.
pub(super) fn chart() -> Option<Rc<Chart>> {
    CHART.with(|kept| kept.borrow().clone())
}

/// Sets the page's chart, or removes it.
pub(super) fn keep(chart: Option<Chart>) {
    let before = CHART.with(|kept| kept.replace(chart.map(Rc::new)));
    // It may call back while it is dropped.
    drop(before);
}

/// Reads the colours of the page again.
pub(super) fn look_again() {
    if let Some(chart) = chart() {
        report(chart.set_theme());
    }
}

/// Follows the system's colour scheme, once for all charts of this tab.
pub(super) fn watch_system() {
    thread_local! {
        static WATCHED: Closure<dyn FnMut()> = Closure::new(look_again);
    }
    let query = leptos::prelude::window().match_media("(prefers-color-scheme: dark)");
    if let Ok(Some(query)) = query {
        WATCHED.with(|watched| query.set_onchange(Some(watched.as_ref().unchecked_ref())));
        SYSTEM.with(|kept| kept.replace(Some(query)));
    }
}

/// Logs an error of the chart: nothing better can be done about it.
pub(super) fn report(result: Result<(), String>) {
    if let Err(error) = result {
        leptos::logging::warn!("the chart: {error}");
    }
}
