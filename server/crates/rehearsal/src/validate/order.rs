//! Validation of the order of roles, and of the pairs of tool calls and results.

use std::collections::HashSet;

use crate::{
    catalogue::Model,
    history::{Placed, Role, Turn},
    refusal::Refusal,
};

pub(super) fn check(turns: &[Turn], model: &Model) -> Result<(), Refusal> {
    if turns.first().is_some_and(|turn| turn.role != Role::User) {
        return Err(Refusal::invalid(
            "messages: first message must use the \"user\" role",
        ));
    }
    system_messages(turns, model)?;
    let mut seen = HashSet::new();
    for (at, turn) in turns.iter().enumerate() {
        let next = turns.get(at + 1);
        match turn.role {
            Role::Assistant => calls(turn, next, &mut seen)?,
            Role::User => results(turn, at.checked_sub(1).and_then(|at| turns.get(at)))?,
            Role::System => {}
        }
    }
    prefill(turns, model)
}

/// Refuses tool blocks, which need the definitions of the tools.
pub(super) fn no_tool_blocks(turns: &[Turn]) -> Result<(), Refusal> {
    let any = turns
        .iter()
        .flat_map(|turn| &turn.blocks)
        .any(|placed| matches!(placed.kind(), "tool_use" | "tool_result"));
    if any {
        return Err(Refusal::invalid(
            "Requests which include `tool_use` or `tool_result` blocks must define tools",
        ));
    }
    Ok(())
}

fn id<'a>(placed: &'a Placed, field: &str) -> &'a str {
    placed.block[field].as_str().unwrap_or_default()
}

fn calls<'a>(
    turn: &'a Turn,
    next: Option<&Turn>,
    seen: &mut HashSet<&'a str>,
) -> Result<(), Refusal> {
    for call in turn.of_kind("tool_use") {
        if !seen.insert(id(call, "id")) {
            return Err(Refusal::invalid(format!(
                "{}: `tool_use` ids must be unique",
                call.path
            )));
        }
    }
    let answered: HashSet<&str> = next
        .filter(|next| next.role == Role::User)
        .into_iter()
        .flat_map(|next| next.of_kind("tool_result"))
        .map(|result| id(result, "tool_use_id"))
        .collect();
    let open: Vec<&str> = turn
        .of_kind("tool_use")
        .map(|call| id(call, "id"))
        .filter(|id| !answered.contains(id))
        .collect();
    if !open.is_empty() {
        return Err(Refusal::invalid(format!(
            "messages.{}: `tool_use` ids were found without `tool_result` blocks immediately \
             after: {}. Each `tool_use` block must have a corresponding `tool_result` block in \
             the next message.",
            turn.number,
            open.join(", ")
        )));
    }
    Ok(())
}

fn results(turn: &Turn, previous: Option<&Turn>) -> Result<(), Refusal> {
    let calls: HashSet<&str> = previous
        .into_iter()
        .flat_map(|previous| previous.of_kind("tool_use"))
        .map(|call| id(call, "id"))
        .collect();
    let mut answered = HashSet::new();
    let mut other = false;
    for placed in &turn.blocks {
        if placed.kind() != "tool_result" {
            other = true;
            continue;
        }
        let id = id(placed, "tool_use_id");
        if !calls.contains(id) {
            return Err(Refusal::invalid(format!(
                "{}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each \
                 `tool_result` block must have a corresponding `tool_use` block in the previous \
                 message.",
                placed.path
            )));
        }
        if !answered.insert(id) {
            return Err(Refusal::invalid(format!(
                "{}: each tool_use must have a single result. Found multiple `tool_result` blocks \
                 with id: {id}",
                placed.path
            )));
        }
        if other {
            return Err(Refusal::invalid(format!(
                "{}: `tool_result` blocks must come first in the message, before any other content",
                placed.path
            )));
        }
    }
    Ok(())
}

fn system_messages(turns: &[Turn], model: &Model) -> Result<(), Refusal> {
    for (at, turn) in turns.iter().enumerate() {
        if turn.role != Role::System {
            continue;
        }
        let number = turn.number;
        if !model.system_messages {
            return Err(Refusal::invalid(format!(
                "messages.{number}.role: 'system' is not supported in messages on {}",
                model.id
            )));
        }
        let after_user = at
            .checked_sub(1)
            .is_some_and(|before| turns[before].role == Role::User);
        let then_assistant = turns
            .get(at + 1)
            .is_none_or(|next| next.role == Role::Assistant);
        if !after_user || !then_assistant {
            return Err(Refusal::invalid(format!(
                "messages.{number}: a system message must directly follow a user message, and be \
                 last or followed by an assistant message"
            )));
        }
    }
    Ok(())
}

fn prefill(turns: &[Turn], model: &Model) -> Result<(), Refusal> {
    let Some(last) = turns.last().filter(|turn| turn.role == Role::Assistant) else {
        return Ok(());
    };
    let paused = last.blocks.last().is_some_and(|placed| {
        !matches!(
            placed.kind(),
            "text" | "thinking" | "redacted_thinking" | "tool_use"
        )
    });
    // An assistant turn that paused inside server tools is sent back unchanged.
    if paused {
        return Ok(());
    }
    if !model.prefill {
        return Err(Refusal::invalid(
            "This model does not support assistant message prefill. The conversation must end \
             with a user message.",
        ));
    }
    let trailing = last.blocks.last().is_some_and(|placed| {
        placed.block["text"]
            .as_str()
            .is_some_and(|text| text.ends_with(char::is_whitespace))
    });
    if trailing {
        return Err(Refusal::invalid(
            "messages: final assistant content cannot end with trailing whitespace",
        ));
    }
    Ok(())
}
