//! The stage of a page: where tools of a toolset show results, or do work that only an open page
//! can do.
//!
//! The server decides which tab has a call, and sends it a request. The tab's answer goes back as a
//! command, so it is repeated after a lost connection; the call itself is not carried out again for
//! that.

use std::sync::Arc;

use kit::browser;
use leptos::{leptos_dom::helpers::window_event_listener_untyped, prelude::*};
use protocol::{CallId, ClientFrame, Command, ConversationId, Performed, TabId, Topic};
use serde_json::Value;

use super::{Channel, Connection};

/// The tab's storage key for its name, only between one page and the next: otherwise a tab
/// duplicated from another would have the same name.
const TAB: &str = "jarvis.tab";

/// Number of calls whose answers and places are remembered.
const REMEMBERED: usize = 64;

/// A tool's request to the stage.
#[derive(Debug, Clone)]
pub(crate) struct WantedStage {
    conversation: ConversationId,
    call: CallId,
    pub(crate) tool: String,
    pub(crate) data: Value,
}

/// The stage that the page shows.
#[derive(Clone)]
struct ShownStage {
    toolset: &'static str,
    /// The conversation beside it.
    conversation: Option<ConversationId>,
    perform: Arc<dyn Fn(WantedStage) + Send + Sync>,
}

/// State of the stage that is not drawn.
#[derive(Default)]
pub(super) struct Stage {
    tab: Option<TabId>,
    shown: Option<ShownStage>,
    answers: Vec<(CallId, Performed)>,
}

/// The place of a running call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StagePlace {
    Here,
    /// In another tab; this one could take it over.
    Elsewhere {
        could_take: bool,
    },
    /// No open page could have it.
    Nowhere,
}

impl Channel {
    /// Shows the stage of a toolset: requests of its tools go to `perform`.
    pub(crate) fn enter_stage(
        self,
        toolset: &'static str,
        perform: impl Fn(WantedStage) + Send + Sync + 'static,
    ) {
        let shown = ShownStage {
            toolset,
            conversation: None,
            perform: Arc::new(perform),
        };
        self.stage
            .try_update_value(|stage| stage.shown = Some(shown));
        self.has_stage.try_set(true);
        self.subscribe_stage();
    }

    /// Sets the conversation beside the stage, or none.
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

    /// Ends the stage.
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

    /// Reports the result of a tool's request.
    pub(crate) fn performed(self, wanted: &WantedStage, result: Performed) {
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

    /// Takes over a running call from another tab.
    pub(crate) fn take_over(self, conversation: ConversationId, call: CallId) {
        if let Some(tab) = self.stage.try_with_value(|stage| stage.tab).flatten() {
            self.command(Command::TakeOver {
                conversation,
                call,
                tab,
            });
        }
    }

    /// Returns the place of a call that needs a page; none if it needs none.
    pub(crate) fn place_of(self, call: CallId) -> Option<StagePlace> {
        let staged = self.staged.read();
        let (_, at) = staged.iter().find(|(known, _)| *known == call)?;
        let own = self.stage.try_with_value(|stage| stage.tab).flatten();
        Some(match at {
            None => StagePlace::Nowhere,
            Some(_) if *at == own => StagePlace::Here,
            Some(_) => StagePlace::Elsewhere {
                could_take: self.has_stage.get(),
            },
        })
    }

    /// Restores the name of this tab, and tells the server when the page is hidden. Call it once,
    /// in the browser.
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

    /// Handles a request to show something, or to do it.
    pub(super) fn perform(
        self,
        conversation: ConversationId,
        call: CallId,
        tool: String,
        data: Value,
    ) {
        let wanted = WantedStage {
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
            // Asked again because the answer was lost.
            Some((Some(answer), _)) => self.performed(&wanted, answer),
            Some((None, Some(perform))) => perform(wanted),
            // The page has just closed; the server learns that as well.
            Some((None, None)) | None => {}
        }
    }

    /// Records which tab has a call.
    pub(super) fn put_staged(self, call: CallId, tab: Option<TabId>) {
        self.staged.try_update(|staged| {
            staged.retain(|(known, _)| *known != call);
            staged.push((call, tab));
            let over = staged.len().saturating_sub(REMEMBERED);
            staged.drain(..over);
        });
    }
}
