//! The rights of a sign-in: the commands that it may send, and the cards that it may decide on.

use protocol::{Assurance, Command, ErrorBody, Role};

use crate::{
    error,
    ports::{Audience, Scope, Via},
};

/// The demands of a command on the sign-in that sends it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Needs {
    /// The least role. A call that acts needs more: the gate checks that.
    pub(crate) role: Role,
    /// True if it concerns more than one conversation, and so all toolsets.
    pub(crate) all: bool,
    /// True if it asks the model something and does nothing else: it stops, withdraws, acts on and
    /// answers nothing. Words such as "cancel that" withdraw only from [`Role::Operator`] on.
    pub(crate) speaks: bool,
    /// True if it takes the place of a person's decision or testimony: a program needs its own
    /// right for that.
    pub(crate) decides: bool,
}

/// The demands of a command. Every command is listed by name, so that a new one is not let through
/// by a rule for others.
pub(crate) fn needs(command: &Command) -> Needs {
    let anybody = Needs {
        role: Role::Viewer,
        all: false,
        speaks: false,
        decides: false,
    };
    let speaks = Needs {
        speaks: true,
        ..anybody
    };
    let operator = Needs {
        role: Role::Operator,
        ..anybody
    };
    match command {
        Command::Start { .. }
        | Command::Send {
            withdraw: false, ..
        }
        | Command::Steer { .. }
        | Command::Branch { .. }
        | Command::Retry { .. }
        | Command::Choose { .. } => speaks,
        // For everybody, but for no sign-in that only reads: these end, withdraw or act. The gate
        // decides on what they start.
        Command::Act { .. }
        | Command::Send { withdraw: true, .. }
        | Command::Withdraw { .. }
        | Command::Stop { .. }
        | Command::CheckOutcome { .. }
        | Command::Performed { .. }
        | Command::TakeOver { .. }
        | Command::Unknown => anybody,
        // These only tighten: a program may always take a grant back and stop everything.
        Command::Revoke { .. } | Command::KillSwitch { on: true } => operator,
        Command::Decide { .. } | Command::Edit { .. } | Command::Resolve { .. } => Needs {
            decides: true,
            ..operator
        },
        Command::Acknowledge { .. } => Needs {
            all: true,
            ..operator
        },
        // Whoever reaches only some toolsets may stop everything, but not let the others go on.
        Command::KillSwitch { on: false } => Needs {
            role: Role::Admin,
            all: true,
            decides: true,
            ..anybody
        },
    }
}

/// Refuses a sign-in that may not decide on a card: the one rule, for every interface. A program
/// never stands in for a person who has to hold, to type or to be the second one: the server cannot
/// see a program do that. Nor does it decide on what a program relayed (`on_page`).
pub(crate) fn reaches_card(via: &Via, asks: &Assurance, on_page: bool) -> Result<(), ErrorBody> {
    match via {
        Via::Inside | Via::Session { .. } => Ok(()),
        Via::Token { decides: false, .. } => Err(error::token_cannot_decide()),
        Via::Token { decides: true, .. } => match asks {
            Assurance::Press if !on_page => Ok(()),
            Assurance::Press | Assurance::Hold | Assurance::Type { .. } | Assurance::Unknown => {
                Err(error::only_on_page())
            }
        },
    }
}

/// Refuses an approval without what the card asks for.
pub(crate) fn is_assured(asks: &Assurance, typed: Option<&str>) -> Result<(), ErrorBody> {
    match asks {
        // Only the page knows how long a button was held.
        Assurance::Press | Assurance::Hold => Ok(()),
        Assurance::Type { word } if typed == Some(word) => Ok(()),
        Assurance::Type { word } => Err(error::word_not_typed(word)),
        Assurance::Unknown => Err(error::unknown_assurance()),
    }
}

