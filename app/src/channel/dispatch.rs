//! The effect of each frame from the server.

use kit::browser;
use leptos::prelude::*;
use outbox::Accepted;
use protocol::{
    ClientFrame, Command, CommandId, ConversationId, ErrorBody, EventBody, PROTOCOL_VERSION,
    ServerFrame, Timestamp, Topic,
};
use transcript::Gap;

use super::{BoardNews, Channel, Connection, FeedNews};
use crate::{conversation::Conversation, texts::api as texts};

/// The tab's storage key for having reloaded for a new protocol, so that it does not do so forever.
const RELOADED: &str = "jarvis.reloaded";

/// This page is too old for the server's protocol.
pub(super) struct Outdated;

impl Channel {
    /// Handles a frame.
    pub(super) fn receive(self, frame: ServerFrame) -> Result<(), Outdated> {
        match frame {
            ServerFrame::Hello {
                protocol,
                build,
                now,
            } => return self.greet(protocol, &build, now),
            ServerFrame::Subscribed { conversation, .. } => {
                self.caught_up(conversation);
                self.change_outbox(|outbox| outbox.caught_up(conversation));
                if let Some(shown) = self.shown(conversation) {
                    shown.revive();
                }
            }
            ServerFrame::Unsubscribed {
                conversation,
                error,
            } => {
                if let Some(shown) = self.shown(conversation) {
                    self.caught_up(conversation);
                    self.opened.remove(conversation);
                    shown.end(error);
                }
            }
            ServerFrame::Events {
                conversation,
                events,
            } => {
                let Some(shown) = self.shown(conversation) else {
                    return Ok(());
                };
                for event in &events {
                    if let EventBody::TurnStarted { text, .. }
                    | EventBody::MessageQueued { text, .. }
                    | EventBody::MessageSteered { text, .. } = &event.body
                    {
                        self.change_outbox(|outbox| outbox.see(conversation, text));
                    }
                }
                self.mind_the_gap(&shown, shown.apply(events));
            }
            ServerFrame::Block {
                conversation,
                block,
                message,
                index,
                kind,
                text,
            } => {
                if let Some(shown) = self.shown(conversation) {
                    self.state.update_value(|state| {
                        state.blocks.push((block, conversation));
                    });
                    shown.apply_block(block, message, index, &kind, &text);
                }
            }
            ServerFrame::Delta {
                block,
                offset,
                text,
            } => {
                let of = self
                    .state
                    .try_with_value(|state| {
                        let mut known = state.blocks.iter().rev();
                        known.find(|(known, _)| *known == block).map(|(_, of)| *of)
                    })
                    .flatten();
                // A block of a conversation that has left the view is ignored; one that was never
                // announced is a gap.
                for shown in self.followed() {
                    if of.is_none_or(|of| of == shown.id()) {
                        self.mind_the_gap(&shown, shown.apply_delta(block, offset, &text));
                    }
                }
            }
            ServerFrame::Progress {
                conversation,
                call,
                message,
            } => {
                if let Some(shown) = self.shown(conversation) {
                    shown.apply_progress(call, &message);
                }
            }
            ServerFrame::Waiting {
                conversation,
                turn,
                error,
                until,
            } => {
                if let Some(shown) = self.shown(conversation) {
                    shown.apply_waiting(turn, error, until);
                }
            }
            ServerFrame::Accepted { id } => self.accepted(id),
            ServerFrame::Rejected { id, error } => self.refuse(id, error),
            ServerFrame::Conversation { summary } => {
                // The conversation was restored: its view continues.
                if let Some(shown) = self.shown(summary.id) {
                    let ended = shown.ended().get_untracked().is_some();
                    if ended {
                        self.subscribe(&shown);
                    }
                }
                self.opened.link(&summary);
                self.opened.hear_of(&summary);
                self.list.put(summary);
            }
            ServerFrame::Names { names } => {
                self.names().set(names);
                self.named.try_set(());
                self.opened.relink();
            }
            ServerFrame::KillSwitch { state } => {
                self.kill_switch.try_set(state);
            }
            ServerFrame::Notices { count, raised } => {
                if self.noticed.try_get_untracked() != Some(count) {
                    self.noticed.try_set(count);
                }
                if raised.is_some() {
                    self.raised.try_set(raised);
                }
            }
            ServerFrame::Storage { error } => {
                self.unsaved.try_set(error);
            }
            ServerFrame::Seconds { calls } => {
                self.list.seconds.try_set(calls);
            }
            ServerFrame::ConversationRemoved { conversation } => {
                self.list.remove(conversation);
                self.opened.remove(conversation);
                if let Some(shown) = self.shown(conversation) {
                    shown.end(deleted());
                }
            }
            ServerFrame::Board {
                board,
                whole,
                put,
                gone,
            } => {
                if let Some(watched) = self.watched()
                    && watched.board == board
                {
                    (watched.show)(BoardNews { whole, put, gone });
                }
            }
            ServerFrame::Feed { rev, entries, gap } => self.fed(rev, FeedNews { entries, gap }),
            ServerFrame::BoardRefused { error, .. } => self.toasts.error(error),
            ServerFrame::Error { error } => self.toasts.error(error),
            ServerFrame::Perform {
                conversation,
                call,
                tool,
                data,
                ..
            } => self.perform(conversation, call, tool, data),
            ServerFrame::Staged { call, tab, .. } => self.put_staged(call, tab),
            ServerFrame::Pong { .. } | ServerFrame::Unknown => {}
        }
        Ok(())
    }

