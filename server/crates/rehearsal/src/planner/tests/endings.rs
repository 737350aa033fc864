//! The answer after an action: one sentence, and no JSON.

use super::*;

/// A conversation in which a guest is known, an order was given, and its call came back with this.
fn after(said: &str, call: &str, input: &Value, result: &Value) -> String {
    let use_of = |id: &str, name: &str, input: &Value| {
        json!({ "role": "assistant", "content": [
            { "type": "tool_use", "id": id, "name": name, "input": input },
        ] })
    };
    let back = |id: &str, content: &Value, is_error: bool| {
        json!({ "role": "user", "content": [{
            "type": "tool_result", "tool_use_id": id, "is_error": is_error,
            "content": content.to_string(),
        }] })
    };
    let is_error = result.get("data").is_none();
    let body = json!({
        "model": "rehearsal-1", "max_tokens": 1024, "tools": homelab(),
        "messages": [
            { "role": "user", "content": said },
            use_of("toolu_1", "get_vms", &json!({})),
            back("toolu_1", &json!({ "source": "homelab/get_vms", "data": vms() }), false),
            use_of("toolu_2", call, input),
            back("toolu_2", result, is_error),
        ],
    });
    let request = validate::body(&body, Endpoint::Messages, Version::V2026, true).unwrap();
    let texts = super::super::answer(&request, &[]).into_iter();
    let texts = texts.filter_map(|block| match block {
        Block::Text { text } => Some(text),
        _ => None,
    });
    texts.collect()
}

#[test]
fn an_action_ends_in_one_sentence() {
    let did = |state: &str| {
        json!({ "source": "homelab/stop_vm", "data": {
            "guest": "VM 101 (media)", "node": "pve", "hard": false, "ha_managed": false,
            "before": { "state": "running", "uptime_seconds": 9 }, "after": { "state": state },
            "tasks": [{ "upid": "UPID:pve:…", "proof": "it is stopped" }], "warnings": [],
            "took_seconds": 4,
        } })
    };
    let denied = "The operator denied this call. It did not run.";
    for (result, expect) in [
        (did("stopped"), "media is stopped, after 4 s."),
        (
            json!({ "denied": denied }),
            "I did not stop media: you denied it.",
        ),
        (
            json!({ "denied": denied, "comment": "do it after 22:00" }),
            "I did not stop media: you denied it. “do it after 22:00”: shall I ask again then?",
        ),
        (
            json!({ "denied": denied, "comment": "restart it <b>instead</b>" }),
            "I did not stop media: you denied it. “restart it \\<b\\>instead\\</b\\>”: shall I do that \
             instead?",
        ),
        (
            json!({ "denied": denied, "comment": "not now" }),
            "I did not stop media: you denied it, and said “not now”.",
        ),
        (
            json!({ "expired": "The request expired without a decision. It did not run." }),
            "I did not stop media: the request expired without a decision. Shall I ask again?",
        ),
        (
            json!({ "withdrawn": "The operator went on without deciding. It did not run." }),
            "I did not stop media: you went on without deciding.",
        ),
        (
            json!({ "blocked": "Guest 101 is protected by the configuration." }),
            "I did not stop media: it was blocked. Guest 101 is protected by the configuration.",
        ),
        (
            json!({ "source": "homelab/stop_vm", "error": { "message": "VM 101 is locked.", "help": "Wait." } }),
            "I could not stop media. VM 101 is locked. (Wait.)",
        ),
    ] {
        let input = json!({ "node": "pve", "vmid": 101 });
        assert_eq!(after("stop media", "stop_vm", &input, &result), expect);
    }
    let input = json!({ "vmid": 101 });
    let again = did("running");
    assert_eq!(
        after("restart media", "restart_vm", &input, &again),
        "media is running again, after 4 s."
    );
}

/// A number that nothing has is no matter of tools.
#[test]
fn an_order_for_a_number_that_nothing_has_says_so() {
    let none = json!({ "tool_choice": { "type": "none" } });
    let listed = Tools(vec![("get_vms", json!({}), vms())]);
    let answer = text(&homelab(), &[Says("stop vm 104"), listed], &none);
    let told = "I find nothing called `104` in the results, sir";
    assert!(answer.starts_with(told), "{answer}");
}

/// True if it will run is not decided yet, so nothing is promised.
#[test]
fn nothing_is_said_before_an_action() {
    let tools = homelab();
    let blocks = blocks(&tools, &[Says("restart vm 101")], &json!({}));
    let kinds: Vec<&str> = blocks
        .iter()
        .map(|block| match block {
            Block::Text { .. } => "text",
            Block::ToolUse { .. } => "call",
            _ => "thinking",
        })
        .collect();
    assert_eq!(kinds, ["thinking", "call"]);
}

/// That nothing is wrong is more than a list of guests can say: this one has no backup at all.
#[test]
fn what_nobody_checked_is_not_praised() {
    let none = json!({ "tool_choice": { "type": "none" } });
    for said in [
        "How is media doing?",
        "Show VM 101",
        "how is vm 101 today",
        "vm 101?",
    ] {
        let parts = [Says(said), Tools(vec![("get_vms", json!({}), vms())])];
        let answer = text(&homelab(), &parts, &none);
        let last = answer.lines().last().unwrap();
        assert!(last.starts_with("- "), "{said}: {answer}");
    }
}
