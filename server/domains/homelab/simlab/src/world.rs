//! State of the simulated cluster: run times of guests, tasks, outages. Everything else is computed
//! from it and the time.

mod backup;
mod history;
mod machine;
mod power;
mod shell;
mod task;

use std::collections::BTreeMap;

pub(crate) use backup::{SimBackup, next_run};
pub(crate) use power::{PowerAction, SimOrder};
pub(crate) use shell::RestartPolicy;
pub use shell::SshCommand;
pub(crate) use task::{SimTask, SimUpid, TaskEffect};

use crate::access::{ROOT, SimAccess, SimCaller};
use crate::calendar::DAY;
use crate::faults::Faults;
use crate::inventory::{self, GUESTS, Guest, NODES, SERVICES, SimNode};
use crate::numbers::Numbers;
use crate::reply::Fail;
use crate::wave::{mix, step};

/// Limit on remembered tasks.
const TASKS_KEPT: usize = 2_000;

/// A period in which a guest ran, in Unix seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RunState {
    pub start: f64,
    pub end: Option<f64>,
}

/// A guest with its history.
pub(crate) struct GuestState {
    pub guest: &'static Guest,
    pub runs: Vec<RunState>,
    /// A lock set by a fault.
    pub lock: Option<String>,
    /// True if the HA manager was last asked to run it.
    pub wanted: bool,
}

impl GuestState {
    /// The start of its run at `t`; `None` if it is not running then.
    pub(crate) fn since(&self, t: f64) -> Option<f64> {
        self.runs
            .iter()
            .rev()
            .find(|run| run.start <= t && run.end.is_none_or(|end| t < end))
            .map(|run| run.start)
    }
}

/// State of a systemd unit that differs from the inventory.
pub(crate) type ServiceState = (String, String, String);

pub(crate) struct SimWorld {
    pub now: f64,
    pub access: SimAccess,
    pub numbers: Numbers,
    pub faults: Faults,
    pub guests: Vec<GuestState>,
    pub tasks: Vec<SimTask>,
    pub backups: Vec<SimBackup>,
    pub services: BTreeMap<(String, String), ServiceState>,
    /// SHA-256 fingerprints of the nodes' certificates.
    pub fingerprints: BTreeMap<&'static str, String>,
    /// Hardware addresses in the magic packets that arrived.
    pub wakes: Vec<String>,
    /// Commands over SSH, in order.
    pub commands: Vec<SshCommand>,
    /// Restarts over SSH.
    pub restarts: Vec<RestartPolicy>,
    outages: Vec<machine::Outage>,
    /// Start of the simulation, in Unix seconds.
    began: f64,
    seed: u64,
    /// Time up to which backup jobs have been run.
    scheduled: f64,
}

impl SimWorld {
    /// The cluster at `now`, with its history.
    pub(crate) fn new(seed: u64, now: f64) -> Self {
        let ago = |days: f64| now - days * DAY as f64;
        let guests = GUESTS
            .iter()
            .map(|guest| GuestState {
                guest,
                runs: guest
                    .up_days
                    .map(|days| RunState {
                        start: ago(days),
                        end: None,
                    })
                    .into_iter()
                    .collect(),
                lock: None,
                wanted: guest.up_days.is_some(),
            })
            .collect();
        let mut world = Self {
            now,
            access: SimAccess::new(seed),
            numbers: Numbers::new(seed),
            faults: Faults::default(),
            guests,
            tasks: Vec::new(),
            backups: Vec::new(),
            services: BTreeMap::new(),
            fingerprints: BTreeMap::new(),
            wakes: Vec::new(),
            commands: Vec::new(),
            restarts: Vec::new(),
            outages: Vec::new(),
            began: now,
            seed,
            scheduled: ago(backup::HISTORY_DAYS as f64),
        };
        world.remember(now);
        world.settle(now);
        world
    }

    /// Advances the state to a time: ends tasks and starts backup jobs. Time never goes back.
    pub(crate) fn settle(&mut self, now: f64) {
        self.now = self.now.max(now);
        self.run_jobs();
        while let Some(position) = self.next_due() {
            let Some(task) = self.tasks.get_mut(position) else {
                break;
            };
            task.settled = true;
            if !task.failed() {
                let (effect, end) = (task.effect.clone(), task.end);
                if let Err(exit) = self.apply(&effect, end)
                    && let Some(task) = self.tasks.get_mut(position)
                {
                    task.exit = exit;
                }
            }
        }
        if self.tasks.len() > TASKS_KEPT {
            let surplus = self.tasks.len() - TASKS_KEPT;
            let mut dropped = 0;
            self.tasks.retain(|task| {
                let drop = task.settled && dropped < surplus;
                dropped += usize::from(drop);
                !drop
            });
        }
    }

