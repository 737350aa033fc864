//! `/api/v1/markets/trail`: the changes of all drawings as CSV.

use axum::{
    extract::Query,
    http::{StatusCode, header},
    response::IntoResponse,
};
use markets::{Symbol, TrailFilter, drawing::Actor};
use protocol::Role;
use serde::Deserialize;

use super::texts;
use crate::routes::Route;

/// The filter of a request.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrailQuery {
    symbol: Option<Symbol>,
    drawing: Option<String>,
    by: Option<Actor>,
    from: Option<String>,
    until: Option<String>,
}

pub(super) fn route(markets: &markets::Markets) -> Route {
    let markets = markets.clone();
    Route::get(
        "/trail",
        Role::Viewer,
        |query: Query<TrailQuery>| async move {
            let Query(query) = query;
            let filter = match filter(query) {
                Ok(filter) => filter,
                Err(why) => return (StatusCode::BAD_REQUEST, why).into_response(),
            };
            match markets.trail(&filter).await {
                Ok(text) => {
                    let kind = "text/csv; charset=utf-8";
                    let name = "attachment; filename=\"chart-trail.csv\"";
                    let headers = [
                        (header::CONTENT_TYPE, kind),
                        (header::CONTENT_DISPOSITION, name),
                    ];
                    (headers, text).into_response()
                }
                Err(error) => (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response(),
            }
        },
    )
}

fn filter(query: TrailQuery) -> Result<TrailFilter, String> {
    let time = |name: &str, text: Option<String>| {
        let time = text.map(|text| markets::Time::parse(&text)).transpose();
        time.map_err(|error| texts::no_time_in_filter(name, &error))
    };
    Ok(TrailFilter {
        symbol: query.symbol,
        drawing: query.drawing,
        actor: query.by,
        from: time("from", query.from)?,
        until: time("until", query.until)?,
    })
}
