//! Handle that injects faults, and records the requests.

mod orders;

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::clock::SimClock;
use crate::faults::{ConnectionFault, SshCut};
use crate::inventory;
use crate::world::{NewTask, SimWorld, SshCommand};

pub(crate) use self::orders::{PATH, obey};

/// Limit on remembered requests.
const REQUESTS_KEPT: usize = 10_000;

/// A request that reached the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlRequest {
    pub method: String,
    /// Path below `/api2/json`, decoded, with the query.
    pub path: String,
    /// Status of the answer, even if the answer was then dropped.
    pub status: u16,
}

/// A task in the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlEffect {
    pub upid: String,
    pub node: String,
    /// The type, such as `qmstart`.
    pub kind: String,
    /// The guest or service.
    pub id: String,
    /// `user@realm` or `user@realm!token`.
    pub user: String,
    /// The exit status; `None` while it is running.
    pub exit: Option<String>,
}

/// State shared by the listeners, the handlers and the test.
pub(crate) struct ControlState {
    world: Mutex<SimWorld>,
    requests: Mutex<Vec<ControlRequest>>,
    clock: Arc<dyn SimClock>,
    /// True while connections are refused.
    pub refused: watch::Sender<bool>,
    /// True while the nodes present renewed certificates.
    pub renewed: watch::Sender<bool>,
}

impl ControlState {
    pub(crate) fn new(world: SimWorld, clock: Arc<dyn SimClock>) -> Self {
        Self {
            world: Mutex::new(world),
            requests: Mutex::default(),
            clock,
            refused: watch::Sender::new(false),
            renewed: watch::Sender::new(false),
        }
    }

    /// The cluster, updated to the current time.
    pub(crate) fn world(&self) -> MutexGuard<'_, SimWorld> {
        let mut world = self.world.lock().unwrap_or_else(PoisonError::into_inner);
        world.settle(self.clock.now().as_secs_f64());
        world
    }

    pub(crate) fn record(&self, request: ControlRequest) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        if requests.len() < REQUESTS_KEPT {
            requests.push(request);
        }
    }
}

/// Handle that switches faults on and off at run time. Clones act on the same cluster.
#[derive(Clone)]
pub struct Control(Arc<ControlState>);

impl Control {
    pub(crate) fn new(shared: Arc<ControlState>) -> Self {
        Self(shared)
    }

    /// Takes a node off the network, or brings it back. While it is off, its endpoint drops
    /// connections and the others answer 595 for it.
    pub fn set_offline(&self, node: &str, offline: bool) {
        let mut world = self.0.world();
        if offline {
            world.faults.offline.insert(node.to_owned());
        } else {
            world.faults.offline.remove(node);
        }
    }

    /// Shuts a machine down within seconds, until it is woken.
    pub fn power_off(&self, node: &str) {
        if let Some((_, node)) = inventory::node(node) {
            self.0.world().power_off(node, false);
        }
    }

    /// Delivers a magic packet for this address: a machine without power boots.
    pub fn wake(&self, mac: &str) {
        self.0.world().wake(mac);
    }

    /// Cuts the cluster network: without quorum every node sees only itself, and writes fail.
    pub fn set_quorum(&self, quorate: bool) {
        self.0.world().faults.no_quorum = !quorate;
    }

    /// Delays every answer.
    pub fn set_delay(&self, delay: Duration) {
        self.0.world().faults.delay = delay;
    }

    /// Makes all nodes present renewed certificates, or the original ones again.
    pub fn set_renewed(&self, renewed: bool) {
        self.0.renewed.send_replace(renewed);
    }

    /// Backs a guest up within two seconds. A failed backup leaves nothing behind.
    pub fn back_up(&self, vmid: u32, fails: bool) {
        let mut world = self.0.world();
        let guests = world.guests.iter().map(|state| state.guest);
        let Some(guest) = guests.into_iter().find(|guest| guest.vmid == vmid) else {
            return;
        };
        let (user, now) = (SimWorld::root(), world.now);
        let exit = if fails { "job errors" } else { "OK" };
        world.start_task(NewTask {
            exit: exit.to_owned(),
            ..NewTask::new(guest.node, "vzdump", vmid.to_string(), &user, now, 2.0)
        });
    }

