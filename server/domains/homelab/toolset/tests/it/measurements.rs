//! Jarvis's own measurements: what feeds the store, and where they replace Proxmox's history.

use std::{sync::Arc, time::Duration};

use agent::ports::Toolset;
use homelab::{
    Homelab, MeasuredQuantity, MeasuredSubject, Measurement, MeasurementStore, STEP_SECONDS,
};
use homelab_testkit::MemoryMeasurements;
use homelab_wire::{ChartsPage, GuestPart, HistoryPart, NodePart, ReadingPart, StoragePart};
use insta::assert_json_snapshot;
use protocol::{ErrorBody, ErrorCode, FromJson, PageQuery, Timestamp, UserId};
use serde_json::{Value, json};
use simlab::ConnectionFault;
use tokio::sync::oneshot;

use crate::{
    board::{Watched, quick},
    lab::{Lab, NOW, call, seen},
};

const START: i64 = NOW as i64;
const OWN: &str = "Jarvis's own measurements, means over 5 min";

#[tokio::test]
async fn the_store_in_memory_keeps_the_contract() {
    homelab_testkit::measurement_contract(Arc::new(MemoryMeasurements::default())).await;
}

fn subjects() -> [MeasuredSubject; 4] {
    [
        MeasuredSubject::node("pve").unwrap(),
        MeasuredSubject::guest(100),
        MeasuredSubject::storage(None, "nas").unwrap(),
        MeasuredSubject::storage(Some("pve"), "local").unwrap(),
    ]
}

/// Two hours of constant values, without the ten minutes that begin half an hour ago.
async fn filled() -> MemoryMeasurements {
    let store = MemoryMeasurements::default();
    let [pve, guest, nas, local] = subjects();
    let means = [
        (&pve, MeasuredQuantity::CpuPercent, 42.0),
        (&pve, MeasuredQuantity::IoWaitPercent, 1.5),
        (&pve, MeasuredQuantity::MemoryBytes, 1_073_741_824.0),
        (&pve, MeasuredQuantity::Celsius, 51.25),
        (&guest, MeasuredQuantity::CpuPercent, 7.0),
        (&guest, MeasuredQuantity::MemoryBytes, 4_096.0),
        (&nas, MeasuredQuantity::UsedBytes, 1_000.0),
        (&local, MeasuredQuantity::UsedBytes, 2_000.0),
    ];
    let means = means.map(|(subject, quantity, value)| Measurement {
        subject: subject.clone(),
        quantity,
        value,
    });
    for at in (START - 7_200..START).step_by(STEP_SECONDS as usize) {
        if !(START - 1_800..START - 1_200).contains(&at) {
            store.put(at, &means).await.unwrap();
        }
    }
    store
}

async fn charts(
    homelab: &Homelab,
    kind: &str,
    name: &str,
    span: &str,
) -> Result<ChartsPage, ErrorBody> {
    let query = PageQuery {
        kind: kind.to_owned(),
        name: name.to_owned(),
        part: format!("charts/{span}"),
    };
    let page = homelab.page(UserId::new(Timestamp(1), 1), &query).await?;
    Ok(ChartsPage::from_json(page).unwrap())
}

fn line<'a>(page: &'a ChartsPage, chart: &str) -> &'a [Option<f64>] {
    let mut charts = page.charts.iter();
    let chart = charts.find(|it| it.name == chart);
    &chart.unwrap().lines[0].values
}

