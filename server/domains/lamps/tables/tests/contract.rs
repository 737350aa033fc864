//! The lamps' store on SQLite keeps its contract, in a database without its table too.

use std::sync::Arc;

use lamps_tables::LampsTables;
use store::Store;

#[tokio::test]
async fn switches_keep_their_contract() {
    let folder = tempfile::tempdir().unwrap();
    // A database that never heard of lamps.
    Store::open(folder.path())
        .await
        .unwrap()
        .close()
        .await
        .unwrap();
    let store = Store::open(folder.path()).await.unwrap();
    lamps_testkit::contract(Arc::new(LampsTables::open(&store).await.unwrap())).await;
    store.close().await.unwrap();
    drop(store);
    // Nor does it matter which of them opens it next.
    let store = Store::open(folder.path()).await.unwrap();
    let tables = LampsTables::open(&store).await.unwrap();
    assert_eq!(lamps::SwitchStore::last(&tables).await.unwrap().len(), 2);
    lamps_testkit::readings_contract(Arc::new(tables)).await;
}
