//! Help with writing: earlier messages, commands, prompts, and names of things.
//!
//! The code that helps is a part of the module that is loaded when the field gets the focus. This
//! file is the interface between the composer and that part.
//!
//! A message that begins with a slash waits for the part. Commands never reach the server; a text
//! that is not entirely a command, such as `/etc/hosts`, is a message. A mention goes into the text
//! by its name and beside it as a reference, which goes when the words do.

mod entry;
mod offers;
mod recall;
mod save;
mod slash;
mod token;

use kit::live_view;
use leptos::{ev, html, prelude::*};
use protocol::{ConversationId, Reference};

use self::entry::assist_part;
use super::running_turn::RunningTurn;

/// Id of the list of offers: there is one composer on a page.
pub(super) const LIST: &str = "composer-offers";

/// One of the person's own messages, counted from the newest.
pub(super) type Earlier = Callback<usize, Option<String>>;

/// The help of one field.
#[derive(Clone, Copy)]
pub(super) struct Assist {
    pub(super) field: NodeRef<html::Textarea>,
    /// Things that the message refers to.
    pub(super) about: RwSignal<Vec<Reference>>,
    /// Call it after a change of the field's text.
    pub(super) changed: Callback<()>,
    pub(super) here: Option<ConversationId>,
    pub(super) running: Option<RunningTurn>,
    pub(super) earlier: Option<Earlier>,
    /// The functions of the part, once it is loaded.
    hooks: StoredValue<Option<Hooks>>,
    wanted: RwSignal<bool>,
    /// Sends the message that waits for the part.
    due: StoredValue<Option<Callback<()>>>,
    /// Index of the selected line of the list, while it is open.
    pub(super) chosen: RwSignal<Option<usize>>,
}

/// The functions of the part.
#[derive(Clone, Copy)]
struct Hooks {
    /// Handles a key; returns whether the part took it.
    key: Callback<ev::KeyboardEvent, bool>,
    /// Handles a change of the text or the caret.
    look: Callback<()>,
    /// Carries out a text if it is a command; returns whether it was one.
    command: Callback<String, bool>,
    /// Asks for a name under which to save a text.
    save: Callback<String>,
    close: Callback<()>,
}

impl Assist {
    pub(super) fn new(
        field: NodeRef<html::Textarea>,
        about: RwSignal<Vec<Reference>>,
        changed: Callback<()>,
        here: Option<ConversationId>,
        running: Option<RunningTurn>,
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

    /// Loads the part, as the field has the focus.
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

    /// Handles the release of a key: the caret may have moved.
    pub(super) fn moved(self, event: &ev::KeyboardEvent) {
        if matches!(&*event.key(), "ArrowLeft" | "ArrowRight" | "Home" | "End") {
            self.look();
        }
    }

    pub(super) fn is_open(self) -> bool {
        self.chosen.get().is_some()
    }

    /// Returns the id of the selected line of the list.
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

    /// Returns whether a text is for the page and not for the assistant. `again` runs once that is
    /// known, if it is not yet.
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

    /// Runs after the part is loaded, or could not be.
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

/// Draws the part's offers.
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
                            // The next focus tries again.
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
