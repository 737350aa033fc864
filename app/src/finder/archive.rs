//! The archive: conversations that are out of the list.

use kit::live_text;
use leptos::prelude::*;

use super::{
    Finder,
    pages::{DrawnPages, FinderPages},
};
use crate::{
    api,
    channel::Channel,
    texts::{common, palette as texts},
};

pub(super) fn archive(finder: Finder, channel: Channel) -> AnyView {
    let archived = channel.list.archived;
    let pages = FinderPages::new(finder, channel);
    let ask = Callback::new(move |()| pages.take(Box::pin(api::archived(pages.oldest()))));
    ask.run(());
    let words = live_text(move || {
        match (archived.read().is_empty(), pages.asking.get()) {
            (true, true) => common::LOADING,
            (true, false) => texts::NO_ARCHIVED_CONVERSATIONS,
            (false, _) => texts::ARCHIVED,
        }
        .to_owned()
    });
    pages.draw(DrawnPages {
        words: words.into_any(),
        label: texts::ARCHIVED_CONVERSATIONS.to_owned(),
        lines: archived.into(),
        ask,
    })
}
