//! Questions for one thing among several are answered by its name, in the first sentence.

use super::*;

fn first_sentence(tools: &Value, parts: &[Part]) -> String {
    let none = json!({ "tool_choice": { "type": "none" } });
    let answer = text(tools, parts, &none);
    let first = answer.split("\n\n").next().unwrap_or_default();
    // Without the link to its call.
    first.split(" [").next().unwrap_or_default().to_owned()
}

fn cluster_with_roles() -> Value {
    let mut cluster = cluster();
    cluster["nodes"][1]["role"] = json!("compute and NAS");
    cluster
}

pub(super) fn with_history() -> Value {
    let mut tools = homelab();
    let one_of = |choices: &[&str]| json!({ "type": "string", "enum": choices });
    let history = tool(
        "get_history",
        &json!({
            "type": one_of(&["node", "guest", "storage"]),
            "name": { "type": "string" },
            "span": one_of(&["hour", "day", "week", "month"]),
        }),
        &["type", "name", "span"],
    );
    tools.as_array_mut().unwrap().push(history);
    tools
}

#[test]
fn the_right_tools_are_asked() {
    let tools = with_history();
    let warm = |node: &str| format!("get_node_temperature {{\"node\":\"{node}\"}}");
    let roles = || {
        Tools(vec![(
            "get_cluster_status",
            json!({}),
            cluster_with_roles(),
        )])
    };
    assert_eq!(
        calls(&tools, &[Says("How warm is the NAS?")]),
        ["get_cluster_status {}"]
    );
    assert_eq!(
        calls(&tools, &[Says("How warm is the NAS?"), roles()]),
        [warm("pve")]
    );
    // Where no node has that role, all are asked.
    assert_eq!(
        calls(&tools, &[Says("How warm is the NAS?"), read_cluster()]),
        ["Home", "pve", "agent1"].map(warm)
    );
    assert_eq!(
        calls(
            &tools,
            &[
                Says("How is it?"),
                read_cluster(),
                Says("show cpu history of pve")
            ]
        ),
        [r#"get_history {"type":"node","name":"pve","span":"day"}"#]
    );
    assert_eq!(
        calls(&tools, &[Says("What failed in the last day?")]),
        [r#"get_recent_tasks {"limit":50,"errors_only":true}"#]
    );
    assert_eq!(
        calls(
            &tools,
            &[
                Says("Show the VMs"),
                Tools(vec![("get_vms", json!({}), vms())]),
                Says("which one uses the most memory?"),
            ]
        ),
        ["get_vms {}"]
    );
    assert_eq!(
        calls(&tools, &[Says("what is running?")]),
        ["get_cluster_resources {}"]
    );
    let found = Tools(vec![
        ("get_cluster_status", json!({}), cluster()),
        ("get_vms", json!({}), vms()),
        ("get_containers", json!({}), json!({ "guests": [] })),
    ]);
    assert_eq!(
        calls(&tools, &[Says("why is test stopped?"), found]),
        [r#"get_recent_tasks {"node":"Home","limit":50}"#]
    );
}

#[test]
fn the_first_sentence_answers() {
    let tools = with_history();
    let warm = |node: &'static str, celsius: f64| {
        let data = json!({ "node": node, "temperature_celsius": celsius, "sensors": [] });
        ("get_node_temperature", json!({ "node": node }), data)
    };
    let storages = json!({ "storages": [
        { "storage": "local", "nodes": ["agent"], "shared": false,
          "size": { "used_percent": 96.82 } },
        { "storage": "nas", "nodes": ["pve", "Home"], "shared": true,
          "size": { "used_percent": 66.0 } },
    ] });
    let with_template = json!({
        "counts": { "total": 2, "running": 1, "stopped": 1, "templates": 1 },
        "guests": [
            { "vmid": 101, "name": "media", "state": "running" },
            { "vmid": 102, "name": "test", "state": "stopped" },
            { "vmid": 119, "name": "base", "state": "template" },
        ],
    });
    let tasks = json!({
        "counts": { "total": 100, "failed": 1, "running": 2 },
        "tasks": [
            { "type": "vzdump", "node": "pve", "about": "101", "outcome": "ok",
              "started_at": "2026-11-22T01:00:00Z" },
            { "type": "qmshutdown", "node": "Home", "about": "102", "user": "root@pam",
              "outcome": "failed", "error": "VM quit/powerdown failed",
              "started_at": "2026-11-21T01:00:00Z" },
        ],
    });
    let series = json!({
        "about": "node pve", "series": { "cpu_percent": [10.0, null, 30.0], "load": [1.0] },
    });
    let of =
        |tool: &'static str, input: Value, data: &Value| Tools(vec![(tool, input, data.clone())]);
    for (said, brought, expect) in [
        (
            "which node is the hottest?",
            Tools(vec![warm("Home", 47.5), warm("pve", 63.0)]),
            "pve is the warmest, 63 °C.",
        ),
        (
            "How warm is the NAS?",
            Tools(vec![
                ("get_cluster_status", json!({}), cluster_with_roles()),
                warm("pve", 63.0),
            ]),
            "pve (compute and NAS) is at 63 °C, sir.",
        ),
        (
            "is media running?",
            of("get_vms", json!({}), &vms()),
            "media (101) is running, sir.",
        ),
        (
            "is test running?",
            of("get_vms", json!({}), &vms()),
            "test (102) is stopped, sir.",
        ),
        (
            "When were the last backups made?",
            of(
                "get_backups",
                json!({}),
                &json!({ "backups": [
                { "vmid": 101, "name": "media", "count": 2, "newest_at": "2026-11-21T01:00:00Z" },
                { "vmid": 102, "name": "test", "count": 1, "newest_at": "2026-11-22T01:00:00Z" },
            ] }),
            ),
            "The newest backup is of test (102), made at 22 Nov 2026, 01:00 UTC, sir.",
        ),
        (
            "which vm uses the most memory?",
            of("get_vms", json!({}), &vms()),
            "media uses the most memory, 3.0 of 8.0 GiB.",
        ),
        (
            "Is any storage filling up?",
            of("get_storage", json!({}), &storages),
            "local on agent is the fullest, 96.8 %.",
        ),
        (
            "Which VMs are stopped?",
            of("get_vms", json!({}), &with_template),
            "test (102) is stopped: 1 of the 2 virtual machines, sir.",
        ),
        (
            "Which VMs are paused?",
            of("get_vms", json!({}), &with_template),
            "None of the 2 virtual machines is paused, sir.",
        ),
        (
            "show the vms",
            of("get_vms", json!({}), &with_template),
            "2 virtual machines: 1 running, 1 stopped; and 1 template, sir.",
        ),
        (
            "What failed in the last day?",
            of("get_recent_tasks", json!({}), &tasks),
            "1 task failed, sir: qmshutdown 102 on Home.",
        ),
        (
            "show the recent tasks",
            of("get_recent_tasks", json!({}), &tasks),
            "100 tasks: 1 failed, 2 running. The first 2 are listed, sir.",
        ),
        (
            "is every task ok?",
            of("get_recent_tasks", json!({}), &tasks),
            "100 tasks: 1 failed, 2 running. The first 2 are listed, sir.",
        ),
        (
            "which task took the longest?",
            of(
                "get_recent_tasks",
                json!({}),
                &json!({ "tasks": [
                    { "type": "vzdump", "node": "pve", "outcome": "ok", "duration_seconds": 90 },
                    { "type": "qmstart", "node": "pve", "outcome": "ok", "duration_seconds": 4 },
                ] }),
            ),
            "vzdump on pve took the longest, 1 min 30 s.",
        ),
        (
            "which vm has been up the longest?",
            of("get_vms", json!({}), &vms()),
            "media has been up the longest, 3 d 4 h.",
        ),
        (
            "show cpu history of pve",
            of("get_history", json!({ "span": "day" }), &series),
            "Over the last day the CPU of node pve was between 10.0 % and 30.0 %, 20.0 % on \
             average, sir.",
        ),
    ] {
        assert_eq!(
            first_sentence(&tools, &[Says(said), brought]),
            expect,
            "{said}"
        );
    }
    let parts = [
        Says("why is test stopped?"),
        Tools(vec![
            ("get_vms", json!({}), vms()),
            ("get_recent_tasks", json!({ "node": "Home" }), tasks),
        ]),
    ];
    assert_eq!(
        first_sentence(&tools, &parts),
        "test is stopped, sir; the newest task that may explain it, qmshutdown by root@pam at \
         21 Nov 2026, 01:00 UTC, failed: VM quit/powerdown failed."
    );
}

#[test]
fn a_state_is_that_of_the_rows_at_a_place() {
    let tools = with_history();
    let guest = |vmid: u64, name: &str, state: &str| json!({ "vmid": vmid, "name": name, "node": "pve", "state": state });
    let guests = json!({ "counts": { "total": 3 }, "guests": [
        guest(101, "media", "running"),
        guest(103, "tunnel", "stopped"),
        guest(104, "web", "running"),
    ] });
    let parts = [
        Says("How is the cluster?"),
        read_cluster(),
        Says("Which VMs are running on pve?"),
        Tools(vec![("get_vms", json!({ "node": "pve" }), guests)]),
    ];
    assert_eq!(
        first_sentence(&tools, &parts),
        "media (101) and web (104) are running: 2 of the 3 virtual machines, sir."
    );
    // One thing is told of, whatever its state.
    let parts = [Says("Is media stopped?"), read_vms()];
    assert_eq!(
        first_sentence(&tools, &parts),
        "media (101) is running, sir."
    );
    let why = [
        Says("why is media stopped?"),
        Tools(vec![
            ("get_vms", json!({}), vms()),
            ("get_recent_tasks", json!({}), json!({ "tasks": [] })),
        ]),
    ];
    assert_eq!(
        first_sentence(&tools, &why),
        "media is running, not stopped, sir."
    );
}

/// A tool that takes a `name` does not make of names what says where things are.
#[test]
fn a_table_begins_with_the_names() {
    let none = json!({ "tool_choice": { "type": "none" } });
    let parts = [Says("Show the VMs"), read_vms()];
    let answer = text(&with_history(), &parts, &none);
    assert!(
        answer.contains("\n| Name | ID | Node | State |"),
        "{answer}"
    );
}
