//! Files of messages and of results, as the page shows them.

use kit::{Icon, format::upright, icon};
use leptos::prelude::*;
use protocol::Reference;

use crate::{
    reference::{label, reference_link},
    texts::page as texts,
};

/// Returns the URL at which the server serves a file to its owner.
pub(crate) fn path_of(file: &Reference) -> Option<String> {
    // A reference from an imported file may contain anything.
    let is_digest = file.id.len() == 64 && file.id.bytes().all(|b| b.is_ascii_hexdigit());
    (file.file.is_some() && is_digest).then(|| format!("/files/{}", file.id))
}

/// Draws a thumbnail of an image, hidden from screen readers: its name is beside it.
pub(crate) fn thumbnail(file: &Reference) -> Option<AnyView> {
    let path = path_of(file).filter(|_| file.is_image())?;
    Some(view! { <img class="reference__thumb" src=path alt="" /> }.into_any())
}

/// Draws the things that a message refers to, and the files that came with it.
pub(crate) fn beside(references: &[Reference], kept: bool) -> AnyView {
    let is_thing = |it: &&Reference| it.file.is_none();
    let things: Vec<_> = references
        .iter()
        .filter(is_thing)
        .map(reference_link)
        .collect();
    let about = (!things.is_empty())
        .then(|| view! { <p class="user-message__about">{texts::ABOUT} {things}</p> });
    view! { {about} {attachments(references, kept)} }.into_any()
}

/// Draws the files among references: images as pictures, texts by name. Each opens in its own tab.
/// `kept` says whether the server can have them.
pub(crate) fn attachments(references: &[Reference], kept: bool) -> Option<AnyView> {
    let files = references
        .iter()
        .filter(|reference| reference.file.is_some());
    let shown: Vec<_> = files.map(|file| attachment(file, kept)).collect();
    (!shown.is_empty())
        .then(|| view! { <ul class="attachments" aria-label=texts::FILES>{shown}</ul> }.into_any())
}

fn attachment(file: &Reference, kept: bool) -> AnyView {
    let label = label(file);
    let name = file.file.as_ref().map(|note| note.name.clone());
    let shown = match path_of(file).filter(|_| kept) {
        None => {
            view! { <span class="reference">{icon(Icon::ATTACH)} {label} {texts::NOT_SHOWN_HERE}</span> }
                .into_any()
        }
        Some(path) if file.is_image() => {
            let source = path.clone();
            view! {
                <a class="attachment" href=path target="_blank" rel="noopener" title=label>
                    <img src=source alt=upright(name.unwrap_or_default()) />
                </a>
            }
            .into_any()
        }
        Some(path) => view! {
            <a class="reference" href=path target="_blank" rel="noopener">
                {icon(Icon::ATTACH)}
                {label}
            </a>
        }
        .into_any(),
    };
    view! { <li>{shown}</li> }.into_any()
}