    /// Handles the loss of the connection.
    pub(super) fn lost(self) {
        for shown in self.followed() {
            shown.forget_live();
        }
        self.state.try_update_value(|state| {
            state.blocks.clear();
            state.catching_up.clear();
        });
    }

    fn greet(self, protocol: u32, build: &str, now: Timestamp) -> Result<(), Outdated> {
        if protocol != PROTOCOL_VERSION {
            self.connection.try_set(Connection::Outdated);
            if browser::recall(RELOADED).as_deref() != Some(build) {
                browser::remember(RELOADED, build);
                browser::reload();
            }
            return Err(Outdated);
        }
        self.clock.set_server_time(now);
        // The server reports it with the list.
        self.unsaved.try_set(None);
        self.newer
            .try_set(browser::page_build().is_some_and(|own| own != build));
        self.connection.try_set(Connection::Live);
        self.send(&ClientFrame::Subscribe {
            topic: Topic::Conversations {
                since: self.list.newest(),
            },
        });
        // Before the commands: the server must know which tab they come from.
        self.subscribe_stage();
        // Before the subscription: a conversation that is yet to be started exists only then.
        let unanswered = self.state.try_update_value(|state| state.outbox.repeat());
        for (id, command) in unanswered.unwrap_or_default() {
            self.send(&ClientFrame::Command { id, command });
        }
        for shown in self.followed() {
            self.subscribe(&shown);
        }
        self.subscribe_board();
        self.subscribe_feed();
        Ok(())
    }

    fn accepted(self, id: CommandId) {
        let accepted = self.change_outbox(|outbox| outbox.accept(id)).flatten();
        let Some(Accepted { command, is_unseen }) = accepted else {
            return;
        };
        let look_at = match command {
            Command::Branch {
                from, conversation, ..
            } => {
                self.branched.try_set(Some((from, conversation)));
                return;
            }
            Command::Start { conversation, .. } | Command::Act { conversation, .. } => conversation,
            // The page may already have come with it.
            Command::Send { conversation, .. } | Command::Steer { conversation, .. }
                if is_unseen && !self.is_catching_up(conversation) =>
            {
                conversation
            }
            _ => return,
        };
        if let Some(shown) = self.shown(look_at) {
            self.subscribe(&shown);
        }
    }

    fn refuse(self, id: CommandId, error: ErrorBody) {
        // Refused only because this server is shutting down: the next one takes it.
        if error.code == protocol::ErrorCode::ShuttingDown {
            return;
        }
        let refused = self
            .change_outbox(|outbox| outbox.refuse(id, error.clone()))
            .flatten();
        // A refused message is shown in its place, with its text.
        self.refused.try_set(Some(id));
        match refused {
            // The answer was too late, or another tab has the call now.
            Some(Command::Performed { .. }) => {}
            // It ended by itself while somebody stopped it.
            Some(Command::Stop { .. }) if error.code == protocol::ErrorCode::TurnNotFound => {}
            Some(command) if command.message().is_some() => {}
            _ => self.toasts.error(error),
        }
    }

    fn caught_up(self, id: ConversationId) {
        self.state
            .update_value(|state| state.catching_up.retain(|other| *other != id));
    }

    /// Resubscribes for missing events, at most once at a time.
    fn mind_the_gap(self, shown: &Conversation, result: Result<(), Gap>) {
        if result.is_ok() {
            return;
        }
        if !self.is_catching_up(shown.id()) {
            shown.forget_live();
            self.subscribe(shown);
        }
    }

    /// Returns whether the answer to a subscription is on its way.
    fn is_catching_up(self, id: ConversationId) -> bool {
        self.state
            .try_with_value(|state| state.catching_up.contains(&id))
            .unwrap_or(true)
    }
}

fn deleted() -> ErrorBody {
    ErrorBody::new(
        protocol::ErrorCode::ConversationNotFound,
        texts::THIS_CONVERSATION_WAS_DELETED,
    )
}
