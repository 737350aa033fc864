//! The homelab's own measurements through the server: written at its end, read after its start.

use std::time::{SystemTime, UNIX_EPOCH};

use homelab::{MeasuredQuantity, MeasuredSubject, Measurement, MeasurementStore, StepMean};
use homelab_tables::HomelabTables;
use protocol::PageAnswer;
use serde_json::{Value, json};
use simlab::ConnectionFault;
use store::Store;

use crate::{
    client::Browser,
    harness::{Folder, Server},
};

const CPU: MeasuredQuantity = MeasuredQuantity::CpuPercent;

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

/// The tables of a folder where no server runs.
async fn open(folder: &Folder) -> (Store, HomelabTables) {
    let store = Store::open(&folder.data()).await.unwrap();
    let tables = HomelabTables::open(&store).await.unwrap();
    (store, tables)
}

async fn hour(browser: &Browser, kind: &str, name: &str) -> Value {
    let query = json!({ "board": "homelab", "kind": kind, "name": name, "part": "charts/hour" });
    let answer = browser.call::<PageAnswer>("page", &query).await;
    answer.unwrap().value
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_past_survives_a_restart() {
    let folder = Folder::new();
    let begun = now();
    let server = Server::start(&folder).await;
    // It waits for the first answers.
    let browser = server.sign_in().await;
    let page = browser.get("/hud").await.text().await.unwrap();
    assert!(page.contains("4 of 4 nodes online"));
    server.stop().await;

    // What was measured since the last full step is written at the end, apart from a real cluster's.
    let (store, tables) = open(&folder).await;
    let guest = MeasuredSubject::guest(100);
    let measured = async |tables: &HomelabTables| -> Vec<StepMean> {
        let series = tables.series(&guest, CPU, begun - 600, begun + 600);
        series.await.unwrap()
    };
    assert_eq!(measured(&tables).await, []);
    let tables = tables.simulated();
    assert!(!measured(&tables).await.is_empty());
    let node = MeasuredSubject::node("pve").unwrap();
    for at in (begun - 7_200..now()).step_by(300) {
        let means = [(&guest, CPU, 7.0), (&node, MeasuredQuantity::Celsius, 51.5)];
        let means = means.map(|(subject, quantity, value)| Measurement {
            subject: subject.clone(),
            quantity,
            value,
        });
        tables.put(at, &means).await.unwrap();
    }
    store.close().await.unwrap();
    drop((store, tables));

    let server = Server::start(&folder).await;
    let browser = server.sign_in().await;
    let pve = hour(&browser, "node", "pve").await;
    let celsius = pve["charts"].as_array().unwrap().last().unwrap();
    assert_eq!(celsius["unit"], "celsius", "{pve}");
    assert_eq!(celsius["lines"][0]["values"][3], 51.5, "{pve}");
    let control = server.simlab().control();
    control.set_connection(ConnectionFault::Refused);
    let guest = hour(&browser, "guest", "100").await;
    let source = guest["source"].as_str().unwrap();
    let own = "Jarvis's own measurements, means over 5 min; Proxmox: ";
    assert!(source.starts_with(own), "{source}");
    assert_eq!(guest["charts"][0]["lines"][0]["values"][3], 7.0, "{guest}");
    server.stop().await;
}
