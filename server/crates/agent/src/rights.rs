//! Which role a command needs.

use protocol::{Command, ErrorBody, Mode, Role};

use crate::{
    error,
    machine::Frozen,
    ports::{Person, Scope},
    shared::Shared,
    slot::Slot,
};

/// The least role that may ask for this. A call that acts needs more: the gate sees to that.
pub(crate) fn needed(command: &Command) -> Role {
    match command {
        Command::Start { .. }
        | Command::Act { .. }
        | Command::Send { .. }
        | Command::Steer { .. }
        | Command::Branch { .. }
        | Command::Withdraw { .. }
        | Command::Stop { .. }
        | Command::Retry { .. }
        | Command::Choose { .. }
        | Command::CheckOutcome { .. }
        | Command::Performed { .. }
        | Command::TakeOver { .. }
        | Command::Unknown => Role::Viewer,
        Command::Decide { .. }
        | Command::Edit { .. }
        | Command::Revoke { .. }
        | Command::Resolve { .. }
        | Command::KillSwitch { on: true }
        | Command::Acknowledge { .. } => Role::Operator,
        Command::KillSwitch { on: false } => Role::Admin,
    }
}

/// Whether it is about more than one conversation, and so about all toolsets. Who reaches only some
/// may stop everything, and not let the others go on.
fn concerns_all(command: &Command) -> bool {
    match command {
        Command::KillSwitch { on: false } | Command::Acknowledge { .. } => true,
        Command::KillSwitch { on: true }
        | Command::Start { .. }
        | Command::Act { .. }
        | Command::Send { .. }
        | Command::Steer { .. }
        | Command::Branch { .. }
        | Command::Withdraw { .. }
        | Command::Stop { .. }
        | Command::Retry { .. }
        | Command::Choose { .. }
        | Command::CheckOutcome { .. }
        | Command::Performed { .. }
        | Command::TakeOver { .. }
        | Command::Decide { .. }
        | Command::Edit { .. }
        | Command::Revoke { .. }
        | Command::Resolve { .. }
        | Command::Unknown => false,
    }
}

/// Whether something is done in the user's name because of it, or otherwise than it would be.
fn leads_to_a_turn(command: &Command) -> bool {
    matches!(
        command,
        Command::Start { .. }
            | Command::Act { .. }
            | Command::Send { .. }
            | Command::Steer { .. }
            | Command::Branch { .. }
            | Command::Retry { .. }
            | Command::Choose { .. }
    )
}

impl Shared {
    /// Whether a person may ask for this: by their sign-in, and as a user, now.
    pub(crate) async fn allow(&self, person: &Person, command: &Command) -> Result<(), ErrorBody> {
        let user = match self.journal.role(person.id).await {
            Ok(role) => role.unwrap_or_default(),
            Err(error) => return Err(error::of_journal(&error)),
        };
        let needed = needed(command);
        if user.min(person.role) < needed {
            return Err(error::role_not_enough(needed));
        }
        if person.scope != Scope::All && concerns_all(command) {
            return Err(error::all_toolsets());
        }
        // The gate judges what a turn does by the user, who may act where this sign-in may not.
        let acts = Role::Operator;
        if leads_to_a_turn(command) && person.role < acts && user >= acts {
            return Err(error::role_not_enough(acts));
        }
        Ok(())
    }
}

impl Shared {
    /// Whether a conversation is within the scope of a sign-in.
    pub(crate) async fn reaches(&self, person: &Person, slot: &Slot) -> Result<(), ErrorBody> {
        if person.scope == Scope::All {
            return Ok(());
        }
        let known = slot
            .toolsets
            .get_or_try_init(|| self.journal.toolsets(slot.id));
        match known.await {
            Ok(toolsets) if person.scope.covers(toolsets) => Ok(()),
            Ok(_) => Err(error::other_toolset()),
            Err(error) => Err(error::of_journal(&error)),
        }
    }

    /// What a conversation keeps that begins within a scope; none if that is everything.
    pub(crate) fn narrow(&self, mode: Mode, scope: &Scope) -> Result<Option<Frozen>, ErrorBody> {
        if *scope == Scope::All {
            return Ok(None);
        }
        let frozen = self.live().freeze(mode, scope, &self.tools);
        if frozen.toolsets.is_empty() {
            return Err(error::no_toolset());
        }
        Ok(Some(frozen))
    }
}

/// Refuses what belongs to a toolset outside of a scope.
pub(crate) fn within(scope: &Scope, toolset: &str) -> Result<(), ErrorBody> {
    if scope.has(toolset) {
        Ok(())
    } else {
        Err(error::other_toolset())
    }
}

#[cfg(test)]
mod tests {
    use protocol::{Command, Decision, Role};
    use serde_json::json;

    use super::needed;

    #[test]
    fn each_command_has_its_role() {
        let command = |fields: serde_json::Value| -> Command {
            let mut fields = fields;
            for (name, value) in [
                ("conversation", json!("cnv_01HF7YAT0004HMASW9NF6YY093")),
                ("turn", json!("trn_01HF7YAT0004HMASW9NF6YY093")),
                ("call", json!("call_01HF7YAT0004HMASW9NF6YY093")),
                ("message", json!("msg_01HF7YAT0004HMASW9NF6YY093")),
                ("grant", json!("grt_01HF7YAT0004HMASW9NF6YY093")),
                ("notice", json!("ntc_01HF7YAT0004HMASW9NF6YY093")),
                ("from", json!("cnv_01HF7YAT0004HMASW9NF6YY093")),
                ("digest", json!("d")),
                ("text", json!("Hello")),
                ("tool", json!("get_vms")),
                ("input", json!({})),
                ("choice", json!({ "model": "m" })),
                ("resolution", json!("done")),
                ("tab", json!("tab_01HF7YAT0004HMASW9NF6YY093")),
                ("result", json!({ "type": "done" })),
                (
                    "decision",
                    serde_json::to_value(Decision::Deny { comment: None }).unwrap(),
                ),
            ] {
                fields[name] = value;
            }
            serde_json::from_value(fields).unwrap()
        };
        for (name, role) in [
            ("start", Role::Viewer),
            ("act", Role::Viewer),
            ("send", Role::Viewer),
            ("steer", Role::Viewer),
            ("branch", Role::Viewer),
            ("withdraw", Role::Viewer),
            ("stop", Role::Viewer),
            ("retry", Role::Viewer),
            ("choose", Role::Viewer),
            ("check_outcome", Role::Viewer),
            ("performed", Role::Viewer),
            ("take_over", Role::Viewer),
            ("decide", Role::Operator),
            ("edit", Role::Operator),
            ("revoke", Role::Operator),
            ("resolve", Role::Operator),
            ("acknowledge", Role::Operator),
        ] {
            assert_eq!(needed(&command(json!({ "type": name }))), role, "{name}");
        }
        for (on, role) in [(true, Role::Operator), (false, Role::Admin)] {
            let set = command(json!({ "type": "kill_switch", "on": on }));
            assert_eq!(needed(&set), role);
        }
    }
}
