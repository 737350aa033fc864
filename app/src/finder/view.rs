//! The part of the sidebar that is loaded on demand.

use kit::live_view;
use leptos::{prelude::*, wasm_split::wasm_split};

use super::{
    Finder, Looking,
    archive::archive,
    choose::choose,
    folders::{folder, folders},
    found::{FinderHits, found},
};
use crate::{api::ApiError, channel::Channel};

/// The view in place of the list.
#[derive(Clone, PartialEq, Eq)]
enum FinderPlace {
    Found,
    Archive,
    Folders,
    Folder(String),
    Choose,
}

/// Draws search results, the archive, folders, or the list to choose from. Its code is a part of the module.
///
/// # Errors
/// The code cannot be loaded; another try may work.
#[wasm_split(finder, wasm_split_path = ::leptos::wasm_split, preload(preload_finder), fallible)]
pub(crate) fn finder_view(finder: Finder) -> Result<AnyView, ApiError> {
    let search = FinderHits::new(finder);
    let channel = expect_context::<Channel>();
    // Not with each letter of a search.
    let place = Memo::new(move |_| match &*finder.looking.read() {
        Looking::Archive => FinderPlace::Archive,
        Looking::Folders => FinderPlace::Folders,
        Looking::Folder(name) => FinderPlace::Folder(name.clone()),
        Looking::Choose => FinderPlace::Choose,
        Looking::For(_) | Looking::List => FinderPlace::Found,
    });
    let view = live_view(move || match place.get() {
        FinderPlace::Archive => archive(finder, channel),
        FinderPlace::Folders => folders(finder, channel),
        FinderPlace::Folder(name) => folder(finder, channel, name),
        FinderPlace::Choose => choose(finder, channel),
        FinderPlace::Found => found(search),
    });
    Ok(view)
}
