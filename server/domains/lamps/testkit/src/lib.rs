#![doc = include_str!("../README.md")]
#![expect(
    clippy::unwrap_used,
    reason = "a fixture that is used wrongly ends its test"
)]

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use lamps::{Reading, ReadingStore, StoreError, Switch, SwitchStore};

/// Switches in memory.
#[derive(Default)]
pub struct MemorySwitches(Mutex<BTreeMap<String, Switch>>);

#[async_trait]
impl SwitchStore for MemorySwitches {
    async fn last(&self) -> Result<Vec<Switch>, StoreError> {
        Ok(self.0.lock().unwrap().values().cloned().collect())
    }

    async fn put(&self, switch: &Switch) -> Result<(), StoreError> {
        let mut all = self.0.lock().unwrap();
        all.insert(switch.lamp.clone(), switch.clone());
        Ok(())
    }
}

/// Readings in memory.
#[derive(Default)]
pub struct MemoryReadings(Mutex<Vec<Reading>>);

#[async_trait]
impl ReadingStore for MemoryReadings {
    async fn readings(&self) -> Result<Vec<Reading>, StoreError> {
        Ok(self.0.lock().unwrap().clone())
    }

    async fn add(&self, reading: Reading) -> Result<(), StoreError> {
        self.0.lock().unwrap().push(reading);
        Ok(())
    }
}

/// The contract of a store of readings, on one without any.
pub async fn readings_contract(store: Arc<dyn ReadingStore>) {
    assert_eq!(store.readings().await.unwrap(), []);
    // Clocks go back.
    let readings = [(2, 1), (1, 0), (1, 0)].map(|(at_ms, on)| Reading { at_ms, on });
    for reading in readings {
        store.add(reading).await.unwrap();
    }
    assert_eq!(store.readings().await.unwrap(), readings);
}

/// The contract of a store of switches, on one without any.
pub async fn contract(store: Arc<dyn SwitchStore>) {
    let switch = |lamp: &str, is_on, at_ms| Switch {
        lamp: lamp.to_owned(),
        is_on,
        at_ms,
    };
    assert_eq!(store.last().await.unwrap(), []);
    let [b, a, again] = [
        switch("b", true, 1),
        switch("a", true, 2),
        switch("b", false, 3),
    ];
    store.put(&b).await.unwrap();
    store.put(&a).await.unwrap();
    assert_eq!(store.last().await.unwrap(), [a.clone(), b]);
    store.put(&again).await.unwrap();
    assert_eq!(store.last().await.unwrap(), [a, again]);
}
