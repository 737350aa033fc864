//! `/erp/TYPE/NAME`: one document. Its parts are asked for apart: the ledger of a long one takes the
//! site longer than the rest.

use kit::{ErrorCard, Failed, Loading, loading, wire::Wire};
use leptos::prelude::*;
use leptos_meta::Title;
use protocol::{ErrorBody, FromJson, PageAnswer};

use super::{
    BOARD,
    address::{DocumentAt, KIND},
    around::{glance, history, ledger, links},
    calls::{CallsAsked, ask_calls, calls},
    document::document,
    page_return::watch_return,
    texts,
    texts::document as say,
};
use crate::api::{self, ApiError};

/// Types with lists that people look for first; for others they are not asked for.
const WITH_GLANCE: [&str; 3] = ["Customer", "Supplier", "Item"];

/// A part of the page, as it is asked for.
pub(super) type PartAsked = Resource<Result<PageAnswer, ApiError>, Wire>;

/// The parts of the page, which are read again after an action.
#[derive(Clone, Copy)]
pub(super) struct DocumentParts {
    pub(super) document: PartAsked,
    glance: Option<PartAsked>,
    ledger: PartAsked,
    links: PartAsked,
    history: PartAsked,
    calls: CallsAsked,
}

impl DocumentParts {
    /// Reads all parts again.
    pub(super) fn refetch(self) {
        self.document.refetch();
        self.refetch_around();
    }

    /// Reads all parts but the document itself again.
    pub(super) fn refetch_around(self) {
        let parts = [self.ledger, self.links, self.history];
        for part in parts.into_iter().chain(self.glance) {
            part.refetch();
        }
        self.calls.refetch();
    }
}

#[component]
pub(super) fn DocumentPageView(at: DocumentAt) -> impl IntoView {
    let parts = DocumentParts {
        document: ask(&at, "document"),
        glance: WITH_GLANCE
            .contains(&at.doctype.as_str())
            .then(|| ask(&at, "glance")),
        ledger: ask(&at, "ledger"),
        links: ask(&at, "links"),
        history: ask(&at, "history"),
        calls: ask_calls(&at),
    };
    watch_return(&at, parts);
    let title = kit::format::upright(at.name.clone());
    let first = move || match parts.glance {
        Some(part) => section(part, say::GLANCE_CANNOT_BE_SHOWN, glance),
        None => ().into_any(),
    };
    let around = move |at: &DocumentAt| {
        view! {
            {section(parts.ledger, say::LEDGER_CANNOT_BE_SHOWN, ledger)}
            {section(parts.links, say::LINKS_CANNOT_BE_SHOWN, links)}
            {section(parts.history, say::HISTORY_CANNOT_BE_SHOWN, history)}
            {calls(parts.calls, at)}
        }
        .into_any()
    };
    view! {
        <Title text=title />
        <Transition fallback=|| view! { <Loading text=texts::LOADING_ERP /> }>
            {move || {
                let at = at.clone();
                Suspend::new(async move {
                    match parts.document.await {
                        Ok(answer) => document(&at, answer, parts, [first(), around(&at)]),
                        Err(error) => {
                            view! { <Failed heading=say::DOCUMENT_CANNOT_BE_SHOWN error=error.0 retry=move || parts.document.refetch() /> }
                                .into_any()
                        }
                    }
                })
            }}
        </Transition>
    }
    .into_any()
}

/// Asks for the document as it is now, apart from what is shown.
pub(super) async fn document_now(id: String) -> Result<PageAnswer, ApiError> {
    api::page(BOARD.to_owned(), KIND.to_owned(), id, "document".to_owned()).await
}

fn ask(at: &DocumentAt, part: &'static str) -> PartAsked {
    let id = at.id();
    Resource::new_with_options(
        || (),
        move |()| {
            api::page(
                BOARD.to_owned(),
                KIND.to_owned(),
                id.clone(),
                part.to_owned(),
            )
        },
        true,
    )
}

/// Draws a part once it is there; a part that cannot be read says so, and the others stay.
fn section<T: FromJson + 'static>(
    part: PartAsked,
    heading: &'static str,
    draw: fn(T) -> AnyView,
) -> AnyView {
    view! {
        <Transition fallback=|| loading(say::LOADING)>
            {move || Suspend::new(async move {
                match part.await.map_err(|error| error.0).and_then(read::<T>) {
                    Ok(page) => draw(page),
                    Err(error) => {
                        view! {
                            <section class="erp-pane" aria-label=heading>
                                <ErrorCard error />
                            </section>
                        }
                            .into_any()
                    }
                }
            })}
        </Transition>
    }
    .into_any()
}

pub(super) fn read<T: FromJson>(answer: PageAnswer) -> Result<T, ErrorBody> {
    T::from_json(answer.value).ok_or_else(api::incompatible)
}
