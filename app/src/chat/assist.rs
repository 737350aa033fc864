//! Help with writing: earlier messages, commands, kept prompts, and names of things.
//!
//! What helps is a part of the module that is loaded when the field has the focus. Here is what the
//! composer and that part know of each other.
//!
//! A message that begins with a slash waits for the part. Commands never reach the server; a text
//! that is not wholly a command, such as `/etc/hosts`, is a message. A mention goes into the text
//! by its identifier and beside it as a reference: a name that somebody gave to a guest must not
//! become the person's word.

mod entry;
mod offers;
mod recall;
mod save;
mod slash;
mod token;

use leptos::{ev, html, prelude::*};
use protocol::{ConversationId, Reference};

use self::entry::assist_part;
use super::composer::Running;
use crate::ui::live_view;

/// The list of what is offered: there is one composer on a page.
pub(super) const LIST: &str = "composer-offers";

/// One of the person's own messages, counted from the newest.
pub(super) type Earlier = Callback<usize, Option<String>>;

/// What helps with one field.
#[derive(Clone, Copy)]
pub(super) struct Assist {
    pub(super) field: NodeRef<html::Textarea>,
    /// What the message is about.
    pub(super) about: RwSignal<Vec<Reference>>,
    /// To be called when the text of the field was changed.
    pub(super) changed: Callback<()>,
    pub(super) here: Option<ConversationId>,
    pub(super) running: Option<Running>,
    pub(super) earlier: Option<Earlier>,
    /// Where the part has been loaded: what it does.
    hooks: StoredValue<Option<Hooks>>,
    wanted: RwSignal<bool>,
    /// Sends what waits for the part.
    due: StoredValue<Option<Callback<()>>>,
    /// The place in the list that is chosen, while it is open.
    pub(super) chosen: RwSignal<Option<usize>>,
}

/// What the part does.
#[derive(Clone, Copy)]
struct Hooks {
    /// A key; gives whether it was for the part.
    key: Callback<ev::KeyboardEvent, bool>,
    /// The text or the caret is another.
    look: Callback<()>,
    /// Gives whether a text is a command. Then it was carried out.
    command: Callback<String, bool>,
    /// Asks for a name for a text, to keep it.
    save: Callback<String>,
    close: Callback<()>,
}

impl Assist {
    pub(super) fn new(
        field: NodeRef<html::Textarea>,
        about: RwSignal<Vec<Reference>>,
        changed: Callback<()>,
        here: Option<ConversationId>,
        running: Option<Running>,
        earlier: Option<Earlier>,
    ) -> Self {
        Self {
            field,
            about,
            changed,
            here,
            running,
            earlier,
            hooks: StoredValue::new(None),
            wanted: RwSignal::new(false),
            due: StoredValue::new(None),
            chosen: RwSignal::new(None),
        }
    }

    fn hooks(self) -> Option<Hooks> {
        self.hooks.try_get_value().flatten()
    }

    /// The field has the focus.
    pub(super) fn want(self) {
        if !self.wanted.get_untracked() {
            self.wanted.set(true);
        }
    }

    pub(super) fn key(self, event: &ev::KeyboardEvent) -> bool {
        let taken = self.hooks().is_some_and(|it| it.key.run(event.clone()));
        if taken {
            event.prevent_default();
            event.stop_propagation();
        }
        taken
    }

    /// A key was let go: the caret may be elsewhere.
    pub(super) fn moved(self, event: &ev::KeyboardEvent) {
        if matches!(&*event.key(), "ArrowLeft" | "ArrowRight" | "Home" | "End") {
            self.look();
        }
    }

    pub(super) fn is_open(self) -> bool {
        self.chosen.get().is_some()
    }

    /// The line of the list that is chosen.
    pub(super) fn line(self) -> Option<String> {
        self.chosen.get().map(line_id)
    }

    pub(super) fn look(self) {
        if let Some(hooks) = self.hooks() {
            hooks.look.run(());
        }
    }

    pub(super) fn close(self) {
        if let Some(hooks) = self.hooks() {
            hooks.close.run(());
        }
    }

    /// Whether a text is for the page and not for the assistant. `again` runs when that is known,
    /// if it is not yet.
    pub(super) fn takes(self, text: &str, again: Callback<()>) -> bool {
        if !text.starts_with('/') {
            return false;
        }
        match self.hooks() {
            Some(hooks) => hooks.command.run(text.to_owned()),
            None if self.due.try_get_value().flatten().is_some() => false,
            None => {
                self.due.set_value(Some(again));
                self.want();
                true
            }
        }
    }

    pub(super) fn save(self) {
        if let (Some(hooks), Some(field)) = (self.hooks(), self.field.get_untracked()) {
            hooks.save.run(field.value());
        }
    }

    /// The part is there, or could not be loaded.
    fn settle(self) {
        if let Some(due) = self.due.try_get_value().flatten() {
            due.run(());
            self.due.try_set_value(None);
        }
    }
}

fn line_id(at: usize) -> String {
    format!("{LIST}-{at}")
}

/// Where the part draws what it offers.
pub(super) fn assist(assist: Assist) -> AnyView {
    live_view(move || {
        if !assist.wanted.get() {
            return ().into_any();
        }
        view! {
            <Suspense fallback=|| ()>
                {move || Suspend::new(async move {
                    match assist_part(assist).await {
                        Ok(part) => part,
                        Err(error) => {
                            leptos::logging::warn!("{error}");
                            assist.settle();
                            // The next focus asks again.
                            request_animation_frame(move || {
                                assist.wanted.try_set(false);
                            });
                            ().into_any()
                        }
                    }
                })}
            </Suspense>
        }
        .into_any()
    })
}