#[tokio::test]
async fn what_the_board_reads_is_kept() {
    let lab = Lab::start().await;
    let homelab = quick(&lab, &lab.sim.admin_token());
    let store = MemoryMeasurements::default();
    let recorder = homelab.measured_in(Arc::new(store.clone()));
    let (stop, stopped) = oneshot::channel::<()>();
    let recorder = tokio::spawn(recorder.run(async {
        stopped.await.unwrap_or(());
    }));
    // The first step finds a store that fails, and nobody at the board notices.
    store.fail(true);
    let mut board = Watched::start(&homelab);
    let there = |node: &NodePart| node.version.value().is_some();
    board.until("node/pve", there).await;
    lab.clock.advance(Duration::from_secs(STEP_SECONDS as u64));
    let later = |at: Option<protocol::Timestamp>| at.is_some_and(|at| at.0 > START * 1_000);
    board
        .until("reading/overview", |reading: &ReadingPart| {
            later(reading.at)
        })
        .await;
    board
        .until("node/pve", |node: &NodePart| later(node.at))
        .await;
    store.fail(false);
    let guests: Vec<GuestPart> = board.all("guest/");
    let storages: Vec<StoragePart> = board.all("storage/");
    drop(board);
    stop.send(()).unwrap();
    recorder.await.unwrap();

    let read = async |subject: &MeasuredSubject, quantity| {
        let series = store.series(subject, quantity, START, START + 2 * STEP_SECONDS);
        series.await.unwrap()
    };
    let pve = &subjects()[0];
    let cpu = read(pve, MeasuredQuantity::CpuPercent).await;
    let steps: Vec<i64> = cpu.iter().map(|mean| mean.at - START).collect();
    assert_eq!(steps, [0, STEP_SECONDS], "the first is written later");
    assert!(cpu.iter().all(|mean| (0.0..=100.0).contains(&mean.value)));
    for quantity in [
        MeasuredQuantity::MemoryBytes,
        MeasuredQuantity::IoWaitPercent,
    ] {
        assert_eq!(read(pve, quantity).await.len(), 2, "{quantity:?}");
    }
    // Without SSH it has no temperature, and a guest that is off has no figures.
    assert_eq!(read(pve, MeasuredQuantity::Celsius).await, []);
    let mut off = 0;
    for guest in &guests {
        let subject = MeasuredSubject::guest(u32::try_from(guest.vmid).unwrap());
        let memory = read(&subject, MeasuredQuantity::MemoryBytes).await;
        assert_eq!(!memory.is_empty(), guest.memory_used.is_some(), "{guest:?}");
        off += usize::from(memory.is_empty());
    }
    assert!(off > 0 && off < guests.len());
    for storage in &storages {
        let subject = MeasuredSubject::storage(storage.node.as_deref(), &storage.name).unwrap();
        let used = read(&subject, MeasuredQuantity::UsedBytes).await;
        assert_eq!(used.len(), 2, "{storage:?}");
    }
}

#[tokio::test]
async fn proxmox_answers_first_and_has_no_temperature() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    let store = filled().await;
    homelab.measured_in(Arc::new(store.clone()));
    for span in ["hour", "day", "week", "month"] {
        let page = charts(&homelab, "node", "pve", span).await.unwrap();
        let theirs = format!("GET /nodes/pve/rrddata?timeframe={span}");
        if span == "month" {
            assert_eq!(page.source, theirs);
            continue;
        }
        assert_eq!(page.source, format!("{theirs}; temperature: {OWN}"));
        let celsius = line(&page, "Temperature");
        assert_eq!(celsius.len(), line(&page, "CPU").len());
        assert!(celsius.iter().flatten().all(|value| *value == 51.25));
        assert!(celsius.iter().flatten().count() > 0, "{span}");
    }
    // A gap stays a gap: the hour has a value for each minute, less the ten without measurements.
    let page = charts(&homelab, "node", "pve", "hour").await.unwrap();
    let measured = line(&page, "Temperature").iter().flatten().count();
    assert!((48..=51).contains(&measured), "{measured}");
    let past = json!({ "type": "node", "name": "pve", "span": "day" });
    let past = call(&homelab, "get_history", past).await.unwrap();
    let celsius = past.data["series"]["temperature_celsius"].as_array();
    assert!(celsius.unwrap().contains(&json!(51.25)), "{past:?}");
    // Nothing measured, no chart; a store that fails is named.
    let agent = charts(&homelab, "node", "agent", "day").await.unwrap();
    assert!(agent.charts.iter().all(|chart| chart.name != "Temperature"));
    assert!(agent.source.ends_with("rrddata?timeframe=day"));
    store.fail(true);
    let page = charts(&homelab, "node", "pve", "day").await.unwrap();
    let failed = "; temperature unknown: measurements cannot be stored or read: on purpose";
    assert!(page.source.ends_with(failed), "{}", page.source);
}