/// Refuses a program that calls a tool which is for people alone: its effect bears a person's name.
pub(crate) fn reaches_tool(via: &Via, audience: Audience) -> Result<(), ErrorBody> {
    match (via, audience) {
        (Via::Token { .. }, Audience::People) => Err(error::only_people()),
        (Via::Token { .. } | Via::Session { .. } | Via::Inside, _) => Ok(()),
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
    use protocol::{Assurance, Command, Decision, ErrorCode, Role};
    use serde_json::json;

    use super::{Needs, is_assured, needs, reaches_card};
    use crate::ports::{SignInWay, Via};

    #[test]
    fn each_command_has_its_needs() {
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
        let viewer = Role::Viewer;
        for (name, role, [all, speaks, decides]) in [
            ("start", viewer, [false, true, false]),
            ("act", viewer, [false, false, false]),
            ("send", viewer, [false, true, false]),
            ("steer", viewer, [false, true, false]),
            ("branch", viewer, [false, true, false]),
            ("withdraw", viewer, [false, false, false]),
            ("stop", viewer, [false, false, false]),
            ("retry", viewer, [false, true, false]),
            ("choose", viewer, [false, true, false]),
            ("check_outcome", viewer, [false, false, false]),
            ("performed", viewer, [false, false, false]),
            ("take_over", viewer, [false, false, false]),
            ("decide", Role::Operator, [false, false, true]),
            ("edit", Role::Operator, [false, false, true]),
            ("revoke", Role::Operator, [false, false, false]),
            ("resolve", Role::Operator, [false, false, true]),
            ("acknowledge", Role::Operator, [true, false, false]),
        ] {
            let needed = Needs {
                role,
                all,
                speaks,
                decides,
            };
            assert_eq!(needs(&command(json!({ "type": name }))), needed, "{name}");
        }
        // It takes back what waits for a decision.
        let instead = command(json!({ "type": "send", "withdraw": true }));
        assert!(!needs(&instead).speaks);
        for (on, role, lifts) in [(true, Role::Operator, false), (false, Role::Admin, true)] {
            let needed = Needs {
                role,
                all: lifts,
                speaks: false,
                decides: lifts,
            };
            let set = command(json!({ "type": "kill_switch", "on": on }));
            assert_eq!(needs(&set), needed);
        }
    }

    #[test]
    fn a_token_decides_on_a_press_and_nothing_else() {
        let session = Via::Session {
            id: "s".into(),
            way: SignInWay::Passkey,
        };
        let token = |decides| Via::Token {
            id: "t".into(),
            decides,
        };
        let word = Assurance::Type {
            word: "nextcloud".to_owned(),
        };
        for asks in [Assurance::Press, Assurance::Hold, word, Assurance::Unknown] {
            for second in [false, true] {
                let press = asks == Assurance::Press && !second;
                for (via, may) in [
                    (&session, true),
                    (&token(true), press),
                    (&token(false), false),
                ] {
                    let reaches = reaches_card(via, &asks, second);
                    assert_eq!(reaches.is_ok(), may, "{via:?} {asks:?} {second}");
                    let code = reaches.err().map(|error| error.code);
                    assert!(code.is_none_or(|code| code == ErrorCode::TokenCannotDecide));
                }
            }
        }
    }

    #[test]
    fn the_word_is_the_cards_to_the_letter() {
        let asks = Assurance::Type {
            word: "nextcloud".to_owned(),
        };
        assert!(is_assured(&asks, Some("nextcloud")).is_ok());
        for wrong in [
            None,
            Some(""),
            Some("Nextcloud"),
            Some("nextcloud "),
            Some(" nextcloud"),
            Some("nextcl\u{043e}ud"),
            Some("nextclou"),
        ] {
            let refused = is_assured(&asks, wrong).unwrap_err();
            assert_eq!(refused.code, ErrorCode::WordNotTyped, "{wrong:?}");
            assert!(refused.help.is_some());
        }
        for asks in [Assurance::Press, Assurance::Hold] {
            assert!(is_assured(&asks, None).is_ok());
        }
        assert!(is_assured(&Assurance::Unknown, None).is_err());
    }
}
