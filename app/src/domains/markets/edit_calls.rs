//! Edits of drawings by hand, as calls: one after the other, each with the version that the
//! previous one returned.

use kit::{browser, effect};
use leptos::prelude::*;
use markets_wire::Symbol;
use protocol::{Command, ConversationId, ErrorBody, ErrorCode, FromJson};
use serde_json::{Value, json};
use transcript::ToolState;

use super::{
    drawing::{Drawing, call_of},
    edit::{Course, Edit, Edits, Sent},
    page_state::ChartPageState,
    texts,
    undo::inverse,
};
use crate::conversation::{Conversation, RowViewContent};

/// The outcome of a call.
enum EditEnd {
    /// It is done, with its result.
    Done(Value),
    Failed(ErrorBody),
    /// A person has to decide first.
    Waits,
}

impl ChartPageState {
    /// Queues a shape drawn by hand.
    pub(super) fn drawn(self, shape: &Value, symbol: Symbol) {
        match call_of(shape, symbol, self.for_me.get_untracked()) {
            Some((tool, input)) => self.edit(Edit::Call { tool, input }),
            None => leptos::logging::error!("a shape that is not known: {shape}"),
        }
    }

    /// Queues a change of a drawing's content.
    pub(super) fn change(self, id: &str, reason: &str, changes: Value) {
        self.edit(Edit::Update {
            id: id.to_owned(),
            reason: reason.to_owned(),
            changes,
        });
    }

    /// Queues what a person says happened to a position.
    pub(super) fn happened(self, id: &str, reason: &str, event: Value) {
        self.edit(Edit::Event {
            id: id.to_owned(),
            reason: reason.to_owned(),
            event,
        });
    }

    pub(super) fn remove(self, id: &str, reason: &str) {
        let reason = match reason.trim() {
            "" => texts::drawings::reasons::REMOVED,
            reason => reason,
        };
        self.edit(Edit::Remove {
            id: id.to_owned(),
            reason: reason.to_owned(),
        });
    }

    /// Queues the undoing of a turn of the assistant.
    pub(super) fn undo(self, group: &str) {
        let input = json!({ "group": group });
        self.edit(Edit::Call {
            tool: "undo_turn",
            input,
        });
    }

    /// Queues a call about an alert.
    pub(super) fn call(self, tool: &'static str, input: Value) {
        self.edit(Edit::Call { tool, input });
    }

    fn edit(self, edit: Edit) {
        self.queue(edit, Course::Forward);
    }

    pub(super) fn queue(self, edit: Edit, course: Course) {
        let queue = self.edits.queue;
        queue.try_update_value(|queue| queue.push((edit, course)));
        self.send_next();
    }

    /// Follows the calls to their end. Call it once, at the start of the page.
    pub(super) fn follow_edits(self) {
        let Edits { channel, sent, .. } = self.edits;
        effect(move || {
            let Some(now) = sent.get() else {
                return;
            };
            let refused = channel.refused.get() == Some(now.command);
            let end = match end_of(&now.conversation) {
                Some(end) => end,
                // The reason was shown when the refusal arrived.
                None if refused => {
                    self.finish(&now, None);
                    return;
                }
                None => return,
            };
            self.finish(&now, Some(end));
        });
        on_cleanup(move || {
            if let Some(now) = sent.try_get_untracked().flatten() {
                channel.leave(now.view);
            }
        });
    }

    fn finish(self, now: &Sent, end: Option<EditEnd>) {
        let channel = self.edits.channel;
        channel.leave(now.view);
        let is_alert = matches!(
            now.edit,
            Edit::Call {
                tool: "set_alert",
                ..
            }
        );
        let put_back = match end {
            Some(EditEnd::Done(_)) if is_alert => {
                self.edits.alert.set(Some(String::new()));
                false
            }
            Some(EditEnd::Failed(error)) if is_alert => {
                self.edits.alert.set(Some(error.message));
                false
            }
            Some(EditEnd::Done(data)) => {
                let record = data.get("drawing").cloned();
                let made = record.and_then(Drawing::from_json);
                self.note_done(&now.course, now.inverse.clone(), made.as_ref());
                if let Some(made) = made {
                    self.note_returned(made);
                }
                false
            }
            Some(EditEnd::Failed(error)) => {
                channel.toasts.error(error);
                true
            }
            Some(EditEnd::Waits) | None => true,
        };
        if put_back && let Some(id) = now.edit.drawing() {
            self.put_back(id);
        }
        self.edits.sent.set(None);
        // Not while the effects of these signals run.
        leptos::task::spawn_local(async move { self.send_next() });
    }

