//! The real meaning of a task that ended.

use serde_json::{Value, json};

use crate::harness::Lab;

async fn current(lab: &Lab, place: &str) -> Value {
    lab.get(&format!("/nodes/{place}/status/current"))
        .await
        .data()
        .clone()
}

#[tokio::test]
async fn outcomes_follow_the_rules_of_the_real_cluster() {
    let lab = Lab::new().await;
    let control = lab.control();
    control.set_lock(101, Some("migrate"));
    control.set_lock(223, Some("snapshot"));
    control.set_deaf(222, true);
    let ran = |exit: &'static str, seconds: u64, status: &'static str| Ok((exit, seconds, status));
    for (place, action, form, expect) in [
        // Refused before a task starts.
        ("Home/lxc/201", "start", None, Err("CT 201 already running")),
        ("pve/lxc/213", "stop", None, Err("CT 213 not running")),
        ("pve/lxc/213", "reboot", None, Err("CT 213 not running")),
        ("pve/qemu/113", "reboot", None, Err("VM 113 not running")),
        (
            "agent/qemu/130",
            "shutdown",
            None,
            Err("VM is paused - cannot shutdown"),
        ),
        (
            "agent/qemu/130",
            "reboot",
            None,
            Err("VM is paused - cannot shutdown"),
        ),
        // Failed inside the task.
        (
            "pve/qemu/111",
            "start",
            None,
            ran("VM 111 already running", 1, "running"),
        ),
        (
            "pve/qemu/119",
            "start",
            None,
            ran("you can't start a vm if it's a template", 1, "stopped"),
        ),
        (
            "Home/qemu/101",
            "stop",
            None,
            ran("VM is locked (migrate)", 1, "running"),
        ),
        (
            "agent1/lxc/223",
            "shutdown",
            None,
            ran("CT is locked (snapshot)", 1, "running"),
        ),
        (
            "agent1/lxc/222",
            "shutdown",
            None,
            ran("container did not stop", 60, "running"),
        ),
        (
            "agent1/lxc/222",
            "reboot",
            Some(("timeout", "5")),
            ran("container did not stop", 5, "running"),
        ),
        (
            "pve/qemu/110",
            "shutdown",
            Some(("timeout", "10")),
            ran("VM quit/powerdown failed - got timeout", 10, "running"),
        ),
        (
            "pve/qemu/113",
            "start",
            Some(("timeout", "1")),
            ran(
                "start failed: command '/usr/bin/kvm -id 113 …' failed: got timeout",
                1,
                "stopped",
            ),
        ),
        // Ended successfully.
        ("pve/qemu/113", "stop", None, ran("OK", 1, "stopped")),
        ("pve/qemu/113", "shutdown", None, ran("OK", 1, "stopped")),
        ("pve/qemu/110", "shutdown", None, ran("OK", 35, "stopped")),
        (
            "agent1/lxc/222",
            "shutdown",
            Some(("forceStop", "1")),
            ran("OK", 61, "stopped"),
        ),
        (
            "agent/lxc/232",
            "start",
            None,
            ran("WARNINGS: 1", 3, "running"),
        ),
        ("pve/lxc/213", "start", None, ran("OK", 3, "running")),
    ] {
        let path = format!("/nodes/{place}/status/{action}");
        let form: Vec<(&str, &str)> = form.into_iter().collect();
        match expect {
            Err(message) => {
                let answer = lab.post(&path, &form).await;
                assert_eq!(
                    (answer.status, answer.phrase.as_str()),
                    (500, message),
                    "{path}"
                );
            }
            Ok((exit, seconds, status)) => {
                let upid = lab.begin(&path, &form).await;
                let task = lab.task(&upid).await;
                assert_eq!(
                    (&task["status"], task.get("exitstatus")),
                    (&json!("running"), None)
                );
                lab.advance(seconds);
                let task = lab.task(&upid).await;
                assert_eq!(task["exitstatus"], exit, "{path}");
                assert_eq!(current(&lab, place).await["status"], status, "{path}");
            }
        }
    }
}

