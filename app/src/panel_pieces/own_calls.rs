//! Calls of the person's own that a page begins and shows; the gate decides on them as on every other.

use kit::browser;
use leptos::prelude::*;
use protocol::{Command, ConversationId, OwnCall, Timestamp};

use crate::{
    channel::{Channel, Connection},
    chat::own_call,
    texts::{common, panel_pieces as texts},
};

/// The person's own calls, as one page has them.
#[derive(Clone, Copy)]
pub(crate) struct PageCalls {
    pub(crate) channel: Channel,
    /// Those that were begun here: their cards scroll into view.
    begun: StoredValue<Vec<ConversationId>>,
}

impl PageCalls {
    pub(crate) fn new() -> Self {
        Self {
            channel: expect_context::<Channel>(),
            begun: StoredValue::new(Vec::new()),
        }
    }

    /// Returns the calls about a thing, newest first.
    pub(crate) fn about(self, is_about: &dyn Fn(&OwnCall) -> bool) -> Vec<ConversationId> {
        let actions = self.channel.list.actions.read();
        let about = actions
            .iter()
            .filter(|it| it.action.as_deref().is_some_and(is_about));
        about.map(|line| line.id).collect()
    }

    /// Returns the calls about a thing that are not over, newest first: whether each waits for a person.
    pub(crate) fn open(self, is_about: &dyn Fn(&OwnCall) -> bool) -> Vec<bool> {
        let actions = self.channel.list.actions.read();
        let open = actions
            .iter()
            .filter(|it| it.running && it.action.as_deref().is_some_and(is_about));
        open.map(|line| !line.waiting.is_empty()).collect()
    }

    /// Returns the reason why no call about a thing can begin now, if there is one. `of_thing`: the one
    /// that the thing itself gives.
    pub(crate) fn why_not(
        self,
        is_about: &dyn Fn(&OwnCall) -> bool,
        of_thing: Option<String>,
    ) -> Option<String> {
        let channel = self.channel;
        if let Some(reason) = channel.bars().map(str::to_owned).or(of_thing) {
            return Some(reason);
        }
        if channel.kill_switch.read().on {
            return Some(common::KILL_SWITCH_BLOCKS_ACTIONS.to_owned());
        }
        if channel.connection.get() != Connection::Live {
            return Some(texts::NO_CONNECTION.to_owned());
        }
        let pending = channel.pending.read();
        let mut commands = pending.iter().map(|pending| &pending.command);
        if commands.any(|command| matches!(command, Command::Act { .. })) {
            return Some(texts::ASKING_SERVER.to_owned());
        }
        let is_open = !self.open(is_about).is_empty();
        is_open.then(|| texts::LAST_ACTION_UNFINISHED.to_owned())
    }

    /// Returns the calls that were begun here, newest first: whether each runs, and the time of its newest
    /// event.
    pub(super) fn begun_here(self) -> Vec<(ConversationId, bool, Timestamp)> {
        let actions = self.channel.list.actions.read();
        let here = actions.iter().filter(|line| self.is_begun_here(line.id));
        here.map(|line| (line.id, line.running, line.updated))
            .collect()
    }

    /// Begins a call, and returns its journal.
    pub(crate) fn begin(self, OwnCall { tool, input }: OwnCall) -> ConversationId {
        let conversation = browser::new_conversation_id();
        self.begun
            .try_update_value(|begun| begun.push(conversation));
        self.channel.command(Command::Act {
            conversation,
            tool,
            input,
        });
        conversation
    }

    /// Draws the card of a call.
    pub(crate) fn card(self, id: ConversationId) -> AnyView {
        own_call(id, self.is_begun_here(id))
    }

    /// A drawing may outlive its calls by a tick: then none was.
    fn is_begun_here(self, id: ConversationId) -> bool {
        let begun = self.begun.try_with_value(|begun| begun.contains(&id));
        begun.unwrap_or(false)
    }
}
