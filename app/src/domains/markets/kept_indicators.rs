//! The indicators that a person has chosen for a symbol, as the server keeps them. Those that an earlier
//! release kept on the device are taken over once.

use kit::{browser, effect};
use leptos::prelude::*;
use markets_wire::Symbol;
use protocol::{ErrorBody, ErrorCode};
use serde_json::Value;
use wasm_bindgen::JsValue;

use super::{import::asked, page_state::ChartPageState, texts};

/// The symbol on view, and the words that the server has or is sent; none before they are read.
type KeptWords = StoredValue<Option<(Symbol, String)>>;

/// Returns the storage key of earlier releases.
fn device_key(symbol: Symbol) -> String {
    format!("jarvis.chart.indicators.{symbol}")
}

fn address(symbol: Symbol) -> String {
    format!("/api/v1/markets/indicators?symbol={symbol}")
}

impl ChartPageState {
    /// Shows the indicators of each symbol on view, and keeps every later choice.
    pub(super) fn follow_indicators(self) {
        let kept: KeptWords = StoredValue::new(None);
        let is_saving = StoredValue::new(false);
        let symbol = Memo::new(move |_| self.at.read().symbol);
        effect(move || {
            let now = symbol.get();
            kept.set_value(None);
            self.show_indicators("");
            leptos::task::spawn_local(async move {
                let answer = asked("GET", &address(now), &JsValue::UNDEFINED).await;
                if symbol.try_get_untracked() != Some(now) {
                    return;
                }
                match answer.as_ref().and_then(|answer| answer.get("indicators")) {
                    Some(Value::Array(words)) => {
                        let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
                        let words = words.join(" ");
                        self.show_indicators(&words);
                        kept.set_value(Some((now, self.indicators.get_untracked())));
                        browser::remember_here(&device_key(now), "");
                    }
                    Some(Value::Null) => {
                        kept.set_value(Some((now, String::new())));
                        let old = browser::recall_here(&device_key(now));
                        self.show_indicators(&old.unwrap_or_default());
                    }
                    _ => self.say_not_kept(),
                }
            });
        });
        effect(move || {
            let words = self.indicators.get();
            let Some((symbol, before)) = kept.get_value() else {
                return;
            };
            if words == before {
                return;
            }
            kept.set_value(Some((symbol, words)));
            if !is_saving.get_value() {
                is_saving.set_value(true);
                leptos::task::spawn_local(async move {
                    self.save_indicators(kept).await;
                    is_saving.try_set_value(false);
                });
            }
        });
    }

    /// Sends the choice, and again while it changes meanwhile: of two requests at once either may win.
    async fn save_indicators(self, kept: KeptWords) {
        while let Some((symbol, words)) = kept.try_get_value().flatten() {
            let list: Vec<_> = words.split_whitespace().collect();
            let body = serde_json::json!({ "indicators": list }).to_string();
            let answer = asked("POST", &address(symbol), &body.as_str().into()).await;
            if answer.is_some_and(|answer| answer.get("indicators").is_some()) {
                browser::remember_here(&device_key(symbol), "");
            } else {
                self.say_not_kept();
            }
            if kept.try_get_value().flatten() == Some((symbol, words)) {
                return;
            }
        }
    }

    fn say_not_kept(self) {
        if self.is_there() {
            let error = ErrorBody::new(ErrorCode::Internal, texts::indicators::NOT_KEPT);
            self.channel.toasts.error(error);
        }
    }
}
