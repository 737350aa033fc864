//! Reading commands.

use serde_json::{Map, Value};

use super::{FromJson, take_field};
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
    let mut field = |name| take_field(&mut map, name);
    let conversation = FromJson::from_json(field("conversation"));
    Some(match tag {
        "start" => Command::Start {
            conversation: conversation?,
            mode: FromJson::from_json(field("mode"))?,
            text: FromJson::from_json(field("text"))?,
            from: FromJson::from_json(field("from"))?,
            plan: FromJson::from_json(field("plan"))?,
            choice: FromJson::from_json(field("choice"))?,
            references: FromJson::from_json(field("references"))?,
        },
        "act" => Command::Act {
            conversation: conversation?,
            tool: FromJson::from_json(field("tool"))?,
            input: field("input"),
        },
        "send" => Command::Send {
            conversation: conversation?,
            text: FromJson::from_json(field("text"))?,
            withdraw: field("withdraw").as_bool().unwrap_or_default(),
            references: FromJson::from_json(field("references"))?,
        },
        "steer" => Command::Steer {
            conversation: conversation?,
            text: FromJson::from_json(field("text"))?,
            references: FromJson::from_json(field("references"))?,
        },
        "branch" => Command::Branch {
            conversation: conversation?,
            from: FromJson::from_json(field("from"))?,
            message: FromJson::from_json(field("message"))?,
            text: FromJson::from_json(field("text"))?,
            known: FromJson::from_json(field("known"))?,
        },
        "withdraw" => Command::Withdraw {
            conversation: conversation?,
            message: FromJson::from_json(field("message"))?,
        },
        "stop" => Command::Stop {
            conversation: conversation?,
            turn: FromJson::from_json(field("turn"))?,
        },
        "retry" => Command::Retry {
            conversation: conversation?,
            turn: FromJson::from_json(field("turn"))?,
        },
        "choose" => Command::Choose {
            conversation: conversation?,
            choice: FromJson::from_json(field("choice"))?,
        },
        "decide" => Command::Decide {
            conversation: conversation?,
            call: FromJson::from_json(field("call"))?,
            digest: FromJson::from_json(field("digest"))?,
            decision: FromJson::from_json(field("decision"))?,
        },
        "edit" => Command::Edit {
            conversation: conversation?,
            call: FromJson::from_json(field("call"))?,
            digest: FromJson::from_json(field("digest"))?,
            input: field("input"),
        },
        "revoke" => Command::Revoke {
            conversation: conversation?,
            grant: FromJson::from_json(field("grant"))?,
        },
        "check_outcome" => Command::CheckOutcome {
            conversation: conversation?,
            call: FromJson::from_json(field("call"))?,
        },
        "resolve" => Command::Resolve {
            conversation: conversation?,
            call: FromJson::from_json(field("call"))?,
            resolution: FromJson::from_json(field("resolution"))?,
        },
        "performed" => Command::Performed {
            conversation: conversation?,
            call: FromJson::from_json(field("call"))?,
            tab: FromJson::from_json(field("tab"))?,
            result: FromJson::from_json(field("result"))?,
        },
        "take_over" => Command::TakeOver {
            conversation: conversation?,
            call: FromJson::from_json(field("call"))?,
            tab: FromJson::from_json(field("tab"))?,
        },
        "kill_switch" => Command::KillSwitch {
            on: FromJson::from_json(field("on"))?,
        },
        "acknowledge" => Command::Acknowledge {
            notice: FromJson::from_json(field("notice"))?,
        },
        _ => Command::Unknown,
    })
}
