//! The stage of a page: where tools of a toolset show what they made, or do what only an open page can.
//!
//! The server decides which tab has a call, and asks it. What the tab says goes back as a command, so
//! that it is said again after a break; the same call is not carried out again for that.

use std::sync::Arc;

use leptos::{leptos_dom::helpers::window_event_listener_untyped, prelude::*};
use protocol::{CallId, ClientFrame, Command, ConversationId, Performed, TabId, Topic};
use serde_json::Value;

use super::{Channel, Connection};
use crate::browser;

/// Where the tab keeps its name from one page to the next. Only then: a tab that is made as a copy of
/// another one would else have the same.
const TAB: &str = "jarvis.tab";

/// Calls whose answers, and whose places, are remembered.
const REMEMBERED: usize = 64;

/// What a tool wants of the stage.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    conversation: ConversationId,
    call: CallId,
    pub(crate) tool: String,
    pub(crate) data: Value,
}

/// The stage that the page shows.
#[derive(Clone)]
struct Shown {
    toolset: &'static str,
    /// The conversation beside it.
    conversation: Option<ConversationId>,
    perform: Arc<dyn Fn(Wanted) + Send + Sync>,
}

/// Of the stage, what is not drawn.
#[derive(Default)]
pub(super) struct Stage {
    tab: Option<TabId>,
    shown: Option<Shown>,
    answers: Vec<(CallId, Performed)>,
}

/// Where a running call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    Here,
    /// In another tab; this one could take it.
    Elsewhere {
        could_take: bool,
    },
    /// No page is open that could have it.
    Nowhere,
}

impl Channel {
    /// Shows the stage of a toolset: what its tools want of it goes to `perform`.
    pub(crate) fn enter_stage(
        self,
        toolset: &'static str,
        perform: impl Fn(Wanted) + Send + Sync + 'static,
    ) {
        let shown = Shown {
            toolset,
            conversation: None,
            perform: Arc::new(perform),
        };
        self.stage
            .try_update_value(|stage| stage.shown = Some(shown));
        self.has_stage.try_set(true);
        self.subscribe_stage();
    }

    /// Another conversation is beside the stage, or none.
    pub(crate) fn beside_stage(self, conversation: Option<ConversationId>) {
        let changed = self.stage.try_update_value(|stage| {
            let shown = stage.shown.as_mut()?;
            let before = std::mem::replace(&mut shown.conversation, conversation);
            (before != conversation).then_some(())
        });
        if changed.flatten().is_some() {
            self.subscribe_stage();
        }
    }

    /// Shows no stage any more.
    pub(crate) fn leave_stage(self) {
        let topic = self.stage_topic();
        self.stage.try_update_value(|stage| stage.shown = None);
        self.has_stage.try_set(false);
        if let Some(topic) = topic
            && self.connection.get_untracked() == Connection::Live
        {
            self.send(&ClientFrame::Unsubscribe { topic });
        }
    }

    /// Says what came of what a tool wanted.
    pub(crate) fn performed(self, wanted: &Wanted, result: Performed) {
        let tab = self.stage.try_update_value(|stage| {
            stage.answers.push((wanted.call, result.clone()));
            let over = stage.answers.len().saturating_sub(REMEMBERED);
            stage.answers.drain(..over);
            stage.tab
        });
        if let Some(tab) = tab.flatten() {
            self.command(Command::Performed {
                conversation: wanted.conversation,
                call: wanted.call,
                tab,
                result,
            });
        }
    }

    /// Carries a running call out here, in place of another tab.
    pub(crate) fn take_over(self, conversation: ConversationId, call: CallId) {
        if let Some(tab) = self.stage.try_with_value(|stage| stage.tab).flatten() {
            self.command(Command::TakeOver {
                conversation,
                call,
                tab,
            });
        }
    }

    /// Where a call is that needs a page; none if it needs none.
    pub(crate) fn place_of(self, call: CallId) -> Option<At> {
        let staged = self.staged.read();
        let (_, at) = staged.iter().find(|(known, _)| *known == call)?;
        let own = self.stage.try_with_value(|stage| stage.tab).flatten();
        Some(match at {
            None => At::Nowhere,
            Some(_) if *at == own => At::Here,
            Some(_) => At::Elsewhere {
                could_take: self.has_stage.get(),
            },
        })
    }

    /// Takes up the name of this tab, and tells the server when the page comes out of sight. Call it
    /// once, in the browser.
    pub(super) fn start_stage(self) {
        let kept = browser::recall(TAB).and_then(|kept| kept.parse().ok());
        let tab: TabId = kept.unwrap_or_else(browser::new_tab_id);
        browser::remember(TAB, "");
        self.stage.update_value(|stage| stage.tab = Some(tab));
        window_event_listener_untyped("pagehide", move |_| {
            browser::remember(TAB, &tab.to_string());
        });
        window_event_listener_untyped("pageshow", |_| browser::remember(TAB, ""));
        window_event_listener_untyped("visibilitychange", move |_| self.subscribe_stage());
    }

    pub(super) fn subscribe_stage(self) {
        if self.connection.get_untracked() == Connection::Live
            && let Some(topic) = self.stage_topic()
        {
            self.send(&ClientFrame::Subscribe { topic });
        }
    }

    fn stage_topic(self) -> Option<Topic> {
        let topic = self.stage.try_with_value(|stage| {
            let shown = stage.shown.as_ref()?;
            Some(Topic::Stage {
                toolset: shown.toolset.to_owned(),
                tab: stage.tab?,
                conversation: shown.conversation,
                visible: browser::visible(),
            })
        });
        topic.flatten()
    }

    /// This tab is to show something, or to do it.
    pub(super) fn perform(
        self,
        (conversation, call): (ConversationId, CallId),
        tool: String,
        data: Value,
    ) {
        let wanted = Wanted {
            conversation,
            call,
            tool,
            data,
        };
        let known = self.stage.try_with_value(|stage| {
            let answer = stage.answers.iter().find(|(known, _)| *known == call);
            let perform = stage.shown.as_ref().map(|it| Arc::clone(&it.perform));
            (answer.map(|(_, answer)| answer.clone()), perform)
        });
        match known {
            // It is asked again because the answer was not heard.
            Some((Some(answer), _)) => self.performed(&wanted, answer),
            Some((None, Some(perform))) => perform(wanted),
            // The page has just gone; the server hears that as well.
            Some((None, None)) | None => {}
        }
    }

    /// The server says which tab has a call.
    pub(super) fn put_staged(self, call: CallId, tab: Option<TabId>) {
        self.staged.try_update(|staged| {
            staged.retain(|(known, _)| *known != call);
            staged.push((call, tab));
            let over = staged.len().saturating_sub(REMEMBERED);
            staged.drain(..over);
        });
    }
}
