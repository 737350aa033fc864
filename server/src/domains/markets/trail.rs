//! `/api/v1/markets/trail`: the changes of the drawings that somebody sees, and of alerts, as CSV in parts, so
//! that a long trail is never in memory as a whole.

use std::io;

use axum::{
    Extension,
    body::Body,
    extract::Query,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use futures::{StreamExt, stream};
use markets::{Markets, StoreError, TrailFilter, TrailPlace, drawing::DrawingReader};
use protocol::Role;
use sign_in::SignedIn;

use crate::routes::Route;

/// The fields of a request's address.
type TrailFields = Query<Vec<(String, String)>>;

/// The trail of one request, from a place on.
struct TrailReading {
    markets: Markets,
    reader: DrawingReader,
    filter: TrailFilter,
    next: Option<TrailPlace>,
}

pub(super) fn route(markets: &Markets) -> Route {
    let markets = markets.clone();
    Route::get(
        "/trail",
        Role::Viewer,
        |Extension(who): Extension<SignedIn>, query: TrailFields| async move {
            let Query(fields) = query;
            let fields = fields.iter().map(|(name, value)| (&name[..], &value[..]));
            let filter = match TrailFilter::of(fields) {
                Ok(filter) => filter,
                Err(why) => return (StatusCode::BAD_REQUEST, why.to_string()).into_response(),
            };
            let reading = TrailReading {
                markets,
                reader: DrawingReader::Person(who.user.id),
                filter,
                next: None,
            };
            match answer(reading).await {
                Ok(response) => response,
                Err(error) => (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response(),
            }
        },
    )
}

/// The whole trail, if its first part can be read.
async fn answer(mut reading: TrailReading) -> Result<Response, StoreError> {
    let first = reading.part().await?;
    let is_whole = reading.next.is_none();
    let rest = stream::unfold((reading, is_whole), |(mut reading, is_done)| async move {
        if is_done {
            return None;
        }
        // After an error nothing more follows: a download that is not whole must not look like one.
        let part = reading.part().await.map_err(io::Error::other);
        let is_done = part.is_err() || reading.next.is_none();
        Some((part, (reading, is_done)))
    });
    let text = stream::once(async move { Ok(first) }).chain(rest);
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"chart-trail.csv\"",
        ),
    ];
    Ok((headers, Body::from_stream(text)).into_response())
}

impl TrailReading {
    async fn part(&mut self) -> Result<String, StoreError> {
        let after = self.next.take();
        let part = self.markets.trail(self.reader, &self.filter, after).await?;
        self.next = part.next;
        Ok(part.text)
    }
}