    /// The first ended task that is not settled yet.
    fn next_due(&self) -> Option<usize> {
        self.tasks
            .iter()
            .enumerate()
            .filter(|(_, task)| !task.settled && task.ended(self.now))
            .min_by(|(_, left), (_, right)| left.end.total_cmp(&right.end))
            .map(|(position, _)| position)
    }

    /// Starts a task at `begin` that takes `seconds`; returns its UPID.
    pub(crate) fn start_task(&mut self, new: NewTask<'_>) -> SimUpid {
        let NewTask {
            node,
            kind,
            id,
            user,
            begin,
            seconds,
            exit,
            effect,
            log,
            locks,
        } = new;
        let mut upid = SimUpid {
            node,
            pid: 0,
            // Not from the start of the machine, which moves with that of the simulation: a task of
            // last night is the same task after a restart.
            pstart: (begin.floor() as u64).wrapping_mul(100) as u32,
            start: begin.floor() as i64,
            kind,
            id,
            user: user.clone(),
        };
        // From nothing but the task: how many came before it depends on when the simulation began.
        let mut number = mix(self.seed, &upid.to_string());
        upid.pid = process_id(number);
        while self.tasks.iter().any(|task| task.upid == upid) {
            number = step(number);
            upid.pid = process_id(number);
        }
        self.tasks.push(SimTask {
            upid: upid.clone(),
            begin,
            end: begin + seconds,
            exit,
            effect,
            log,
            locks,
            settled: false,
        });
        upid
    }

    /// Ends a running task early.
    pub(crate) fn stop_task(&mut self, upid: &str) {
        let now = self.now;
        let running = self.tasks.iter_mut().filter(|task| task.running(now));
        for task in running.filter(|task| task.upid.to_string() == upid) {
            task.end = now;
            task.exit = "unexpected status".to_owned();
            task.locks.clear();
        }
    }

    /// A guest on a node, or Proxmox VE's error for one that does not exist.
    pub(crate) fn guest(
        &self,
        node: &str,
        kind: inventory::GuestKind,
        vmid: u32,
    ) -> Result<&GuestState, Fail> {
        self.guests
            .iter()
            .find(|state| {
                let guest = state.guest;
                guest.vmid == vmid && guest.kind == kind && guest.node == node
            })
            .ok_or_else(|| {
                let folder = match kind {
                    inventory::GuestKind::Qemu => "qemu-server",
                    inventory::GuestKind::Lxc => "lxc",
                };
                Fail::internal(format!(
                    "Configuration file 'nodes/{node}/{folder}/{vmid}.conf' does not exist"
                ))
            })
    }

    /// The lock on a guest: one set by a fault, or that of a running backup.
    pub(crate) fn lock<'a>(&self, state: &'a GuestState) -> Option<&'a str> {
        let vmid = state.guest.vmid;
        let backed_up = || {
            self.tasks
                .iter()
                .filter(|task| task.running(self.now))
                .any(|task| {
                    task.locks.iter().any(|(locked, from, to)| {
                        *locked == vmid && (*from..*to).contains(&self.now)
                    })
                })
        };
        state
            .lock
            .as_deref()
            .or_else(|| backed_up().then_some("backup"))
    }

    /// The guests running on a node at `t`, each with its start.
    pub(crate) fn running_on(&self, node: &str, t: f64) -> Vec<(&'static Guest, f64)> {
        self.guests
            .iter()
            .filter(|state| state.guest.node == node)
            .filter_map(|state| Some((state.guest, state.since(t)?)))
            .collect()
    }

    /// The process id of a guest, different after every start.
    pub(crate) fn pid(&self, vmid: u32, start: f64) -> u32 {
        process_id(mix(self.seed, &format!("{vmid}@{start}")))
    }

    /// Returns whether `local` sees a node: without quorum it sees only itself.
    pub(crate) fn visible(&self, local: &str, node: &str) -> bool {
        self.online(node) && (!self.faults.no_quorum || node == local)
    }

    pub(crate) fn storage_known(&self, node: &str, storage: &str) -> bool {
        !self
            .faults
            .storages
            .contains(&(node.to_owned(), storage.to_owned()))
    }

    /// The start of the simulation, in Unix seconds.
    pub(crate) fn began(&self) -> f64 {
        self.began
    }

    /// Returns whether the cluster is quorate, so that nodes can write to its configuration.
    pub(crate) fn quorate(&self) -> bool {
        let online = NODES.iter().filter(|node| self.online(node.name)).count();
        !self.faults.no_quorum && online > NODES.len() / 2
    }

    /// Active, sub and unit-file state of a unit.
    pub(crate) fn service(&self, node: &str, name: &str) -> Option<ServiceState> {
        let own = self
            .services
            .get(&(node.to_owned(), name.to_owned()))
            .cloned();
        own.or_else(|| {
            let service = SERVICES.iter().find(|service| service.name == name)?;
            let states = &service.state;
            let states = [states.active, states.sub, states.file];
            Some(states.map(str::to_owned).into())
        })
    }

    pub(crate) fn root() -> SimCaller {
        SimCaller {
            user: ROOT.to_owned(),
            token: None,
        }
    }

    /// A node by name with its index, or the error for an unknown one.
    pub(crate) fn node(name: &str) -> Result<(usize, &'static SimNode), Fail> {
        NODES
            .iter()
            .enumerate()
            .find(|(_, node)| node.name == name)
            .ok_or_else(|| {
                Fail::internal(format!(
                    "hostname lookup '{name}' failed - failed to get address info for: {name}: \
                 Name or service not known"
                ))
            })
    }
}

