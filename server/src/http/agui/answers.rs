//! Answers to interrupts, carried out by the engine with the rules for every program.

use ::agui::{AguiEvent, Cards, Resume, ResumeAnswer, custom};
use protocol::CommandId;
use serde_json::json;

use super::{
    door::Door,
    thread::{command_of, decision_of},
};

/// The outcome of the answers of a request.
pub(super) struct Answered {
    /// True if something was not decided as the client thinks: it has to be shown where things are.
    pub(super) differs: bool,
    /// Warnings about answers that had no effect.
    pub(super) warnings: Vec<AguiEvent>,
}

/// Carries out answers, in their order. One that is refused, unknown or about another card than the one
/// that waits has no effect, and the others count all the same.
pub(super) async fn answer(
    door: &Door<'_>,
    cards: &Cards,
    entries: &[Resume],
    mut run: Option<CommandId>,
) -> Answered {
    let mut answered = Answered {
        differs: false,
        warnings: Vec::new(),
    };
    for entry in entries {
        let id = &entry.interrupt_id;
        let command = match cards.answer(door.conversation, entry) {
            ResumeAnswer::Command(command) => *command,
            ResumeAnswer::Look => {
                answered.differs = true;
                continue;
            }
            ResumeAnswer::Gone => {
                answered.differs = true;
                let value = json!({ "interruptId": id });
                answered.warnings.push(custom("resume_ignored", value));
                continue;
            }
        };
        // The first one that counts is the run's command, by which it is found again.
        let own = command
            .call()
            .map(|call| decision_of(door.conversation, &door.run, call));
        let attempt = run
            .or(own)
            .unwrap_or_else(|| command_of(door.conversation, &door.run));
        match door.carry_out(attempt, command).await {
            Ok(()) => run = None,
            Err(refused) => {
                answered.differs = true;
                let error = refused.error.of_request(door.request.0.as_str());
                let value = json!({ "interruptId": id, "error": error });
                answered.warnings.push(custom("resume_refused", value));
            }
        }
    }
    answered
}
