//! Backups: scheduled jobs, their archives, and the one night with failures.

use super::{NewTask, SimWorld};
use crate::calendar::{DAY, MINUTE, duration, iso, spaced, underscored, weekday};
use crate::inventory::{
    self, GIB, GUESTS, Guest, GuestKind, JOBS, Job, NODES, SimNode, StorageKind,
};

/// Days of backups before the simulation begins.
pub(super) const HISTORY_DAYS: i64 = 22;

/// Every run of a job has ended after this time, in seconds.
const SETTLED: i64 = 30 * MINUTE;
/// The guest whose backup failed in the last night before the simulation began.
const FAILED: u32 = 211;
/// The guest with one archive that failed verification.
const CORRUPT: u32 = 111;

/// Speed of a backup in bytes per second.
const SPEED: f64 = 180.0 * 1024.0 * 1024.0;

/// An archive.
#[derive(Clone, Debug)]
pub(crate) struct SimBackup {
    pub storage: &'static str,
    pub guest: &'static Guest,
    /// Start in Unix seconds: the time in its name.
    pub time: i64,
    /// Time from which it is listed.
    pub done: f64,
    pub size: u64,
    pub protected: bool,
    /// True if verification found corrupt chunks.
    pub corrupt: bool,
}

impl SimBackup {
    /// The volume id `STORAGE:backup/…`, in the format of the storage's kind.
    pub(crate) fn volid(&self) -> String {
        let Self {
            storage,
            guest,
            time,
            ..
        } = self;
        let vmid = guest.vmid;
        if self.on_pbs() {
            let kind = if guest.kind == GuestKind::Qemu {
                "vm"
            } else {
                "ct"
            };
            format!("{storage}:backup/{kind}/{vmid}/{}", iso(*time))
        } else {
            let (kind, format) = (guest.kind.name(), self.format());
            format!(
                "{storage}:backup/vzdump-{kind}-{vmid}-{}.{format}",
                underscored(*time)
            )
        }
    }

    pub(crate) fn format(&self) -> &'static str {
        match (self.on_pbs(), self.guest.kind) {
            (true, GuestKind::Qemu) => "pbs-vm",
            (true, GuestKind::Lxc) => "pbs-ct",
            (false, GuestKind::Qemu) => "vma.zst",
            (false, GuestKind::Lxc) => "tar.zst",
        }
    }

    pub(crate) fn on_pbs(&self) -> bool {
        inventory::storage(self.storage).is_some_and(|storage| storage.kind == StorageKind::Pbs)
    }
}

/// The next run of a job after a time.
pub(crate) fn next_run(job: &Job, after: i64) -> i64 {
    let midnight = after - after.rem_euclid(DAY);
    (0..9)
        .map(|day| midnight + day * DAY + job.at)
        .find(|at| *at > after && job.weekday.is_none_or(|day| day == weekday(*at)))
        .unwrap_or(after + DAY)
}

impl SimWorld {
    /// Runs the jobs that have become due since the last call.
    pub(super) fn run_jobs(&mut self) {
        let (from, until) = (self.scheduled as i64, self.now as i64);
        self.scheduled = self.now;
        for job in JOBS {
            let mut at = next_run(job, from);
            while at <= until {
                // A run that would still go on when the simulation begins began earlier that night:
                // the cluster is the same at any time of the day, the last night is in its last day.
                let began = self.began as i64;
                let under_way = at <= began && at + SETTLED > began;
                let run = if under_way { at - SETTLED } else { at };
                let story = at + DAY > began && at <= began;
                for node in NODES {
                    if self.online(node.name) {
                        self.run_job(job, node, run, story);
                    }
                }
                at = next_run(job, at);
            }
            self.prune(job);
        }
    }

