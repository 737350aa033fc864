//! The contract of every store of facts.

use std::sync::Arc;

use markets::FactStore;

/// The whole contract, on a store without facts.
pub async fn run(store: Arc<dyn FactStore>) {
    assert_eq!(store.fact("one").await.unwrap(), None);
    store.put_fact("one", "é 'quoted'").await.unwrap();
    store.put_fact("two", "").await.unwrap();
    assert_eq!(
        store.fact("one").await.unwrap().as_deref(),
        Some("é 'quoted'")
    );
    store.put_fact("one", "1").await.unwrap();
    assert_eq!(store.fact("one").await.unwrap().as_deref(), Some("1"));
    assert_eq!(store.fact("two").await.unwrap().as_deref(), Some(""));
}
