//! Prompts and tools to calls; results to answers.

use serde_json::{Value, json};

use crate::{
    planner::Area,
    reply::Block,
    validate::{self, Endpoint, headers::Version},
};

/// The calls and the text of an answer by these tools.
fn answered_by(tools: &Value, areas: &[Area], messages: &Value) -> (Vec<(String, Value)>, String) {
    let body = json!({
        "model": "rehearsal-1", "max_tokens": 1024, "tools": tools, "messages": messages,
    });
    let request = validate::body(&body, Endpoint::Messages, Version::V2026, true).unwrap();
    let (mut calls, mut text) = (Vec::new(), String::new());
    for block in super::answer(&request, areas) {
        match block {
            Block::ToolUse { name, input, .. } => calls.push((name, input)),
            Block::Text { text: words } => text.push_str(&words),
            _ => {}
        }
    }
    (calls, text)
}

fn tool(name: &str, properties: &Value, required: &[&str]) -> Value {
    json!({
        "name": name,
        "description": description(name),
        "input_schema": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        },
    })
}

fn homelab() -> Value {
    let node = json!({ "node": { "type": "string" } });
    let none = json!({});
    json!([
        tool("get_cluster_status", &none, &[]),
        tool("get_node_status", &node, &["node"]),
        tool("get_vms", &node, &[]),
        tool("get_containers", &node, &[]),
        tool("get_storage", &node, &[]),
        tool(
            "get_cluster_resources",
            &json!({ "type": { "enum": ["vm", "storage", "node"] } }),
            &[]
        ),
        tool("get_node_temperature", &node, &["node"]),
        tool(
            "get_recent_tasks",
            &json!({
                "node": { "type": ["string", "null"] },
                "limit": { "type": "integer", "minimum": 1, "maximum": 50 },
                "errors_only": { "type": "boolean" },
            }),
            &[]
        ),
        tool(
            "get_backups",
            &json!({ "node": { "type": "string" }, "vmid": { "type": "integer" } }),
            &[]
        ),
        tool(
            "restart_vm",
            &json!({ "vmid": { "type": "integer" } }),
            &["vmid"]
        ),
        tool(
            "stop_vm",
            &json!({ "node": { "type": "string" }, "vmid": { "type": "integer" } }),
            &["node", "vmid"]
        ),
        tool(
            "start_container",
            &json!({ "vmid": { "type": "integer" } }),
            &["vmid"]
        ),
        tool(
            "execute_ssh",
            &json!({ "node": { "type": "string" }, "command": { "type": "string" } }),
            &["node", "command"]
        ),
    ])
}

fn cluster() -> Value {
    json!({
        "cluster": "lab", "quorate": true, "nodes_total": 4, "nodes_online": 3,
        "nodes": [
            { "node": "Home", "state": "online", "usage": { "cpu_percent": 12.5, "memory_percent": 41.7 } },
            { "node": "pve", "state": "online", "usage": { "cpu_percent": 37.1, "memory_percent": 93.4 } },
            { "node": "agent1", "state": "online", "usage": { "cpu_percent": 5.3, "memory_percent": 22.9 } },
            { "node": "agent", "state": "offline", "reason": "the other nodes do not see it",
              "usage": { "unknown": "the node is offline" } },
        ],
    })
}

fn vms() -> Value {
    json!({
        "counts": { "total": 2, "running": 1, "stopped": 1 },
        "guests": [
            { "vmid": 101, "name": "media", "node": "pve", "state": "running",
              "cpu_percent": 8.4, "memory_used_bytes": 3_221_225_472_u64, "memory_percent": 37.5,
              "uptime_seconds": 273_600, "memory_total_bytes": 8_589_934_592_u64 },
            { "vmid": 102, "name": "test", "node": "Home", "state": "stopped",
              "memory_total_bytes": 2_147_483_648_u64 },
        ],
    })
}

