//! Validation of signed thinking in the history: unaltered, in place, and after the same content as
//! when it was made.

use std::collections::HashSet;

use sha2::{Digest, Sha256};

use crate::{
    history::Role,
    prefix::{Chain, Hash, Prefix, canonical},
    refusal::Refusal,
    request::Request,
    signature::{self, Verdict},
};

/// Limit on remembered answers.
const MEMORY: usize = 10_000;

/// Record of the answers with thinking, to detect when a client drops it.
#[derive(Debug, Default)]
pub(crate) struct Made {
    answers: HashSet<Hash>,
}

impl Made {
    /// Records an answer that followed `before`.
    pub(crate) fn note<'a>(
        &mut self,
        before: &Chain,
        blocks: impl Iterator<Item = &'a serde_json::Value> + Clone,
    ) {
        let key = without_thinking(before, blocks.clone());
        let mut blocks = blocks;
        if blocks.any(is_thinking) {
            if self.answers.len() >= MEMORY {
                self.answers.clear();
            }
            self.answers.insert(key);
        } else {
            self.answers.remove(&key);
        }
    }
}

fn is_thinking(block: &serde_json::Value) -> bool {
    matches!(
        block["type"].as_str(),
        Some("thinking" | "redacted_thinking")
    )
}

fn without_thinking<'a>(
    before: &Chain,
    blocks: impl Iterator<Item = &'a serde_json::Value>,
) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update(before.hash());
    for block in blocks.filter(|block| !is_thinking(block)) {
        hasher.update(canonical(block).to_string());
        hasher.update([0]);
    }
    hasher.finalize().into()
}

/// Checks all thinking in a request.
pub(crate) fn check(request: &Request, prefix: &Prefix, made: &Made) -> Result<(), Refusal> {
    let last = request
        .turns
        .iter()
        .rposition(|turn| turn.role == Role::Assistant);
    for (at, (turn, before)) in request.turns.iter().zip(&prefix.before).enumerate() {
        if turn.role != Role::Assistant {
            continue;
        }
        let bound = request.model.preserved_thinking;
        for (placed, before) in turn.blocks.iter().zip(before) {
            if placed.kind() != "thinking" {
                continue;
            }
            let text = placed.block["thinking"].as_str().unwrap_or_default();
            let given = placed.block["signature"].as_str().unwrap_or_default();
            match signature::verify(request.model.id, before, text, given) {
                Verdict::Valid | Verdict::Foreign => {}
                Verdict::Altered => {
                    return Err(Refusal::invalid(format!(
                        "{}: Invalid `signature` in `thinking` block",
                        placed.path
                    )));
                }
                Verdict::PrefixChanged if bound => {
                    return Err(Refusal::invalid(format!(
                        "{}: the conversation before this `thinking` block has changed since it \
                         was made. System, tools and earlier messages must be sent back unchanged",
                        placed.path
                    )));
                }
                Verdict::PrefixChanged => {}
            }
        }
        let Some(start) = before.first().filter(|_| bound || last == Some(at)) else {
            continue;
        };
        let blocks = turn.blocks.iter().map(|placed| &placed.block);
        if !blocks.clone().any(is_thinking)
            && made.answers.contains(&without_thinking(start, blocks))
        {
            return Err(Refusal::invalid(format!(
                "messages.{}: the `thinking` blocks of this assistant message are missing. They \
                 must be sent back unchanged and in place",
                turn.number
            )));
        }
    }
    Ok(())
}