#[tokio::test]
async fn without_rights_the_past_is_what_jarvis_measured() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    homelab.measured_in(Arc::new(filled().await));
    let control = lab.sim.control();
    control.revoke("/vms/100", "VM.Audit");
    control.revoke("/storage/nas", "Datastore.Audit");
    control.revoke("/storage/nas", "Datastore.AllocateSpace");
    let ask = |what: &str, name: &str| {
        let input = json!({ "type": what, "name": name, "span": "hour" });
        seen(&homelab, "get_history", input)
    };
    assert_json_snapshot!("guest_that_is_not_visible", ask("guest", "100").await);
    let nas = ask("storage", "nas").await;
    let reason = "The storage is not visible: missing privilege Datastore.Audit or \
                  Datastore.AllocateSpace on /storage/nas";
    assert_eq!(nas["data"]["source"], format!("{OWN}; Proxmox: {reason}"));
    // Neither measured nor visible.
    control.revoke("/vms/101", "VM.Audit");
    let other = ask("guest", "101").await;
    assert_eq!(
        other["error"]["message"],
        "Guest 101 is not visible: missing privilege VM.Audit on /vms/101."
    );
    let nowhere: Value = ask("guest", "999").await;
    assert_eq!(nowhere["error"]["code"], json!(ErrorCode::ToolInputInvalid));
}

#[tokio::test]
async fn while_proxmox_is_away_the_past_is_what_jarvis_measured() {
    let lab = Lab::start().await;
    let homelab = lab.admin();
    let store = filled().await;
    homelab.measured_in(Arc::new(store.clone()));
    lab.sim.control().set_connection(ConnectionFault::Refused);
    for (kind, name, chart, value) in [
        ("node", "pve", "CPU", 42.0),
        ("node", "pve", "Temperature", 51.25),
        ("guest", "100", "Memory", 4_096.0),
        ("storage", "nas", "Use", 1_000.0),
        // A shared storage on one of its nodes.
        ("storage", "pve/nas", "Use", 1_000.0),
        ("storage", "pve/local", "Use", 2_000.0),
    ] {
        for (span, step, steps) in [("hour", 300, 12), ("day", 300, 288), ("week", 1_800, 336)] {
            let page = charts(&homelab, kind, name, span).await.unwrap();
            let begins = format!("{OWN}; Proxmox: No connection to 127.0.0.1:");
            assert!(page.source.starts_with(&begins), "{}", page.source);
            let values = line(&page, chart);
            assert_eq!((page.step, values.len()), (Some(step), steps), "{span}");
            assert!(values.iter().flatten().all(|found| *found == value));
            if span == "hour" {
                assert_eq!(page.start.0, (START - 3_600) * 1_000);
                let gap = [Some(value), None, None, Some(value)];
                assert_eq!(values[5..9], gap, "{kind} {name}");
            }
        }
        // Seven days are kept.
        let month = charts(&homelab, kind, name, "month").await.unwrap_err();
        assert_eq!(month.code, ErrorCode::ToolUnreachable);
    }
    let unknown = charts(&homelab, "guest", "101", "day").await.unwrap_err();
    assert_eq!(unknown.code, ErrorCode::ToolUnreachable);
    store.fail(true);
    let failed = charts(&homelab, "guest", "100", "day").await.unwrap_err();
    assert_eq!(failed.code, ErrorCode::ToolUnreachable);
}

#[tokio::test]
async fn the_last_hour_is_there_after_a_restart() {
    let lab = Lab::start().await;
    // Proxmox has lost its own.
    lab.sim.control().set_rrd_gap(Some(0.0..NOW as f64 * 2.0));
    let homelab = quick(&lab, &lab.sim.admin_token());
    homelab.measured_in(Arc::new(filled().await));
    let mut board = Watched::start(&homelab);
    let full = |values: &[Option<f64>]| values.iter().flatten().count() == 50;
    let history: HistoryPart = board
        .until("history/pve", |history: &HistoryPart| {
            full(&history.cpu) && full(&history.memory)
        })
        .await;
    assert_eq!(history.cpu[..30], [Some(42.0); 30]);
    assert_eq!(history.cpu[30..40], [None; 10]);
    assert_eq!(history.io_wait[40..], [Some(1.5); 20]);
    assert!(history.memory[0].is_some_and(|share| (0.1..100.0).contains(&share)));
}
