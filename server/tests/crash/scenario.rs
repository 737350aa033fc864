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
    /// Whether the server is killed once more while it recovers.
    pub(crate) again: bool,
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
            again: false,
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
            again: false,
        },
        Scenario {
            name: "a start, authorised",
            says: &["Start windows-11, VM 113 on pve."],
            script: vec![
                answer(
                    "windows-11",
                    0,
                    json!([
                        text("At once."),
                        call("start_vm", json!({ "node": "pve", "vmid": 113 })),
                    ]),
                ),
                answer("windows-11", 1, json!([text("That was that.")])),
            ],
            decide: starts_only,
            acts: &[Act {
                tool: "start_vm",
                guest: 113,
                task: "qmstart",
                authorised: true,
            }],
            again: false,
        },
        Scenario {
            name: "a stop, denied",
            says: &["Stop build-runner, VM 112 on pve."],
            script: vec![
                answer(
                    "build-runner",
                    0,
                    json!([call("stop_vm", json!({ "node": "pve", "vmid": 112 }))]),
                ),
                answer("build-runner", 1, json!([text("As you wish, sir.")])),
            ],
            decide: starts_only,
            acts: &[Act {
                tool: "stop_vm",
                guest: 112,
                task: "qmshutdown",
                authorised: false,
            }],
            again: false,
        },
        mixed("a mixed batch", false),
        Scenario {
            name: "two starts, authorised",
            says: &["Start downloads, 213 on pve, and old-wiki, 232 on agent."],
            script: vec![
                answer(
                    "downloads",
                    0,
                    json!([
                        call("start_container", json!({ "node": "pve", "vmid": 213 })),
                        call("start_container", json!({ "node": "agent", "vmid": 232 })),
                    ]),
                ),
                answer("downloads", 1, json!([text("That was that.")])),
            ],
            decide: starts_only,
            acts: &[
                Act {
                    tool: "start_container",
                    guest: 213,
                    task: "vzstart",
                    authorised: true,
                },
                Act {
                    tool: "start_container",
                    guest: 232,
                    task: "vzstart",
                    authorised: true,
                },
            ],
            again: false,
        },
        mixed("a mixed batch, killed twice", true),
    ]
}

/// One call that reads, one that is authorised, one that is denied.
fn mixed(name: &'static str, again: bool) -> Scenario {
    Scenario {
        name,
        says: &["Start downloads, 213 on pve, and stop uptime-kuma, 230 on agent."],
        script: vec![
            answer(
                "downloads",
                0,
                json!([
                    text("Let me look, and then act."),
                    call("get_cluster_status", json!({})),
                    call("start_container", json!({ "node": "pve", "vmid": 213 })),
                    call("stop_container", json!({ "node": "agent", "vmid": 230 })),
                ]),
            ),
            answer("downloads", 1, json!([text("That was that.")])),
        ],
        decide: starts_only,
        acts: &[
            Act {
                tool: "start_container",
                guest: 213,
                task: "vzstart",
                authorised: true,
            },
            Act {
                tool: "stop_container",
                guest: 230,
                task: "vzshutdown",
                authorised: false,
            },
        ],
        again,
    }
}

/// Authorises what starts something, and nothing else.
fn starts_only(card: &Confirmation) -> Decision {
    match card.sentence.starts_with("Start ") {
        true => Decision::Approve { grant: None },
        false => Decision::Deny {
            comment: Some("Not now.".to_owned()),
        },
    }
}
