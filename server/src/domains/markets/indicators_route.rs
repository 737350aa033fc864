//! `/api/v1/markets/indicators`: the indicators that a person has chosen for a symbol.

use axum::{
    Extension, Json,
    extract::Query,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use markets::{FactStore, StoreError, context::INDICATORS, symbols::declared};
use markets_tables::MarketsTables;
use protocol::{Role, UserId};
use serde::Deserialize;
use serde_json::json;
use sign_in::SignedIn;

use super::texts;
use crate::routes::Route;

/// The same for both routes, which have one address.
const EXAMPLE: &str = "/indicators?symbol=EURUSD";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct IndicatorsQuery {
    symbol: String,
}

/// The chart's words for those that are chosen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChosenIndicators {
    indicators: Vec<String>,
}

pub(super) fn routes(tables: &MarketsTables) -> [Route; 2] {
    let (kept, chosen) = (tables.clone(), tables.clone());
    let read = move |Extension(who): Extension<SignedIn>, query: Query<IndicatorsQuery>| async move {
        let name = match name(who.user.id, &query.symbol) {
            Ok(name) => name,
            Err(refused) => return *refused,
        };
        match kept.fact(&name).await {
            Ok(words) => told(words.as_deref()),
            Err(error) => failed(&error),
        }
    };
    let choose = move |Extension(who): Extension<SignedIn>,
                       query: Query<IndicatorsQuery>,
                       text: String| async move {
        let name = match name(who.user.id, &query.symbol) {
            Ok(name) => name,
            Err(refused) => return *refused,
        };
        let Some(words) = words(&text) else {
            return refused("indicators_unreadable", &texts::indicators_are(&INDICATORS));
        };
        match chosen.put_fact(&name, &words).await {
            Ok(()) => told(Some(words.as_str())),
            Err(error) => failed(&error),
        }
    };
    [
        Route::get("/indicators", Role::Viewer, read).example(EXAMPLE),
        Route::post("/indicators", Role::Viewer, choose)
            .example(EXAMPLE)
            .body(r#"{"indicators": ["RSI"]}"#)
            .limit(1024),
    ]
}

/// The name under which a person's choice is stored.
fn name(person: UserId, symbol: &str) -> Result<String, Box<Response>> {
    match declared(symbol) {
        Ok(symbol) => Ok(format!("indicators/{person}/{symbol}")),
        Err(unknown) => Err(Box::new(refused("symbol_unknown", &unknown.to_string()))),
    }
}

/// The words of a message, with spaces between them. `None` if one is not known or is there twice.
fn words(text: &str) -> Option<String> {
    let ChosenIndicators { indicators } = serde_json::from_str(text).ok()?;
    let is_known = |(at, word): (usize, &String)| {
        let is_new = !indicators.iter().take(at).any(|other| other == word);
        is_new && INDICATORS.contains(&&word[..])
    };
    let all_known = indicators.iter().enumerate().all(is_known);
    all_known.then(|| indicators.join(" "))
}

/// The choice; null if there never was one.
fn told(words: Option<&str>) -> Response {
    let list = words.map(|words| words.split_whitespace().collect::<Vec<_>>());
    Json(json!({ "indicators": list })).into_response()
}

fn failed(error: &StoreError) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response()
}

fn refused(code: &str, why: &str) -> Response {
    let body = json!({ "code": code, "message": why, "help": texts::NOTHING_WAS_CHANGED });
    (StatusCode::UNPROCESSABLE_ENTITY, Json(body)).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indicators_are_known_words_once() {
        for (text, expect) in [
            (r#"{"indicators": ["RSI", "MA"]}"#, Some("RSI MA")),
            (r#"{"indicators": []}"#, Some("")),
            (r#"{"indicators": ["RSI", "RSI"]}"#, None),
            (r#"{"indicators": ["rsi"]}"#, None),
            (r#"{"indicators": "RSI"}"#, None),
            ("", None),
        ] {
            assert_eq!(words(text).as_deref(), expect, "{text}");
        }
    }
}
