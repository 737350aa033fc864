//! `/node/…`, `/guest/…`, `/storage/…`, `/task/…`: one thing of a system.

use kit::{Failed, Loading, wire::Wire};
use leptos::prelude::*;
use leptos_meta::Title;
use protocol::PageAnswer;

use super::{BOARD, ClusterObject, Loaded, texts, thing_title, thing_view};
use crate::api::{self, ApiError};

#[component]
pub(super) fn ThingPage(thing: ClusterObject) -> impl IntoView {
    let board: Resource<_, Wire> =
        Resource::new_with_options(|| (), |()| api::board(BOARD.to_owned()), true);
    let part = match &thing {
        ClusterObject::Task(_) => "log/0",
        _ => "about",
    };
    let about = ask(thing.clone(), Some(part));
    let charts = match &thing {
        ClusterObject::Task(_) => None,
        _ => Some("charts/hour"),
    };
    let charts = ask(thing.clone(), charts);
    let title = thing_title(&thing);
    view! {
        <Title text=title />
        <Suspense fallback=|| view! { <Loading text=texts::LOADING_SYSTEMS /> }>
            {move || {
                let thing = thing.clone();
                Suspend::new(async move {
                    let (page, said, drawn) = (board.await, about.await, charts.await);
                    // A page requests its own data.
                    let said = said.map(|said| said.unwrap_or_else(nothing));
                    match page {
                        Ok(page) => {
                            thing_view(Loaded {
                                thing,
                                board: page,
                                about: said.map_err(|error| error.0),
                                charts: drawn.map_err(|error| error.0).transpose(),
                            })
                        }
                        Err(error) => {
                            view! { <Failed heading=texts::SYSTEMS_CANNOT_BE_SHOWN error=error.0 retry=move || board.refetch() /> }
                                .into_any()
                        }
                    }
                })
            }}
        </Suspense>
    }
    .into_any()
}

fn nothing() -> PageAnswer {
    PageAnswer {
        system: protocol::SystemStatus {
            toolset: BOARD.to_owned(),
            name: String::new(),
            simulated: false,
        },
        value: serde_json::Value::Null,
    }
}

type ThingAsked = Resource<Result<Option<PageAnswer>, ApiError>, Wire>;

/// Requests a part of the page; none if there is nothing to request.
fn ask(thing: ClusterObject, part: Option<&'static str>) -> ThingAsked {
    Resource::new_with_options(
        || (),
        move |()| {
            let thing = thing.clone();
            async move {
                let Some(part) = part else { return Ok(None) };
                let (kind, name) = (thing.kind().to_owned(), thing.name());
                let answer = api::page(BOARD.to_owned(), kind, name, part.to_owned());
                answer.await.map(Some)
            }
        },
        true,
    )
}