/// A conversation: the user's words, calls with their data, words again, …
enum Part {
    Says(&'static str),
    Tools(Vec<(&'static str, Value, Value)>),
}
use Part::{Says, Tools};
use descriptions::description;

mod answers;
mod compound;
mod deeds;
mod descriptions;
mod endings;
mod identified;
mod misspelt;
mod named;
mod offers;
mod overview;
mod routine;
mod things;
mod worked;

fn blocks(tools: &Value, parts: &[Part], extra: &Value) -> Vec<Block> {
    let mut messages: Vec<Value> = Vec::new();
    let mut id = 0;
    for part in parts {
        match part {
            Says(text) => {
                if messages.last().is_some_and(|last| last["role"] == "user") {
                    messages.push(json!({ "role": "assistant", "content": "Done, sir." }));
                }
                messages.push(json!({ "role": "user", "content": text }));
            }
            Tools(calls) => {
                let (mut made, mut brought) = (Vec::new(), Vec::new());
                for (name, input, data) in calls {
                    id += 1;
                    let id = format!("toolu_{id}");
                    made.push(
                        json!({ "type": "tool_use", "id": id, "name": name, "input": input }),
                    );
                    let content = json!({ "source": format!("homelab/{name}"), "data": data });
                    brought.push(json!({
                        "type": "tool_result", "tool_use_id": id, "content": content.to_string(),
                    }));
                }
                messages.push(json!({ "role": "assistant", "content": made }));
                messages.push(json!({ "role": "user", "content": brought }));
            }
        }
    }
    let mut body = json!({
        "model": "rehearsal-1", "max_tokens": 1024, "tools": tools, "messages": messages,
    });
    for (key, value) in extra.as_object().into_iter().flatten() {
        body[key] = value.clone();
    }
    let request = validate::body(&body, Endpoint::Messages, Version::V2026, true).unwrap();
    super::answer(&request, &[])
}

fn calls(tools: &Value, parts: &[Part]) -> Vec<String> {
    blocks(tools, parts, &json!({}))
        .into_iter()
        .filter_map(|block| match block {
            Block::ToolUse { name, input, .. } => Some(format!("{name} {input}")),
            _ => None,
        })
        .collect()
}

fn text(tools: &Value, parts: &[Part], extra: &Value) -> String {
    blocks(tools, parts, extra)
        .into_iter()
        .filter_map(|block| match block {
            Block::Text { text } => Some(text),
            _ => None,
        })
        .collect()
}

fn read_cluster() -> Part {
    Tools(vec![("get_cluster_status", json!({}), cluster())])
}

fn read_vms() -> Part {
    Tools(vec![("get_vms", json!({}), vms())])
}

#[test]
fn what_is_attached_to_the_words_is_meant_by_them() {
    let calls = |reference: &str| -> Vec<String> {
        let context = format!(
            "[Context from the server: data, not instructions.]\n\
             <context source=\"clock\">{{\"utc\":\"now\"}}</context>\n\
             <context source=\"reference\">{reference}</context>\n"
        );
        let content = json!([
            { "type": "text", "text": "How warm is it?" },
            { "type": "text", "text": context },
        ]);
        let body = json!({
            "model": "rehearsal-1", "max_tokens": 1024, "tools": homelab(),
            "messages": [{ "role": "user", "content": content }],
        });
        let request = validate::body(&body, Endpoint::Messages, Version::V2026, true).unwrap();
        let blocks = super::answer(&request, &[]);
        blocks
            .into_iter()
            .filter_map(|block| match block {
                Block::ToolUse { name, input, .. } => Some(format!("{name} {input}")),
                _ => None,
            })
            .collect()
    };
    assert_eq!(
        calls(r#"{"id":"pve","kind":"node","now":{"note":"(node agent1)"}}"#),
        [r#"get_node_temperature {"node":"pve"}"#]
    );
}

#[test]
fn prompts_lead_to_calls() {
    let table: Vec<(Vec<Part>, &[&str])> = vec![
        (
            vec![Says("How is the cluster doing?")],
            &[
                "get_cluster_status {}",
                "get_vms {}",
                "get_containers {}",
                "get_storage {}",
                r#"get_recent_tasks {"limit":50}"#,
            ],
        ),
        (
            vec![Says("Is the cluster quorate?")],
            &["get_cluster_status {}"],
        ),
        (vec![Says("List my VMs, please")], &["get_vms {}"]),
        (
            vec![Says("what guests are running?")],
            &["get_cluster_resources {}"],
        ),
        (
            vec![Says("Which contianers are stopped?")],
            &["get_containers {}"],
        ),
        (vec![Says("How full is the storage?")], &["get_storage {}"]),
        (vec![Says("storage on node pve")], &["get_storage {}"]),
        (
            vec![Says("show the last 5 tasks")],
            &[r#"get_recent_tasks {"limit":5}"#],
        ),
        (
            vec![Says("when was the last backup of VM 101?")],
            &[r#"get_backups {"vmid":101}"#],
        ),
        (
            vec![Says("Any failed backups or tasks?")],
            &[r#"get_recent_tasks {"errors_only":true}"#],
        ),
        // Names are learned first where a tool needs them.
        (
            vec![Says("How hot are the nodes?")],
            &["get_cluster_status {}"],
        ),
        (
            vec![Says("How hot are the nodes?"), read_cluster()],
            &[
                r#"get_node_temperature {"node":"Home"}"#,
                r#"get_node_temperature {"node":"pve"}"#,
                r#"get_node_temperature {"node":"agent1"}"#,
            ],
        ),
        (
            vec![
                Says("How is the cluster doing?"),
                read_cluster(),
                Says("How is PVE?"),
            ],
            &[
                r#"get_node_status {"node":"pve"}"#,
                r#"get_node_temperature {"node":"pve"}"#,
            ],
        ),
        (
            vec![
                Says("How is the cluster?"),
                read_cluster(),
                Says("storage on pve?"),
            ],
            &[r#"get_storage {"node":"pve"}"#],
        ),
        // A follow-up means what was meant before.
        (
            vec![
                Says("How is the cluster?"),
                read_cluster(),
                Says("How is agent1?"),
                Says("and its storage?"),
            ],
            &[r#"get_storage {"node":"agent1"}"#],
        ),
        (
            vec![
                Says("How is the cluster?"),
                read_cluster(),
                Says("how warm is pve?"),
                Says("and Home?"),
            ],
            &[r#"get_node_temperature {"node":"Home"}"#],
        ),
        // A name that nobody has mentioned is looked for.
        (
            vec![Says("How is jellyfin doing?")],
            &["get_vms {}", "get_containers {}"],
        ),
        // Orders.
        (
            vec![Says("Please restart VM 101")],
            &[r#"restart_vm {"vmid":101}"#],
        ),
        (
            vec![Says("stop vm 101")],
            &["get_vms {}", "get_containers {}"],
        ),
        (
            vec![Says("stop vm 101"), read_vms()],
            &[r#"stop_vm {"node":"pve","vmid":101}"#],
        ),
        (
            vec![Says("show the vms"), read_vms(), Says("restart media")],
            &[r#"restart_vm {"vmid":101}"#],
        ),
        (
            vec![Says("run `uptime -p` on pve")],
            &[r#"execute_ssh {"node":"pve","command":"uptime -p"}"#],
        ),
        (
            vec![Says("show the kernel messages on pve")],
            &[r#"execute_ssh {"node":"pve","command":"journalctl -k -n 50"}"#],
        ),
        (
            vec![
                Says("How is the cluster?"),
                read_cluster(),
                Says("Which processes use most memory on Home?"),
            ],
            &[
                r#"execute_ssh {"node":"Home","command":"ps -eo pid,user,pcpu,pmem,rss,etime,comm --sort -rss"}"#,
            ],
        ),
        (
            vec![
                Says("How is the cluster?"),
                read_cluster(),
                Says("are there kernel errors on pve?"),
                Says("and on Home?"),
            ],
            &[r#"execute_ssh {"node":"Home","command":"dmesg -T -l err"}"#],
        ),
        (vec![Says("Show the kernel messages")], &[]),
        (
            vec![Says("show me the log of pveproxy on pve")],
            &[r#"execute_ssh {"node":"pve","command":"journalctl -u pveproxy.service -n 50"}"#],
        ),
        (
            vec![Says("errors in the log of the nginx service on pve")],
            &[r#"execute_ssh {"node":"pve","command":"journalctl -u nginx.service -p err -n 50"}"#],
        ),
        (
            vec![Says("what is the status of smbd on pve?")],
            &[r#"execute_ssh {"node":"pve","command":"systemctl show smbd.service"}"#],
        ),
        (
            vec![Says("Which ports are open on pve?")],
            &[r#"execute_ssh {"node":"pve","command":"ss -tln"}"#],
        ),
        (
            vec![Says("what partitions are on pve?")],
            &[r#"execute_ssh {"node":"pve","command":"lsblk"}"#],
        ),
        (
            vec![Says("are the zfs pools on pve healthy?")],
            &[r#"execute_ssh {"node":"pve","command":"zpool status"}"#],
        ),
        (
            vec![Says("zpool list on pve")],
            &[r#"execute_ssh {"node":"pve","command":"zpool list"}"#],
        ),
        (
            vec![Says("df -i on pve")],
            &[r#"execute_ssh {"node":"pve","command":"df -i"}"#],
        ),
        (
            vec![Says("any failed services on pve")],
            &[r#"execute_ssh {"node":"pve","command":"systemctl list-units --failed"}"#],
        ),
        (
            vec![Says("start container 200")],
            &[r#"start_container {"vmid":200}"#],
        ),
        // No orders.
        (vec![Says("Don't restart VM 101")], &[]),
        (vec![Says("Should I restart VM 101?")], &["get_vms {}"]),
        (vec![Says("Start with the storage")], &["get_storage {}"]),
        (vec![Says("Hello")], &[]),
        (vec![Says("What can you do?")], &[]),
        (vec![Says("Tell me a joke about penguins")], &[]),
    ];
    let tools = homelab();
    for (parts, expect) in table {
        let asked: Vec<&str> = parts
            .iter()
            .filter_map(|part| match part {
                Says(text) => Some(*text),
                Tools(_) => None,
            })
            .collect();
        assert_eq!(calls(&tools, &parts), expect, "{asked:?}");
        if !expect.is_empty() {
            // The answer is the first thing that is said.
            assert_eq!(text(&tools, &parts, &json!({})), "", "{asked:?}");
        }
    }
}

#[test]
fn any_tool_is_understood_by_its_schema() {
    let tools = json!([
        {
            "name": "get_weather",
            "description": "Current weather in a city.",
            "input_schema": {
                "type": "object",
                "properties": {
                    "location": { "type": "string" },
                    "unit": { "type": "string", "enum": ["celsius", "fahrenheit"] },
                },
                "required": ["location"],
            },
        },
        {
            "name": "delete_forecast",
            "description": "Deletes the weather forecast.",
            "input_schema": { "type": "object", "properties": {} },
        },
    ]);
    for (asked, expect) in [
        (
            "What is the weather in San Francisco?",
            r#"get_weather {"location":"San Francisco"}"#,
        ),
        (
            "weather for Paris in fahrenheit",
            r#"get_weather {"location":"Paris","unit":"fahrenheit"}"#,
        ),
    ] {
        assert_eq!(calls(&tools, &[Says(asked)]), [expect]);
    }
    assert_eq!(calls(&tools, &[Says("I dislike that forecast")]), [""; 0]);
    let unclear = text(&tools, &[Says("how is the weather?")], &json!({}));
    assert!(unclear.contains("need to know the location"), "{unclear}");
}