    /// Runs one node's part of a job. `story` marks the last night before the simulation began.
    fn run_job(&mut self, job: &Job, node: &'static SimNode, at: i64, story: bool) {
        let guests: Vec<&'static Guest> = GUESTS
            .iter()
            .filter(|guest| guest.node == node.name && job.vmids.contains(&guest.vmid))
            .collect();
        if guests.is_empty() {
            return;
        }
        let begin = at as f64 + 2.0 + f64::from(node.id);
        let ids: Vec<String> = guests.iter().map(|guest| guest.vmid.to_string()).collect();
        let mut log = vec![(
            begin,
            format!(
                "INFO: starting new backup job: vzdump {} --storage {} --mode snapshot \
                 --quiet 1 --notes-template '{{{{guestname}}}}'",
                ids.join(" "),
                job.storage
            ),
        )];
        let (mut time, mut failed, mut locks) = (begin, false, Vec::new());
        for guest in guests {
            let fails = story && guest.vmid == FAILED && job.weekday.is_none();
            let size = archive_size(guest, job);
            let seconds = if fails {
                41.0
            } else {
                8.0 + size as f64 * 0.3 / SPEED
            };
            describe(&mut log, guest, time, seconds, fails);
            locks.push((guest.vmid, time, time + seconds));
            if !fails {
                self.backups.push(SimBackup {
                    storage: job.storage,
                    guest,
                    time: time as i64,
                    done: time + seconds,
                    size,
                    protected: false,
                    corrupt: guest.vmid == CORRUPT
                        && job.weekday.is_none()
                        && (2..3).contains(&((self.began as i64 - at) / DAY)),
                });
            }
            failed |= fails;
            time += seconds + 1.0;
        }
        let last = if failed {
            "with errors"
        } else {
            "successfully"
        };
        log.push((time, format!("INFO: Backup job finished {last}")));
        let root = Self::root();
        self.start_task(NewTask {
            exit: if failed { "job errors" } else { "OK" }.to_owned(),
            log,
            locks,
            ..NewTask::new(node.name, "vzdump", "", &root, begin, time - begin)
        });
    }

    /// Removes archives beyond the number that the job keeps for each guest.
    fn prune(&mut self, job: &Job) {
        for vmid in job.vmids {
            let mut newest: Vec<i64> = self
                .backups
                .iter()
                .filter(|backup| backup.storage == job.storage && backup.guest.vmid == *vmid)
                .map(|backup| backup.time)
                .collect();
            newest.sort_unstable_by(|left, right| right.cmp(left));
            if let Some(oldest) = newest.get(job.keep as usize - 1) {
                self.backups.retain(|backup| {
                    backup.storage != job.storage
                        || backup.guest.vmid != *vmid
                        || backup.protected
                        || backup.time >= *oldest
                });
            }
        }
    }
}

fn archive_size(guest: &Guest, job: &Job) -> u64 {
    let on_pbs = job.storage == "pbs";
    match guest.kind {
        // The backup server reports the size of the disk, however little of it was new.
        GuestKind::Qemu if on_pbs => guest.disk_gib * GIB,
        GuestKind::Qemu => guest.disk_gib * GIB * 38 / 100,
        GuestKind::Lxc => {
            (guest.disk_used_gib * GIB as f64 * if on_pbs { 1.0 } else { 0.55 }) as u64
        }
    }
}

fn describe(log: &mut Vec<(f64, String)>, guest: &Guest, at: f64, seconds: f64, fails: bool) {
    let (vmid, kind) = (guest.vmid, guest.kind.name());
    let name = if guest.kind == GuestKind::Qemu {
        "VM Name"
    } else {
        "CT Name"
    };
    let mut line = |offset: f64, text: String| log.push((at + offset, text));
    line(0.0, format!("INFO: Starting Backup of VM {vmid} ({kind})"));
    line(
        0.0,
        format!("INFO: Backup started at {}", spaced(at as i64)),
    );
    line(0.0, "INFO: status = running".to_owned());
    line(0.5, format!("INFO: {name}: {}", guest.name));
    line(0.5, "INFO: backup mode: snapshot".to_owned());
    let end = at + seconds;
    if fails {
        line(
            seconds,
            format!(
                "ERROR: Backup of VM {vmid} failed - command '/usr/bin/proxmox-backup-client \
                 backup …' failed: exit code 255"
            ),
        );
        line(seconds, format!("INFO: Failed at {}", spaced(end as i64)));
    } else {
        line(
            seconds,
            format!(
                "INFO: Finished Backup of VM {vmid} ({})",
                duration(seconds as i64)
            ),
        );
        line(
            seconds,
            format!("INFO: Backup finished at {}", spaced(end as i64)),
        );
    }
}
