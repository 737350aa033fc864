//! Reading commands.

use serde_json::{Map, Value};

use super::{FromJson, read_field, take_field};
use crate::Command;

impl FromJson for Command {
    fn from_json(json: Value) -> Option<Self> {
        let Value::Object(mut map) = json else {
            return None;
        };
        let Value::String(tag) = take_field(&mut map, "type") else {
            return None;
        };
        // The only field that may be missing although it is no `Option`.
        map.entry("mode").or_insert_with(|| "default".into());
        known_command(&tag, map)
    }
}

fn known_command(tag: &str, mut map: Map<String, Value>) -> Option<Command> {
    let conversation = read_field(&mut map, "conversation");
    Some(match tag {
        "start" => Command::Start {
            conversation: conversation?,
            mode: read_field(&mut map, "mode")?,
            text: read_field(&mut map, "text")?,
            from: read_field(&mut map, "from")?,
            plan: read_field(&mut map, "plan")?,
            choice: read_field(&mut map, "choice")?,
            references: read_field(&mut map, "references")?,
        },
        "act" => Command::Act {
            conversation: conversation?,
            tool: read_field(&mut map, "tool")?,
            input: take_field(&mut map, "input"),
        },
        "send" => Command::Send {
            conversation: conversation?,
            text: read_field(&mut map, "text")?,
            withdraw: take_field(&mut map, "withdraw")
                .as_bool()
                .unwrap_or_default(),
            references: read_field(&mut map, "references")?,
        },
        "steer" => Command::Steer {
            conversation: conversation?,
            text: read_field(&mut map, "text")?,
            references: read_field(&mut map, "references")?,
        },
        "branch" => Command::Branch {
            conversation: conversation?,
            from: read_field(&mut map, "from")?,
            message: read_field(&mut map, "message")?,
            text: read_field(&mut map, "text")?,
            known: read_field(&mut map, "known")?,
        },
        "withdraw" => Command::Withdraw {
            conversation: conversation?,
            message: read_field(&mut map, "message")?,
        },
        "stop" => Command::Stop {
            conversation: conversation?,
            turn: read_field(&mut map, "turn")?,
        },
        "retry" => Command::Retry {
            conversation: conversation?,
            turn: read_field(&mut map, "turn")?,
        },
        "choose" => Command::Choose {
            conversation: conversation?,
            choice: read_field(&mut map, "choice")?,
        },
        "decide" => Command::Decide {
            conversation: conversation?,
            call: read_field(&mut map, "call")?,
            digest: read_field(&mut map, "digest")?,
            decision: read_field(&mut map, "decision")?,
        },
        "edit" => Command::Edit {
            conversation: conversation?,
            call: read_field(&mut map, "call")?,
            digest: read_field(&mut map, "digest")?,
            input: take_field(&mut map, "input"),
        },
        "revoke" => Command::Revoke {
            conversation: conversation?,
            grant: read_field(&mut map, "grant")?,
        },
        "check_outcome" => Command::CheckOutcome {
            conversation: conversation?,
            call: read_field(&mut map, "call")?,
        },
        "resolve" => Command::Resolve {
            conversation: conversation?,
            call: read_field(&mut map, "call")?,
            resolution: read_field(&mut map, "resolution")?,
        },
        "performed" => Command::Performed {
            conversation: conversation?,
            call: read_field(&mut map, "call")?,
            tab: read_field(&mut map, "tab")?,
            result: read_field(&mut map, "result")?,
        },
        "take_over" => Command::TakeOver {
            conversation: conversation?,
            call: read_field(&mut map, "call")?,
            tab: read_field(&mut map, "tab")?,
        },
        "kill_switch" => Command::KillSwitch {
            on: read_field(&mut map, "on")?,
        },
        "acknowledge" => Command::Acknowledge {
            notice: read_field(&mut map, "notice")?,
        },
        _ => Command::Unknown,
    })
}