    /// Sets the fault of all connections from now on.
    pub fn set_connection(&self, fault: ConnectionFault) {
        self.0.world().faults.connection = fault;
        self.0
            .refused
            .send_replace(fault == ConnectionFault::Refused);
    }

    /// Cuts off the next write only.
    pub fn cut_next_write(&self, cut: SshCut) {
        self.0.world().faults.cut = Some(cut);
    }

    /// All tasks since the start of the simulation, whoever started them, oldest first.
    pub fn ledger(&self) -> Vec<ControlEffect> {
        let world = self.0.world();
        let mut tasks: Vec<_> = world
            .tasks
            .iter()
            .filter(|task| task.begin >= world.began() && task.begun(world.now))
            .collect();
        tasks.sort_by(|left, right| left.begin.total_cmp(&right.begin));
        tasks
            .into_iter()
            .map(|task| ControlEffect {
                upid: task.upid.to_string(),
                node: task.upid.node.to_owned(),
                kind: task.upid.kind.to_owned(),
                id: task.upid.id.clone(),
                user: task.upid.user.id(),
                exit: task.ended(world.now).then(|| task.exit.clone()),
            })
            .collect()
    }

    /// All commands over SSH, oldest first.
    pub fn commands(&self) -> Vec<SshCommand> {
        self.0.world().commands.clone()
    }

    /// The hardware addresses of all magic packets received, in order.
    pub fn wakes(&self) -> Vec<String> {
        self.0.world().wakes.clone()
    }

    /// Revokes a privilege of every token and user, on a path and everything below it.
    pub fn revoke(&self, path: &str, privilege: &str) {
        self.0.world().access.revoke(path, privilege);
    }

    /// Restores everything that was revoked.
    pub fn restore_privileges(&self) {
        self.0.world().access.restore();
    }

    /// Loses the `rrddata` samples in a range of Unix seconds.
    pub fn set_rrd_gap(&self, gap: Option<Range<f64>>) {
        self.0.world().faults.gap = gap;
    }

    /// Makes the state of a storage on a node unknown: inactive there, `unknown` in the overview.
    pub fn set_storage_unknown(&self, node: &str, storage: &str, unknown: bool) {
        let key = (node.to_owned(), storage.to_owned());
        let mut world = self.0.world();
        if unknown {
            world.faults.storages.insert(key);
        } else {
            world.faults.storages.remove(&key);
        }
    }

    /// Stops the broadcast of a guest's numbers: `unknown` in the overview.
    pub fn set_guest_unknown(&self, vmid: u32, unknown: bool) {
        let mut world = self.0.world();
        if unknown {
            world.faults.silent.insert(vmid);
        } else {
            world.faults.silent.remove(&vmid);
        }
    }

    /// Makes a guest ignore graceful shutdowns.
    pub fn set_deaf(&self, vmid: u32, deaf: bool) {
        let mut world = self.0.world();
        if deaf {
            world.faults.hanging.insert(vmid);
        } else {
            world.faults.hanging.remove(&vmid);
        }
    }

    /// Sets a configuration lock such as `backup` or `migrate` on a guest, or removes it.
    pub fn set_lock(&self, vmid: u32, lock: Option<&str>) {
        let mut world = self.0.world();
        for state in world
            .guests
            .iter_mut()
            .filter(|state| state.guest.vmid == vmid)
        {
            state.lock = lock.map(str::to_owned);
        }
    }

    /// Crashes a guest. The HA manager restarts guests that it manages.
    pub fn crash_guest(&self, vmid: u32) {
        self.0.world().crash(vmid);
    }

    /// Makes a unit fail on a node, until it is restarted.
    pub fn fail_service(&self, node: &str, service: &str) {
        let state = (
            "failed".to_owned(),
            "failed".to_owned(),
            "enabled".to_owned(),
        );
        self.0
            .world()
            .services
            .insert((node.to_owned(), service.to_owned()), state);
    }

    /// All requests since the start, in the order of their answers.
    pub fn requests(&self) -> Vec<ControlRequest> {
        self.0
            .requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