/// A process id as on Linux.
fn process_id(number: u64) -> u32 {
    1_000 + (number >> 32) as u32 % 4_000_000
}

/// A task about to start.
pub(crate) struct NewTask<'a> {
    pub node: &'static str,
    pub kind: &'static str,
    pub id: String,
    pub user: &'a SimCaller,
    pub begin: f64,
    pub seconds: f64,
    pub exit: String,
    pub effect: TaskEffect,
    pub log: Vec<(f64, String)>,
    pub locks: Vec<(u32, f64, f64)>,
}

impl<'a> NewTask<'a> {
    /// A task that succeeds, has no effect and writes no log.
    pub(crate) fn new(
        node: &'static str,
        kind: &'static str,
        id: impl Into<String>,
        user: &'a SimCaller,
        begin: f64,
        seconds: f64,
    ) -> Self {
        Self {
            node,
            kind,
            id: id.into(),
            user,
            begin,
            seconds,
            exit: "OK".to_owned(),
            effect: TaskEffect::Nothing,
            log: Vec::new(),
            locks: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Saturday, 21 November 2026, 15:30:04 UTC.
    const FIRST: f64 = 1_795_275_004.0;

    /// The ids of tasks that start by the calendar, begun in a span: all, and the failed ones.
    fn scheduled(world: &SimWorld, from: f64, to: f64) -> [BTreeSet<String>; 2] {
        let kinds = ["vzdump", "aptupdate"];
        let tasks = world
            .tasks
            .iter()
            .filter(|task| kinds.contains(&task.upid.kind) && (from..to).contains(&task.begin));
        let tasks: Vec<_> = tasks.collect();
        let failed = tasks.iter().filter(|task| task.failed());
        [
            tasks.iter().map(|task| task.upid.to_string()).collect(),
            failed.map(|task| task.upid.to_string()).collect(),
        ]
    }

    #[test]
    fn a_task_keeps_its_id_over_a_restart() {
        let first = SimWorld::new(1, FIRST);
        // In the same hour, over midnight, and after the next night.
        for hours in [0.01, 10.0, 24.0] {
            let began = FIRST + hours * 3_600.0;
            let again = SimWorld::new(1, began);
            let from = began - 6.0 * DAY as f64;
            let [before, failed] = scheduled(&first, from, FIRST);
            let [after, failed_again] = scheduled(&again, from, FIRST);
            assert!(before.len() > 20 && !failed.is_empty(), "{before:?}");
            assert_eq!(before, after, "{hours} h later");
            // A notice is one of an id: that of last night is not raised once more.
            if hours < 24.0 {
                assert_eq!(failed, failed_again, "{hours} h later");
            }
            let ids: BTreeSet<_> = again
                .tasks
                .iter()
                .map(|task| task.upid.to_string())
                .collect();
            assert_eq!(ids.len(), again.tasks.len(), "an id of two tasks");
        }
    }

    #[test]
    fn the_failed_backup_is_of_the_last_day_at_any_time_of_the_week() {
        for minutes in (0..7 * 24 * 60).step_by(25) {
            let began = FIRST + f64::from(minutes) * 60.0;
            let world = SimWorld::new(1, began);
            let [_, failed] = scheduled(&world, began - DAY as f64, began);
            assert_eq!(failed.len(), 1, "{minutes} min: {failed:?}");
            let backups = world.tasks.iter().filter(|it| it.upid.kind == "vzdump");
            let last = backups.map(|it| it.end).fold(0.0, f64::max);
            assert!(last <= began, "{minutes} min: a backup is under way");
        }
    }

    #[test]
    fn two_tasks_of_one_second_are_two() {
        let mut world = SimWorld::new(1, FIRST);
        let root = SimWorld::root();
        let mut start = || world.start_task(NewTask::new("pve", "imgcopy", "", &root, FIRST, 1.0));
        assert_ne!(start(), start());
    }
}
