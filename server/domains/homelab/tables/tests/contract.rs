//! The store of measurements on SQLite keeps its contract, and simulated ones are apart.

use std::sync::Arc;

use homelab::{MeasuredQuantity, MeasuredSubject, Measurement, MeasurementStore, StepMean};
use homelab_tables::HomelabTables;
use store::Store;

#[tokio::test]
async fn measurements_keep_their_contract() {
    let folder = tempfile::tempdir().unwrap();
    // A database without these tables.
    let store = Store::open(folder.path()).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let store = Store::open(folder.path()).await.unwrap();
    let tables = HomelabTables::open(&store).await.unwrap();
    homelab_testkit::measurement_contract(Arc::new(tables)).await;
    store.close().await.unwrap();
}

#[tokio::test]
async fn a_simulated_cluster_has_measurements_of_its_own_that_survive() {
    let folder = tempfile::tempdir().unwrap();
    let node = MeasuredSubject::node("pve").unwrap();
    let mean = Measurement {
        subject: node.clone(),
        quantity: MeasuredQuantity::Celsius,
        value: 51.5,
    };
    let store = Store::open(folder.path()).await.unwrap();
    let tables = HomelabTables::open(&store).await.unwrap();
    tables.simulated().put(600, &[mean]).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let store = Store::open(folder.path()).await.unwrap();
    let tables = HomelabTables::open(&store).await.unwrap();
    let read = async |tables: &HomelabTables| {
        let series = tables.series(&node, MeasuredQuantity::Celsius, 0, 6_000);
        series.await.unwrap()
    };
    assert_eq!(read(&tables).await, []);
    let kept = StepMean {
        at: 600,
        value: 51.5,
    };
    assert_eq!(read(&tables.simulated()).await, [kept]);
}
