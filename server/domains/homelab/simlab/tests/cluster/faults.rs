//! Faults that clients must handle.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use simlab::ConnectionFault;

use crate::harness::{Lab, START};

#[tokio::test]
async fn a_dead_node_is_offline_for_the_others_and_silent_itself() {
    let lab = Lab::new().await;
    lab.control().set_offline("agent1", true);

    let answer = lab.get("/nodes/agent1/status").await;
    assert_eq!(
        (answer.status, answer.phrase.as_str()),
        (595, "No route to host")
    );
    assert_eq!(answer.body, "");
    assert_eq!(lab.get("/nodes/pve/status").await.status, 200);

    let status = lab.get("/cluster/status").await;
    assert_eq!(status.row("name", "agent1")["online"], 0);
    assert_eq!(status.row("type", "cluster")["quorate"], 1);
    let nodes = lab.get("/nodes").await;
    let node = nodes.row("node", "agent1");
    assert_eq!(
        (&node["status"], &node["cpu"]),
        (&json!("offline"), &Value::Null)
    );
    lab.advance(10);
    let resources = lab.get("/cluster/resources").await;
    assert_eq!(resources.row("id", "lxc/221")["status"], "unknown");
    assert_eq!(resources.row("id", "lxc/221")["mem"], Value::Null);
    assert_eq!(
        resources.row("id", "storage/agent1/local")["status"],
        "unknown"
    );
    assert_eq!(resources.row("id", "lxc/200")["status"], "running");

    let address = lab.cluster.node_addr("agent1").expect("an address");
    let own = lab
        .client
        .get(format!("https://{address}/api2/json/version"))
        .send()
        .await;
    assert!(own.is_err());

    lab.control().set_offline("agent1", false);
    assert_eq!(lab.get("/nodes/agent1/status").await.status, 200);
}

#[tokio::test]
async fn without_quorum_nothing_is_written() {
    let lab = Lab::new().await;
    lab.control().set_quorum(false);
    let status = lab.get("/cluster/status").await;
    assert_eq!(status.row("type", "cluster")["quorate"], 0);
    assert_eq!(status.row("name", "Home")["online"], 1);
    assert_eq!(status.row("name", "pve")["online"], 0);
    let refused = lab.post("/nodes/agent/lxc/232/status/start", &[]).await;
    assert_eq!(
        (refused.status, refused.phrase.as_str()),
        (500, "cluster not ready - no quorum?")
    );

    lab.control().set_quorum(true);
    lab.control().set_offline("pve", true);
    lab.control().set_offline("agent", true);
    let status = lab.get("/cluster/status").await;
    assert_eq!(
        status.row("type", "cluster")["quorate"],
        0,
        "two of four are no majority"
    );
}

#[tokio::test]
async fn connections_break_in_every_way() {
    let lab = Lab::new().await;
    let token = lab.cluster.admin_token();
    let control = lab.control();
    let path = "/nodes/agent/lxc/232/status/start";
    let start = async || lab.send(Method::POST, Some(&token), path, &[]).await;
    let started = || {
        control
            .requests()
            .iter()
            .filter(|request| request.path == path)
            .count()
    };

    control.set_connection(ConnectionFault::DropRequest);
    assert!(start().await.is_err());
    assert_eq!(started(), 0);

    control.set_connection(ConnectionFault::DropResponse);
    assert!(start().await.is_err());
    assert_eq!(started(), 1, "it happened all the same");

    control.set_connection(ConnectionFault::Refused);
    // The listener closes in a separate task.
    let mut refused = false;
    for _ in 0..100 {
        refused = start().await.is_err_and(|error| error.is_connect());
        if refused {
            break;
        }
    }
    assert!(refused);

    control.set_connection(ConnectionFault::None);
    let mut back = false;
    for _ in 0..100 {
        back = lab
            .send(Method::GET, Some(&token), "/version", &[])
            .await
            .is_ok();
        if back {
            break;
        }
        tokio::task::yield_now().await;
    }
    assert!(back);
    let running = lab.get("/nodes/agent/tasks?source=active&vmid=232").await;
    assert!(
        !running.rows().is_empty(),
        "the task of the lost answer can be found"
    );
}

#[tokio::test]
async fn answers_can_be_slow() {
    let lab = Lab::new().await;
    let delay = Duration::from_millis(80);
    lab.control().set_delay(delay);
    let begin = Instant::now();
    assert_eq!(lab.get("/version").await.status, 200);
    assert!(begin.elapsed() >= delay);
}

#[tokio::test]
async fn what_is_not_known_is_absent() {
    let lab = Lab::new().await;
    let gap = START as f64 - 1_800.0..START as f64 - 1_200.0;
    lab.control().set_rrd_gap(Some(gap));
    let samples = lab.get("/nodes/pve/rrddata?timeframe=hour").await;
    let missing = samples
        .rows()
        .iter()
        .filter(|row| row.get("cpu").is_none())
        .count();
    assert_eq!(
        (samples.rows().len(), missing),
        (60, 11),
        "the gap and the step that is not over"
    );
    assert!(samples.rows().iter().all(|row| row["time"].is_number()));

    lab.control().set_storage_unknown("pve", "nas", true);
    lab.control().set_guest_unknown(111, true);
    let resources = lab.get("/cluster/resources").await;
    assert_eq!(resources.row("id", "storage/pve/nas")["status"], "unknown");
    assert_eq!(resources.row("id", "storage/pve/nas").get("disk"), None);
    assert_eq!(
        resources.row("id", "storage/Home/nas")["status"],
        "available"
    );
    assert_eq!(resources.row("id", "qemu/111")["status"], "unknown");
    let storages = lab.get("/nodes/pve/storage").await;
    let nas = storages.row("storage", "nas");
    assert_eq!((&nas["active"], &nas["total"]), (&json!(0), &json!(0)));
    let content = lab.get("/nodes/pve/storage/nas/content").await;
    assert_eq!(content.phrase, "storage 'nas' is not online");

    lab.control().fail_service("pve", "chrony");
    let path = "/nodes/pve/services/chrony/state";
    assert_eq!(lab.get(path).await.data()["active-state"], "failed");
    lab.begin("/nodes/pve/services/chrony/restart", &[]).await;
    lab.advance(3);
    assert_eq!(lab.get(path).await.data()["active-state"], "active");
}
