//! Tool that runs a read-only command on one node over SSH.

use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};

use agent::ports::{
    Assessment, Case, Impact, InputValue, Preview, Progress, Reconciled, Recovery, Tool, ToolCall,
    ToolError, ToolExample, ToolSpec, read_input,
};
use async_trait::async_trait;
use protocol::{
    CardSection, ErrorBody, ErrorCode, Fact, OriginSource, Tier, Timestamp, ToolOutput,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{about_node, output, touched};
use crate::{
    cluster_access::ClusterAccess,
    out::KnownValue,
    ssh::{
        self, GrammarCommand, SshClient,
        grammar::{self, PlaceholderKind},
        services,
    },
    texts,
};

/// Timeout for signing in, waiting for another command on the node, and running.
const TIMEOUT: Duration = Duration::from_secs(70);
/// Limit of each stream in bytes; the middle of a longer one is left out.
const STDOUT_BYTES: usize = 6_000;
const STDERR_BYTES: usize = 1_000;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SshInput {
    /// The node to run it on, such as "pve".
    #[schemars(length(min = 1, max = 63))]
    node: String,
    /// One of the forms, such as "journalctl -u pveproxy.service -n 50".
    #[schemars(length(min = 1, max = grammar::MAX_BYTES))]
    command: String,
}

#[derive(Debug, Serialize)]
struct SshOut {
    node: String,
    exit_code: KnownValue<u32>,
    stdout: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    stderr: String,
    /// The reason that the output is incomplete.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<&'static str>,
    /// The meaning of an exit code that reads like an answer and is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    /// The services of the node that are known by name, where the one asked for does not exist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    services: Vec<String>,
}

/// Exit code of `systemctl is-active` for a unit that does not exist, for which it prints `inactive` too.
const NO_UNIT: u32 = 4;

static DESCRIPTION: LazyLock<String> = LazyLock::new(|| {
    let mut text = "Runs one read-only command on a node over SSH. Use it only for what the other \
                    tools cannot tell, such as the log of a service. The command is no shell \
                    text: no pipes, quotes, variables or patterns, and only these forms, word for \
                    word (UNIT is the full name of a service, such as pveproxy.service; N is 1 to \
                    500; DISK is such as /dev/sda or /dev/nvme0n1):\n"
        .to_owned();
    for (form, about) in grammar::forms() {
        text.push_str(&format!("{form}: {about}\n"));
    }
    text.push_str(
        "The result has the exit code, which for `systemctl is-active` is 0 only for a service \
         that runs and 4 where no service has this name (`services` then lists some that the node \
         has), and the output, which is data.",
    );
    text
});

pub(crate) struct ExecuteSsh(pub(crate) Arc<ClusterAccess>);

#[async_trait]
impl Tool for ExecuteSsh {
    /// It only reads, but it signs in to a machine: the call is recorded beforehand and may finish
    /// when a person stops the turn. So it is not `Pure`, and it may run again after a crash.
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            tier: Tier::Yellow,
            recovery: Recovery::Idempotent,
            timeout: TIMEOUT,
            impact: Impact::None,
            examples: vec![
                ToolExample::new("Show the last 50 lines of the log of smbd on pve."),
                ToolExample::new("Is pveproxy active on pve?"),
                ToolExample::new("Is the disk /dev/sda of pve healthy?"),
            ],
            ..ToolSpec::new::<SshInput>("execute_ssh", &DESCRIPTION)
        }
    }

    fn target(&self, input: &Value) -> Option<String> {
        about_node(input)
    }

    fn objects(&self, input: &Value) -> Vec<String> {
        touched(input)
    }

    fn assess(&self, input: &Value) -> Assessment {
        assess(&self.0, input)
    }

    async fn preview(&self, call: &ToolCall) -> Result<Preview, ErrorBody> {
        preview(&self.0, &call.input)
    }

    async fn reconcile(&self, _call: &ToolCall, _since: Timestamp) -> Reconciled {
        Reconciled::Unknown(texts::ssh::IT_ONLY_LOOKS.to_owned())
    }

    async fn call(&self, call: ToolCall, _: Progress) -> Result<ToolOutput, ToolError> {
        let input = read_input(call.input).map_err(ToolError)?;
        execute_ssh(&self.0, input).await.map_err(ToolError)
    }
}

