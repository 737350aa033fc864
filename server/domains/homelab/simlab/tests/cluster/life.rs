//! Numbers that change over time, but are the same in every run.

use serde_json::Value;

use crate::harness::Lab;

const READS: &[&str] = &[
    "/cluster/status",
    "/cluster/resources",
    "/cluster/tasks",
    "/cluster/log?max=500",
    "/cluster/backup",
    "/cluster/backup-info/not-backed-up",
    "/nodes/pve/status",
    "/nodes/pve/qemu?full=1",
    "/nodes/agent1/lxc",
    "/nodes/pve/storage",
    "/nodes/pve/storage/pbs/content",
    "/nodes/Home/rrddata?timeframe=week",
    "/nodes/Home/qemu/100/rrddata?timeframe=hour&cf=MAX",
];

async fn read_all(lab: &Lab) -> Vec<Value> {
    let mut bodies = Vec::new();
    for path in READS {
        bodies.push(lab.get(path).await.body);
    }
    bodies
}

#[tokio::test]
async fn one_seed_and_one_clock_give_one_cluster() {
    let (left, right, other) = (
        Lab::new().await,
        Lab::new().await,
        Lab::with(2, std::time::Duration::ZERO).await,
    );
    left.begin("/nodes/agent/lxc/232/status/start", &[]).await;
    right.begin("/nodes/agent/lxc/232/status/start", &[]).await;
    // Intermediate reads change nothing.
    for _ in 0..9 {
        left.advance(40);
        left.get("/cluster/resources").await;
    }
    right.advance(360);
    assert_eq!(read_all(&left).await, read_all(&right).await);
    assert_ne!(
        left.get("/nodes/pve/status").await.body,
        other.get("/nodes/pve/status").await.body
    );
}

#[tokio::test]
async fn numbers_move_smoothly_and_counters_never_fall() {
    let lab = Lab::new().await;
    let mut last: Option<(f64, u64, u64)> = None;
    for _ in 0..30 {
        let answer = lab.get("/nodes/pve/qemu/111/status/current").await;
        let row = answer.data();
        let cpu = row["cpu"].as_f64().expect("a number");
        let netin = row["netin"].as_u64().expect("a counter");
        let uptime = row["uptime"].as_u64().expect("seconds");
        if let Some((cpu_before, netin_before, uptime_before)) = last {
            assert!(
                (cpu - cpu_before).abs() < 0.05,
                "{cpu_before} jumps to {cpu}"
            );
            assert!(netin > netin_before);
            assert_eq!(uptime, uptime_before + 2);
        }
        last = Some((cpu, netin, uptime));
        lab.advance(2);
    }
    let node = lab.get("/nodes/pve/status").await;
    let memory = &node.data()["memory"];
    let (used, total) = (memory["used"].as_u64(), memory["total"].as_u64());
    assert_eq!(
        used.zip(memory["available"].as_u64())
            .map(|(used, free)| used + free),
        total
    );
}

#[tokio::test]
async fn the_overview_lags_behind() {
    let lab = Lab::new().await;
    lab.begin("/nodes/agent/lxc/231/status/stop", &[]).await;
    lab.advance(2);
    let now = lab.get("/nodes/agent/lxc/231/status/current").await;
    assert_eq!(now.data()["status"], "stopped");
    let overview = async || {
        let answer = lab.get("/cluster/resources?type=vm").await;
        answer.row("vmid", 231)["status"].clone()
    };
    assert_eq!(overview().await, "running");
    lab.advance(10);
    assert_eq!(overview().await, "stopped");
}

#[tokio::test]
async fn backups_run_at_night() {
    let lab = Lab::new().await;
    let path = "/nodes/Home/storage/pbs/content?content=backup&vmid=100";
    let before = lab.get(path).await;
    assert_eq!(before.rows().len(), 7);
    // At 02:00:05 the nightly job is backing up its first guest.
    lab.advance(10 * 3_600 + 30 * 60);
    let running = lab.get("/nodes/Home/tasks?source=active").await;
    assert_eq!(running.row("type", "vzdump")["status"], "RUNNING");
    let upid = running.rows()[0]["upid"].as_str().expect("a UPID");
    let log = lab.get(&format!("/nodes/Home/tasks/{upid}/log")).await;
    assert_eq!(log.rows()[1]["t"], "INFO: Starting Backup of VM 100 (qemu)");
    let locked = lab.get("/nodes/Home/qemu/100/status/current").await;
    assert_eq!(locked.data()["lock"], "backup");

    lab.advance(1_800);
    let after = lab.get(path).await;
    assert_eq!(after.rows().len(), 7, "the oldest went");
    let newest = after.rows().last().expect("a backup");
    assert_eq!(newest["volid"], "pbs:backup/vm/100/2026-11-22T02:00:03Z");
    assert_eq!(newest.get("verification"), None, "it was not checked yet");
    assert_eq!(after.rows()[0]["verification"]["state"], "ok");
    let task = lab.task(upid).await;
    assert_eq!(
        (&task["status"], &task["exitstatus"]),
        (&"stopped".into(), &"OK".into())
    );
}

#[tokio::test]
async fn the_story_of_last_night() {
    let lab = Lab::new().await;
    let failed = lab.get("/nodes/pve/tasks?errors=1&typefilter=vzdump").await;
    assert_eq!(failed.rows().len(), 1);
    assert_eq!(failed.rows()[0]["status"], "job errors");
    // Its last good backup is a day older than that of the others.
    let newest = async |vmid: u32| {
        let path = format!("/nodes/pve/storage/pbs/content?content=backup&vmid={vmid}");
        lab.get(&path)
            .await
            .rows()
            .last()
            .and_then(|row| row["ctime"].as_i64())
    };
    assert_eq!(
        newest(212)
            .await
            .zip(newest(211).await)
            .map(|(a, b)| (a - b) / 3_600),
        Some(24)
    );
    let backups = lab
        .get("/nodes/pve/storage/pbs/content?content=backup&vmid=111")
        .await;
    let bad = backups
        .rows()
        .iter()
        .filter(|row| row["verification"]["state"] == "failed");
    assert_eq!(bad.count(), 1);
    let gaps = lab.get("/cluster/backup-info/not-backed-up").await;
    let vmids: Vec<u64> = gaps
        .rows()
        .iter()
        .filter_map(|row| row["vmid"].as_u64())
        .collect();
    assert_eq!(vmids, [112, 113, 119, 120, 130, 213, 232]);
}
