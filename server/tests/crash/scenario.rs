//! What a person says, what the model answers, and what must come of it.

use protocol::{Command, Confirmation, ConversationId, Decision, Mode};
use serde_json::{Value, json};

use crate::tab::{self, Decide};

/// Something to live through.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// What the person says, one message a turn. Those after the first are sent while it runs.
    pub(crate) says: &'static [&'static str],
    /// What the model answers.
    pub(crate) script: Vec<Value>,
    pub(crate) decide: Decide,
    /// The calls that would change something, in order.
    pub(crate) acts: &'static [Act],
}

/// A call that would change something.
pub(crate) struct Act {
    pub(crate) tool: &'static str,
    pub(crate) guest: u64,
    /// The task that it is in the cluster, if it runs.
    pub(crate) task: &'static str,
    /// Whether the person authorises it.
    pub(crate) authorised: bool,
}

impl Scenario {
    pub(crate) fn commands(&self, conversation: ConversationId) -> Vec<Command> {
        let mut commands = Vec::new();
        for says in self.says {
            let text = (*says).to_owned();
            commands.push(match commands.is_empty() {
                true => Command::Start {
                    conversation,
                    mode: Mode::Default,
                    text,
                    from: None,
                },
                false => Command::Send {
                    conversation,
                    text,
                    withdraw: false,
                },
            });
        }
        commands
    }
}

/// An answer to a message that contains `when`, after this many steps with calls. It is the same
/// however often it is asked for.
fn answer(when: &str, steps: usize, blocks: Value) -> Value {
    json!({
        "when": when,
        "steps": steps,
        "blocks": blocks,
        "times": 1000,
        "pace": { "first_token_ms": 0, "tokens_per_second": 0 },
    })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn call(name: &str, input: Value) -> Value {
    json!({ "type": "tool_use", "name": name, "input": input })
}

pub(crate) fn all() -> Vec<Scenario> {
    vec![
        Scenario {
            name: "three reads",
            says: &["How is everything?"],
            script: vec![
                answer(
                    "everything",
                    0,
                    json!([
                        text("Let me look."),
                        call("get_cluster_status", json!({})),
                        call("get_vms", json!({})),
                        call("get_storage", json!({})),
                    ]),
                ),
                answer("everything", 1, json!([text("All is well, sir.")])),
            ],
            decide: tab::deny,
            acts: &[],
        },
        Scenario {
            name: "a queue of two",
            says: &["First, the nodes.", "Second, the rest.", "Third, nothing."],
            script: vec![
                answer(
                    "First",
                    0,
                    json!([call("get_node_status", json!({ "node": "pve" }))]),
                ),
                answer("First", 1, json!([text("The node is up.")])),
                answer("Second", 0, json!([call("get_containers", json!({}))])),
                answer("Second", 1, json!([text("So are the rest.")])),
                answer("Third", 0, json!([text("Very well.")])),
            ],
            decide: tab::deny,
            acts: &[],
        },
    ]
}

/// Authorises what starts something, and nothing else.
#[expect(dead_code, reason = "soon")]
fn starts_only(card: &Confirmation) -> Decision {
    match card.sentence.to_lowercase().contains("start ") {
        true => Decision::Approve { grant: None },
        false => Decision::Deny {
            comment: Some("Not now.".to_owned()),
        },
    }
}
