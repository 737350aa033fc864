//! The button that acknowledges notices.

use kit::{live, live_text, press};
use leptos::prelude::*;
use protocol::{Command, NoticeId};

use crate::{channel::Channel, texts::panel_pieces as texts};

/// A button for notices.
pub(crate) struct AcknowledgeButton {
    pub(crate) ids: Vec<NoticeId>,
    pub(crate) name: &'static str,
    /// Its words while the server is asked.
    pub(crate) asking: &'static str,
    /// Names the notices for readers who cannot see their line; empty where the button says it all.
    pub(crate) about: String,
    /// Is done before the server is asked.
    pub(crate) first: Callback<()>,
}

impl AcknowledgeButton {
    /// The button of one notice.
    pub(super) fn of(id: NoticeId, about: String) -> Self {
        Self {
            ids: vec![id],
            name: texts::ACKNOWLEDGE,
            asking: texts::ACKNOWLEDGE,
            about,
            first: Callback::new(|()| ()),
        }
    }

    pub(crate) fn draw(self) -> AnyView {
        let Self {
            ids,
            name,
            asking: words,
            about,
            first,
        } = self;
        let channel = expect_context::<Channel>();
        let asking = {
            let ids = ids.clone();
            Memo::new(move |_| {
                let pending = channel.pending.read();
                let of = |command: &Command| matches!(command, Command::Acknowledge { notice } if ids.contains(notice));
                pending.iter().any(|pending| of(&pending.command))
            })
        };
        let barred = channel.bars();
        let act = press(move || {
            if barred.is_some() || asking.get_untracked() {
                return;
            }
            first.run(());
            for id in &ids {
                channel.command(Command::Acknowledge { notice: *id });
            }
        });
        let about = (!about.is_empty())
            .then(|| view! { <span class="visually-hidden">": " {about}</span> });
        let text = live_text(move || if asking.get() { words } else { name }.to_owned());
        view! {
            <button
                type="button"
                class="button button--small"
                aria-disabled=live(move || (barred.is_some() || asking.get()).then_some("true"))
                title=barred
                on:click=act
            >
                {text}
                {about}
            </button>
        }
        .into_any()
    }
}
