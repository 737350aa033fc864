#![doc = include_str!("../README.md")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a fixture that is used wrongly ends its test"
)]

mod administration;
mod bundles;
pub mod contract;
mod memory;
pub mod office;
mod proposals;
mod runs;
mod state;
mod values;

use std::{collections::HashMap, sync::Arc};

use field::ports::{
    CallId, Env, FieldPorts, FieldSnapshot, KnownDevice, LookNote, RunOrder, UserId,
};
use tokio::sync::watch;

pub use self::administration::ROOT_KEY;
use self::state::FieldState;
pub use self::state::RunScenario;

/// All ports in memory.
pub struct MemoryField {
    state: std::sync::Mutex<FieldState>,
    snapshot: watch::Sender<Arc<FieldSnapshot>>,
    env: Arc<dyn Env>,
}

impl MemoryField {
    /// The office and the branch of [`office`].
    pub fn new(env: Arc<dyn Env>) -> Arc<Self> {
        let state = office::state(env.now());
        let snapshot = watch::Sender::new(Arc::new(state.snapshot()));
        Arc::new(Self {
            state: std::sync::Mutex::new(state),
            snapshot,
            env,
        })
    }

    pub fn ports(self: &Arc<Self>) -> FieldPorts {
        FieldPorts {
            memory: self.clone(),
            values: self.clone(),
            bundles: self.clone(),
            proposals: self.clone(),
            runs: self.clone(),
            administration: self.clone(),
            env: Arc::clone(&self.env),
        }
    }

    /// Sets how the next runs go.
    pub fn scenario(&self, scenario: RunScenario) {
        self.change(|state| state.scenario = scenario);
    }

    /// Sets the raw output of a row, such as `ping`.
    pub fn output(&self, row: &str, output: &str) {
        self.change(|state| state.outputs.insert(row.to_owned(), output.to_owned()));
    }

    pub fn edit_device(&self, id: &str, edit: impl FnOnce(&mut KnownDevice)) {
        self.change(|state| {
            let device = state.devices.iter_mut().find(|device| device.id == id);
            edit(device.expect("a device of the office"));
        });
    }

    /// Lets the storage fail, or work again.
    pub fn break_storage(&self, is_broken: bool) {
        self.change(|state| state.is_broken = is_broken);
    }

    /// A person who may not see values.
    pub fn shut_out(&self, person: UserId) {
        self.change(|state| state.viewers.insert(person));
    }

    /// Every value that is hidden anywhere, longest first. Prefixes of networks and masks are in it.
    pub fn hidden_values(&self) -> Vec<String> {
        let state = self.state.lock().unwrap();
        let vaults = state.vaults.values();
        let entries = vaults.flat_map(|vault| vault.entries());
        let mut values: Vec<_> = entries.map(|entry| entry.value().to_owned()).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        values.dedup();
        values
    }

    /// The orders that were queued, in their order.
    pub fn orders(&self) -> Vec<RunOrder> {
        self.state.lock().unwrap().orders.clone()
    }

    /// How often each call ran anything on a device.
    pub fn effects(&self) -> HashMap<CallId, u32> {
        self.state.lock().unwrap().effects.clone()
    }

    /// All looks at values, oldest first.
    pub fn all_looks(&self) -> Vec<LookNote> {
        self.state.lock().unwrap().looks.clone()
    }

    /// Ends a run that waits or runs as the scenario says now.
    pub fn finish(&self, run: &str) {
        let now = self.env.now();
        self.change(|state| runs::finish(state, run, now));
    }

    fn change<T>(&self, change: impl FnOnce(&mut FieldState) -> T) -> T {
        let mut state = self.state.lock().unwrap();
        let done = change(&mut state);
        state.revision += 1;
        self.snapshot.send_replace(Arc::new(state.snapshot()));
        done
    }

    fn read<T>(&self, read: impl FnOnce(&FieldState) -> T) -> T {
        read(&self.state.lock().unwrap())
    }
}