#[tokio::test]
async fn a_reboot_that_is_ok_has_only_gone_down() {
    let lab = Lab::new().await;
    let before = current(&lab, "pve/qemu/112").await;
    let upid = lab.begin("/nodes/pve/qemu/112/status/reboot", &[]).await;
    lab.advance(9);
    assert_eq!(lab.task(&upid).await["exitstatus"], "OK");
    assert_eq!(current(&lab, "pve/qemu/112").await["status"], "stopped");
    lab.advance(1);
    let running = lab.get("/nodes/pve/tasks?source=active").await;
    let start = running.row("type", "qmstart");
    assert_eq!(
        (&start["id"], &start["user"]),
        (&json!("112"), &json!("root@pam"))
    );
    lab.advance(5);
    let after = current(&lab, "pve/qemu/112").await;
    assert_eq!(after["status"], "running");
    assert!(after["uptime"].as_u64() < Some(5) && before["uptime"].as_u64() > Some(1_000));
    assert_ne!(after["pid"], before["pid"]);
}

#[tokio::test]
async fn the_ha_manager_decides_for_itself() {
    let lab = Lab::new().await;
    let place = "Home/lxc/200";
    assert_eq!(
        current(&lab, place).await["ha"],
        json!({ "managed": 1, "state": "started" })
    );
    let upid = lab.begin("/nodes/Home/lxc/200/status/shutdown", &[]).await;
    assert!(upid.contains(":hastop:200:"));
    lab.advance(1);
    assert_eq!(lab.task(&upid).await["exitstatus"], "OK");
    assert_eq!(
        current(&lab, place).await["status"],
        "running",
        "only told so far"
    );
    lab.advance(12);
    let stopped = current(&lab, place).await;
    assert_eq!(
        (&stopped["status"], &stopped["ha"]["state"]),
        (&json!("stopped"), &json!("stopped"))
    );
    lab.begin("/nodes/Home/lxc/200/status/start", &[]).await;
    lab.advance(12);
    assert_eq!(current(&lab, place).await["status"], "running");

    lab.control().crash_guest(200);
    assert_eq!(current(&lab, place).await["status"], "stopped");
    lab.advance(11);
    assert_eq!(
        current(&lab, place).await["status"],
        "running",
        "brought back"
    );
}

#[tokio::test]
async fn a_stop_waits_for_a_shutdown_that_hangs_unless_it_overrules() {
    let lab = Lab::new().await;
    lab.control().set_deaf(230, true);
    let shutdown = lab.begin("/nodes/agent/lxc/230/status/shutdown", &[]).await;
    let stop = lab.begin("/nodes/agent/lxc/230/status/stop", &[]).await;
    lab.advance(10);
    let exit = lab.task(&stop).await["exitstatus"].clone();
    assert_eq!(
        exit,
        "can't lock file '/var/lock/lxc/lock-230.conf' - got timeout"
    );
    let form = [("overrule-shutdown", "1")];
    let stop = lab.begin("/nodes/agent/lxc/230/status/stop", &form).await;
    lab.advance(2);
    assert_eq!(lab.task(&shutdown).await["exitstatus"], "unexpected status");
    assert_eq!(lab.task(&stop).await["exitstatus"], "OK");
    assert_eq!(current(&lab, "agent/lxc/230").await["status"], "stopped");
}

#[tokio::test]
async fn of_two_starts_one_finds_the_guest_running() {
    let lab = Lab::new().await;
    let first = lab.begin("/nodes/pve/qemu/113/status/start", &[]).await;
    let second = lab.begin("/nodes/pve/qemu/113/status/start", &[]).await;
    lab.advance(10);
    assert_eq!(lab.task(&first).await["exitstatus"], "OK");
    assert_eq!(
        lab.task(&second).await["exitstatus"],
        "VM 113 already running"
    );
}

#[tokio::test]
async fn a_node_goes_down_and_is_woken() {
    let lab = Lab::new().await;
    let down = lab
        .post("/nodes/agent/status", &[("command", "shutdown")])
        .await;
    assert_eq!(down.data(), &Value::Null);
    lab.advance(20);
    assert_eq!(lab.get("/nodes/agent/status").await.status, 595);
    let woken = lab.post("/nodes/agent/wakeonlan", &[]).await;
    assert_eq!(woken.data(), "9C:6B:00:1A:42:14");
    lab.advance(90);
    let status = lab.get("/nodes/agent/status").await;
    assert!(status.data()["uptime"].as_u64() < Some(60));
    assert_eq!(current(&lab, "agent/lxc/231").await["status"], "running");
    assert_eq!(
        current(&lab, "agent/qemu/130").await["status"],
        "stopped",
        "not on boot"
    );
    let own = lab.post("/nodes/Home/wakeonlan", &[]).await;
    assert_eq!(own.status, 500);
}
