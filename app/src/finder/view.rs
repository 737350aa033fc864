//! The part of the sidebar that is loaded on demand.

use kit::live_view;
use leptos::{prelude::*, wasm_split::wasm_split};

use super::{
    Finder, Looking,
    archive::archive,
    found::{FinderHits, found},
};
use crate::{api::ApiError, channel::Channel};

/// Draws search results, or the archive. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(finder, wasm_split_path = ::leptos::wasm_split, preload(preload_finder), fallible)]
pub(crate) fn finder_view(finder: Finder) -> Result<AnyView, ApiError> {
    let search = FinderHits::new(finder);
    let channel = expect_context::<Channel>();
    let in_archive = Memo::new(move |_| *finder.looking.read() == Looking::Archive);
    let view = live_view(move || {
        if in_archive.get() {
            archive(finder, channel)
        } else {
            found(search)
        }
    });
    Ok(view)
}
