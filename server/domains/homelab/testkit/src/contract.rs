//! The contract of every store of measurements.

use std::sync::Arc;

use homelab::{
    KEPT_STEPS, MAX_METRICS, MeasuredQuantity, MeasuredSubject, Measurement, MeasurementStore,
    STEP_SECONDS,
};

/// The start of a step: 2026-11-07T09:30:00Z.
const T0: i64 = 1_794_043_800;
const WEEK: i64 = KEPT_STEPS * STEP_SECONDS;

fn cpu(vmid: u32, value: f64) -> Measurement {
    Measurement {
        subject: MeasuredSubject::guest(vmid),
        quantity: MeasuredQuantity::CpuPercent,
        value,
    }
}

/// Times, relative to [`T0`], and values of a guest's CPU.
async fn read(store: &dyn MeasurementStore, vmid: u32, from: i64, until: i64) -> Vec<(i64, f64)> {
    let (subject, quantity) = (MeasuredSubject::guest(vmid), MeasuredQuantity::CpuPercent);
    let series = store
        .series(&subject, quantity, T0 + from, T0 + until)
        .await;
    let means = series.unwrap().into_iter();
    means.map(|mean| (mean.at - T0, mean.value)).collect()
}

async fn put(store: &dyn MeasurementStore, at: i64, means: &[Measurement]) {
    store.put(T0 + at, means).await.unwrap();
}

/// The whole contract, on an empty store.
pub async fn measurement_contract(store: Arc<dyn MeasurementStore>) {
    ring(&*store).await;
    clock(&*store).await;
    deletion(&*store).await;
    bound(&*store).await;
}

async fn ring(store: &dyn MeasurementStore) {
    assert_eq!(read(store, 1, 0, WEEK).await, []);
    put(store, 0, &[]).await;
    // Any second of a step stands for it. What is between is a gap.
    put(store, 0, &[cpu(1, 1.5), cpu(2, 9.0)]).await;
    put(store, 599, &[cpu(1, 2.5)]).await;
    put(store, 1_200, &[cpu(1, 3.5)]).await;
    let all = [(0, 1.5), (300, 2.5), (1_200, 3.5)];
    assert_eq!(read(store, 1, -WEEK, 1_500).await, all);
    assert_eq!(read(store, 2, -WEEK, 1_500).await, [(0, 9.0)]);
    // The steps that begin in the range.
    assert_eq!(read(store, 1, 1, 1_200).await, [(300, 2.5)]);
    assert_eq!(read(store, 1, 300, 301).await, [(300, 2.5)]);
    for nothing in [(300, 300), (1_500, 0), (301, 1_200)] {
        assert_eq!(
            read(store, 1, nothing.0, nothing.1).await,
            [],
            "{nothing:?}"
        );
    }
    let subject = MeasuredSubject::guest(1);
    let other = store.series(&subject, MeasuredQuantity::MemoryBytes, 0, i64::MAX / 2);
    assert_eq!(other.await.unwrap(), []);
    // A lap later a mean replaces the old one, and what is left of the lap is not taken for new.
    put(store, WEEK, &[cpu(1, 4.5)]).await;
    let after = [(300, 2.5), (1_200, 3.5), (WEEK, 4.5)];
    assert_eq!(read(store, 1, 300, WEEK + 300).await, after);
    assert_eq!(read(store, 1, WEEK, 2 * WEEK).await, [(WEEK, 4.5)]);
    assert_eq!(read(store, 1, 0, 300).await, []);
    // At most a lap is read: the last one.
    assert_eq!(read(store, 1, 0, WEEK + 1_200).await, after[1..]);
}

async fn clock(store: &dyn MeasurementStore) {
    // An hour back: what is measured again replaces what was there.
    put(store, WEEK + 3_600, &[cpu(1, 5.5)]).await;
    put(store, WEEK, &[cpu(1, 6.5)]).await;
    put(store, WEEK + 300, &[cpu(1, 7.5)]).await;
    let all = [(WEEK, 6.5), (WEEK + 300, 7.5), (WEEK + 3_600, 5.5)];
    assert_eq!(read(store, 1, WEEK, WEEK + 7_200).await, all);
    // To before 1970, as without a battery: nothing else is lost, and it can be read.
    put(store, -T0 - 300, &[cpu(1, 8.5)]).await;
    assert_eq!(read(store, 1, -T0 - 600, -T0).await, [(-T0 - 300, 8.5)]);
    put(store, WEEK + 600, &[cpu(2, 1.0)]).await;
    assert!(read(store, 1, WEEK, WEEK + 7_200).await.len() >= 2);
}

async fn deletion(store: &dyn MeasurementStore) {
    let later = 3 * WEEK;
    put(store, later, &[cpu(3, 1.0), cpu(4, 1.0)]).await;
    put(store, later + WEEK - 300, &[cpu(4, 2.0)]).await;
    assert_eq!(read(store, 3, later, later + 300).await, [(later, 1.0)]);
    // Its newest mean is a week old, and the other's is not.
    put(store, later + WEEK, &[cpu(5, 3.0)]).await;
    assert_eq!(read(store, 3, later, later + 300).await, []);
    assert_eq!(read(store, 4, later, later + 300).await, [(later, 1.0)]);
    // It comes back without its past.
    put(store, later + WEEK, &[cpu(3, 4.0)]).await;
    let back = [(later + WEEK, 4.0)];
    assert_eq!(read(store, 3, later + 300, later + WEEK + 300).await, back);
}

async fn bound(store: &dyn MeasurementStore) {
    // By now all others are too old to count.
    let at = 10 * WEEK;
    let most = MAX_METRICS as u32;
    let all: Vec<_> = (0..most).map(|vmid| cpu(1_000 + vmid, 1.0)).collect();
    put(store, at, &all).await;
    put(store, at, &[cpu(1, 2.0), cpu(1_000, 3.0)]).await;
    assert_eq!(read(store, 1, at, at + 300).await, [], "there is no room");
    assert_eq!(read(store, 1_000, at, at + 300).await, [(at, 3.0)]);
    let last = 1_000 + most - 1;
    assert_eq!(read(store, last, at, at + 300).await, [(at, 1.0)]);
    // All but one are still measured a week later, which makes room for one.
    put(store, at + WEEK, &all[1..]).await;
    put(store, at + WEEK, &[cpu(1, 2.0), cpu(2, 2.0)]).await;
    let mut found = read(store, 1, at + WEEK, at + WEEK + 300).await;
    found.extend(read(store, 2, at + WEEK, at + WEEK + 300).await);
    assert_eq!(found, [(at + WEEK, 2.0)]);
}
