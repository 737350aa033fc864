//! Parts of pages, as the server answers with them.

use leptos::prelude::*;
use protocol::{ErrorBody, FromJson, PageAnswer};

use super::address::{BOARD, kind};
use crate::api;

/// Asks for a part of the page of an identifier.
pub(super) fn read_part<T: FromJson + Send + Sync + 'static>(
    id: &str,
    part: String,
    answer: RwSignal<Option<Result<T, ErrorBody>>>,
) {
    let (kind, id) = (kind(id).unwrap_or_default(), id.to_owned());
    leptos::task::spawn_local(async move {
        let read = api::page(BOARD.to_owned(), kind.to_owned(), id, part).await;
        let read = read.map_err(|error| error.0).and_then(read_answer);
        answer.try_set(Some(read));
    });
}

/// Reads the value of an answer.
pub(super) fn read_answer<T: FromJson>(answer: PageAnswer) -> Result<T, ErrorBody> {
    T::from_json(answer.value).ok_or_else(api::incompatible)
}