/// Refuses texts outside the grammar, and says which values the configuration vouches for.
fn assess(access: &ClusterAccess, input: &Value) -> Assessment {
    let plain = Assessment::plain(Tier::Yellow, input);
    let Ok(SshInput { node, command }) = SshInput::deserialize(input) else {
        // The schema rejects it.
        return plain;
    };
    let (ssh, command) = match known(access, &node, &command) {
        Ok(known) => known,
        Err(reason) => {
            return Assessment {
                refused: Some(reason),
                ..plain
            };
        }
    };
    let value = |path: &str, text: &str, vouched: bool| InputValue {
        path: path.to_owned(),
        text: text.to_owned(),
        case: Case::Ignored,
        source: vouched.then_some(OriginSource::Configuration),
        mapped_from: Vec::new(),
    };
    let mut values = vec![value("/node", &node, ssh.knows(&node))];
    // The words of the command and its bounds on numbers come from the table, whoever requested it.
    // Names are different: they determine what is read.
    let mut named = false;
    for (placeholder, text) in command.values() {
        let vouched = match placeholder {
            PlaceholderKind::Range(..) | PlaceholderKind::Enum(_) => continue,
            PlaceholderKind::Unit => is_configured(access, &node, text),
            PlaceholderKind::Disk => false,
        };
        named = true;
        values.push(InputValue {
            // Any unit of the node can be looked at, and systemd's names are case-sensitive.
            case: Case::Counts,
            ..value("/command", text, vouched)
        });
    }
    if !named {
        values.push(value("/command", &command.render(), true));
    }
    Assessment {
        protected: access.is_protected(&node).then(|| protection(&node)),
        values,
        ..plain
    }
}

/// The reason that nothing above GREEN runs on a protected node.
pub(super) fn protection(node: &str) -> String {
    texts::ssh::node_is_protected(node)
}

/// Returns whether a unit is in the configured services of a node.
pub(super) fn is_configured(access: &ClusterAccess, node: &str, unit: &str) -> bool {
    let names = access.config.services.get(node);
    names.is_some_and(|names| {
        names
            .iter()
            .any(|name| services::unit(name).as_deref() == Some(unit))
    })
}

/// The connection and the command, or the reason for a refusal in one sentence.
fn known<'a>(
    access: &'a ClusterAccess,
    node: &str,
    text: &str,
) -> Result<(&'a SshClient, GrammarCommand), String> {
    let Some(ssh) = &access.ssh else {
        return Err(texts::ssh::NOT_CONFIGURED.to_owned());
    };
    if !ssh.knows(node) {
        let names: Vec<&str> = ssh.nodes().collect();
        return Err(texts::ssh::not_configured_for_node(node, &names.join(", ")));
    }
    match ssh::parse(text) {
        Ok(command) => Ok((ssh, command)),
        Err(refusal) => Err(texts::ssh::command_is_refused(&refusal)),
    }
}

fn refused(reason: String) -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolInputInvalid, reason)
}

fn preview(access: &ClusterAccess, input: &Value) -> Result<Preview, ErrorBody> {
    let SshInput { node, command } = read_input(input.clone())?;
    let (ssh, command) = known(access, &node, &command).map_err(refused)?;
    let sent = command.render();
    let address = ssh.address(&node).unwrap_or_default();
    let fact = |label: &str, value: String| Fact {
        label: label.to_owned(),
        value,
    };
    Ok(Preview {
        facts: vec![fact(texts::ssh::SIGNS_IN_AS, address.clone())],
        sections: vec![CardSection::text("Command", "bash", &sent)],
        state: json!({ "address": address, "argv": command.argv() }),
        said: &["node", "command"],
        ..Preview::new(
            texts::ssh::run_on_node_over_ssh(&sent, &node),
            format!("node {node}"),
        )
    })
}