    fn note_returned(self, made: Drawing) {
        self.edits.returned.update_value(|returned| {
            returned.retain(|known| known.id() != made.id());
            returned.push(made);
        });
    }

    /// Returns the newest known record of a drawing, of the board or of a call.
    fn newest(self, id: &str) -> Option<Drawing> {
        let board = untrack(|| self.drawing(id));
        let returned = self.edits.returned.with_value(|returned| {
            let known = returned.iter().find(|known| known.id() == id);
            known.cloned()
        });
        let is_newer = |it: &Drawing| {
            let board = board.as_ref().map(Drawing::version);
            board.is_none_or(|board| board < it.version())
        };
        returned.filter(is_newer).or(board)
    }

    fn send_next(self) {
        let Edits {
            channel,
            queue,
            sent,
            ..
        } = self.edits;
        if sent.try_with_untracked(Option::is_some) != Some(false) {
            return;
        }
        let Some((edit, course)) = queue
            .try_update_value(|queue| (!queue.is_empty()).then(|| queue.remove(0)))
            .flatten()
        else {
            return;
        };
        let before = edit.drawing().and_then(|id| self.newest(id));
        let version = before.as_ref().map(Drawing::version).unwrap_or_default();
        let (tool, input) = match &edit {
            Edit::Call { tool, input } => (*tool, input.clone()),
            Edit::Update {
                id,
                reason,
                changes,
            } => {
                let input = json!({
                    "id": id,
                    "expected_version": version,
                    "reason": reason,
                    "changes": changes,
                });
                ("update_drawing", input)
            }
            Edit::Event { id, reason, event } => {
                let input = json!({
                    "id": id,
                    "expected_version": version,
                    "reason": reason,
                    "event": event,
                });
                ("update_drawing", input)
            }
            Edit::Remove { id, reason } => {
                let input = json!({ "id": id, "expected_version": version, "reason": reason });
                ("remove_drawing", input)
            }
        };
        let id: ConversationId = browser::new_conversation_id();
        let conversation = Conversation::new(id, channel.names());
        let command = channel.command(Command::Act {
            conversation: id,
            tool: tool.to_owned(),
            input,
        });
        // After the command: until that is accepted there is nothing to follow.
        let view = channel.follow(&conversation);
        sent.set(Some(Sent {
            command,
            inverse: before.and_then(|before| inverse(&edit, &course, &before)),
            edit,
            course,
            conversation,
            view,
        }));
    }
}

/// Returns the outcome of the only call of a conversation, if it has ended.
fn end_of(conversation: &Conversation) -> Option<EditEnd> {
    if let Some(error) = conversation.ended().get() {
        return Some(EditEnd::Failed(error));
    }
    let rows = conversation.rows();
    let rows = rows.read();
    let tool = rows.iter().find_map(|row| match &row.content {
        RowViewContent::Tool(tool) => Some(&tool.row),
        _ => None,
    })?;
    let failed = |message: &str| EditEnd::Failed(ErrorBody::new(ErrorCode::ToolFailed, message));
    let tool = tool.read();
    Some(match &tool.state {
        ToolState::Succeeded(output) => EditEnd::Done(output.data.clone()),
        ToolState::Failed(error) => EditEnd::Failed(error.clone()),
        ToolState::Blocked { message, .. } => failed(message),
        ToolState::Waiting => EditEnd::Waits,
        ToolState::OutcomeUnknown { .. } => failed(texts::stage::MAY_HAVE_BEEN_MADE),
        ToolState::Cancelled
        | ToolState::Abandoned
        | ToolState::Denied
        | ToolState::Expired
        | ToolState::Withdrawn => failed(texts::stage::WAS_NOT_MADE),
        ToolState::Writing
        | ToolState::Proposed
        | ToolState::Queued
        | ToolState::Approved
        | ToolState::Running => return None,
    })
}
