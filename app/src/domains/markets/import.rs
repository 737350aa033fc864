//! The import of a file, in a fold at the end of the list below the chart.

use kit::{format::upright, live, live_text, on};
use leptos::{ev, html, prelude::*};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::{page_state::ChartPageState, texts::imports as texts};

/// Endings of files to choose from; the server checks what is in them.
const ACCEPT: &str = ".csv,.txt,.jsonl,.rss,.atom,.xml";

/// The server's name for candles.
const CANDLES: &str = "candles";

/// The server's name for trades.
const TRADES: &str = "trades";

/// The other kinds of files, as the server calls them, with their names.
const RECORDS: [(&str, &str); 4] = [
    (TRADES, texts::TRADES),
    ("headlines", texts::HEADLINES),
    ("calendar", texts::CALENDAR),
    ("cot", texts::REPORTS),
];

/// Draws the form.
pub(super) fn import(shared: ChartPageState) -> AnyView {
    let file = NodeRef::<html::Input>::new();
    let kind = NodeRef::<html::Select>::new();
    let said = RwSignal::new(String::new());
    let is_busy = RwSignal::new(false);
    let (are_trades, for_me) = (RwSignal::new(false), RwSignal::new(false));
    let chosen = on(move |event: ev::Event| are_trades.set(event_target_value(&event) == TRADES));
    let send = move |event: ev::SubmitEvent| {
        event.prevent_default();
        if is_busy.get_untracked() || untrack(|| shared.channel.bars()).is_some() {
            return;
        }
        let Some(picked) = file.get_untracked().and_then(|input| picked(&input)) else {
            said.set(texts::CHOOSE_FILE.to_owned());
            return;
        };
        let kind = kind.get_untracked();
        let what = kind.map_or_else(String::new, |kind| kind.value());
        let at = shared.at.get_untracked();
        let seen_by = if what == TRADES && for_me.get_untracked() {
            "&seen_by=me"
        } else {
            ""
        };
        is_busy.set(true);
        said.set(texts::IMPORTING.to_owned());
        leptos::task::spawn_local(async move {
            let (symbol, timeframe) = (at.symbol.name(), at.timeframe.name());
            let url = format!(
                "/api/v1/markets/imports?what={what}&symbol={symbol}&timeframe={timeframe}{seen_by}"
            );
            let answer = asked("POST", &url, &picked).await;
            // The page may be gone.
            if !shared.is_there() {
                return;
            }
            is_busy.set(false);
            let number = |name: &str| {
                answer
                    .as_ref()
                    .and_then(|answer| answer.get(name)?.as_u64())
            };
            if let (Some(written), Some(unchanged)) = (number("written"), number("unchanged")) {
                said.set(texts::imported(written, unchanged));
            } else {
                let why = answer.as_ref().and_then(|it| it.get("message")?.as_str());
                said.set(upright(why.unwrap_or(texts::NO_ANSWER).to_owned()));
            }
        });
    };
    let records =
        RECORDS.map(|(word, name)| view! { <option value=word>{name}</option> }.into_any());
    view! {
        <form class="alerts__form" aria-label=texts::IMPORT_FILE on:submit=on(send)>
            <label>
                {texts::KIND}
                <select class="field" node_ref=kind on:change=chosen>
                    <option value=CANDLES selected=true>
                        {texts::CANDLES}
                    </option>
                    {Vec::from(records)}
                </select>
            </label>
            <label>
                {texts::FILE}
                <input class="field" node_ref=file type="file" accept=ACCEPT />
            </label>
            <p>{texts::FORM_OF_CANDLES}</p>
            <label class="panel__filter" hidden=live(move || !are_trades.get())>
                <input
                    type="checkbox"
                    on:change=on(move |event: ev::Event| {
                        for_me.set(event_target_checked(&event));
                    })
                />
                {texts::ONLY_FOR_ME}
            </label>
            <button
                type="submit"
                class="button button--small"
                aria-disabled=live(move || {
                    (is_busy.get() || shared.channel.bars().is_some()).then_some("true")
                })
            >
                {texts::IMPORT}
            </button>
            <p role="status">{live_text(move || said.get())}</p>
        </form>
    }
    .into_any()
}

/// Returns the chosen file of an input.
fn picked(input: &JsValue) -> Option<web_sys::Blob> {
    let files = js_sys::Reflect::get(input, &"files".into()).ok()?;
    let first = js_sys::Reflect::get_u32(&files, 0).ok()?;
    first.dyn_into().ok()
}

/// Sends a request. Returns the server's answer, none if there is no readable one.
pub(super) async fn asked(method: &str, url: &str, body: &JsValue) -> Option<Value> {
    let init = web_sys::RequestInit::new();
    init.set_method(method);
    init.set_body(body);
    let asked = window().fetch_with_str_and_init(url, &init);
    let response: web_sys::Response = JsFuture::from(asked).await.ok()?.dyn_into().ok()?;
    let text = JsFuture::from(response.text().ok()?).await.ok()?;
    serde_json::from_str(&text.as_string()?).ok()
}