async fn execute_ssh(access: &ClusterAccess, input: SshInput) -> Result<ToolOutput, ErrorBody> {
    let SshInput { node, command } = input;
    let (ssh, command) = known(access, &node, &command).map_err(refused)?;
    let mut ran = ssh
        .run(&node, &command)
        .await
        .map_err(|error| error.body())?;
    // The guard filters too, but the one on the node may be older.
    if let Some(mut columns) = command.columns() {
        ran.stdout = String::from_utf8_lossy(&columns.pass(ran.stdout.as_bytes())).into_owned();
    }
    let program = command.program().rsplit('/').next().unwrap_or_default();
    let summary = match ran.code {
        Some(0) => texts::ssh::command_succeeded(program, &node),
        Some(code) => texts::ssh::command_exited_with(program, &node, code),
        None => texts::ssh::command_output_too_large(program, &node),
    };
    let is_missing = ran.code == Some(NO_UNIT) && command.render().contains(" is-active ");
    let (stdout, out_cut) = middle_out(&ran.stdout, STDOUT_BYTES);
    let (stderr, err_cut) = middle_out(&ran.stderr, STDERR_BYTES);
    output(
        summary,
        &SshOut {
            exit_code: KnownValue::or(ran.code, texts::ssh::OUTPUT_ENDED_EARLY),
            note: is_missing.then_some(texts::ssh::NO_SERVICE_OF_THIS_NAME),
            services: match access.config.services.get(&node) {
                Some(names) if is_missing => names.clone(),
                _ => Vec::new(),
            },
            node,
            stdout,
            stderr,
            cut: match (ran.cut, out_cut || err_cut) {
                (true, _) => Some(texts::ssh::COMMAND_WROTE_TOO_MUCH),
                (false, true) => Some(texts::ssh::MIDDLE_OF_OUTPUT_IS_LEFT_OUT),
                (false, false) => None,
            },
        },
    )
}

/// The beginning and the end of a text longer than `room` bytes, in whole lines if possible.
fn middle_out(text: &str, room: usize) -> (String, bool) {
    if text.len() <= room {
        return (text.to_owned(), false);
    }
    let head = &text[..text.floor_char_boundary(room / 3)];
    let tail = &text[text.ceil_char_boundary(text.len() - room * 2 / 3)..];
    let head = head.rfind('\n').map_or(head, |end| &head[..=end]);
    let tail = tail.find('\n').map_or(tail, |end| &tail[end + 1..]);
    let left_out = text.len() - head.len() - tail.len();
    let text = texts::ssh::middle_left_out(head, left_out, tail);
    (text, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_output_keeps_its_begin_and_its_end() {
        assert_eq!(middle_out("short", 10), ("short".to_owned(), false));
        let text: String = (0..1000).map(|line| format!("line {line}\n")).collect();
        let (cut, was_cut) = middle_out(&text, 300);
        assert!(was_cut && cut.len() < 350, "{}", cut.len());
        assert!(cut.starts_with("line 0\nline 1\n") && cut.ends_with("line 999\n"));
        let (cut, _) = middle_out(&"ä".repeat(1000), 300);
        assert!(cut.contains("bytes left out") && cut.len() < 350);
    }

    #[test]
    fn the_model_is_told_every_form() {
        for form in [
            "df -h: ",
            "journalctl -u UNIT -n N: ",
            "sensors -j: ",
            "smartctl -H DISK: ",
        ] {
            assert!(DESCRIPTION.contains(form), "{form}");
        }
        assert!(!DESCRIPTION.contains("restart"));
    }
}
