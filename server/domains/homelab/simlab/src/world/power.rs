//! Start, stop and reboot of guests: immediate refusals, failures inside the task, and the real
//! effect of a task that ended OK.

use super::{GuestState, NewTask, RunState, SimUpid, SimWorld, TaskEffect};
use crate::access::SimCaller;
use crate::inventory::{Guest, GuestKind, StopBehaviour};
use crate::reply::Fail;

/// Default timeout of a graceful shutdown, in seconds.
const SHUTDOWN_TIMEOUT: f64 = 60.0;
/// Time to wait for a guest's lock file, in seconds.
const LOCK_TIMEOUT: f64 = 10.0;
/// Delay before the HA manager handles a changed request, in seconds.
const MANAGER_DELAY: f64 = 8.0;

/// Action on a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PowerAction {
    Start,
    Stop,
    Shutdown,
    Reboot,
    /// The reset button of a virtual machine.
    Reset,
}

/// A request to act on a guest.
#[derive(Debug)]
pub(crate) struct SimOrder<'a> {
    pub node: &'a str,
    pub kind: GuestKind,
    pub vmid: u32,
    pub action: PowerAction,
    /// Timeout in seconds.
    pub timeout: Option<f64>,
    /// Kill a guest that does not go down in time.
    pub force: bool,
    /// Abort a shutdown that hangs.
    pub overrule: bool,
}

/// Course of a task: seconds, exit status, effect.
struct Fate(f64, String, TaskEffect);

impl Fate {
    fn ok(seconds: f64, effect: TaskEffect) -> Self {
        Self(seconds, "OK".to_owned(), effect)
    }

    fn fails(seconds: f64, exit: impl Into<String>) -> Self {
        Self(seconds, exit.into(), TaskEffect::Nothing)
    }
}

impl SimWorld {
    /// Starts the task of an order, or refuses it.
    pub(crate) fn power(
        &mut self,
        order: &SimOrder<'_>,
        caller: &SimCaller,
    ) -> Result<SimUpid, Fail> {
        if !self.quorate() {
            return Err(Fail::internal("cluster not ready - no quorum?"));
        }
        let state = self.guest(order.node, order.kind, order.vmid)?;
        let guest = state.guest;
        let since = state.since(self.now);
        refuse(order, guest, since.is_some())?;

        let managed =
            guest.ha && ![PowerAction::Reboot, PowerAction::Reset].contains(&order.action);
        let (kind, Fate(seconds, exit, effect)) = if managed {
            let up = order.action == PowerAction::Start;
            let kind = if up { "hastart" } else { "hastop" };
            (
                kind,
                Fate::ok(
                    1.0,
                    TaskEffect::Manage {
                        vmid: order.vmid,
                        up,
                    },
                ),
            )
        } else {
            (
                task_type(guest.kind, order.action),
                self.fate(order, state, since.is_some()),
            )
        };
        let mut log = Vec::new();
        if managed {
            let what = kind.trim_start_matches("ha");
            let short = if guest.kind == GuestKind::Qemu {
                "VM"
            } else {
                "CT"
            };
            log.push((
                self.now,
                format!("Requesting HA {what} for {short} {}", order.vmid),
            ));
        }
        if let Some(text) = guest.warns.filter(|_| order.action == PowerAction::Start) {
            log.push((self.now + 1.0, format!("WARN: {text}")));
        }
        if order.overrule && order.action == PowerAction::Stop {
            self.abort_shutdowns(order.vmid);
        }
        let begin = self.now;
        Ok(self.start_task(NewTask {
            exit,
            effect,
            log,
            ..NewTask::new(
                guest.node,
                kind,
                order.vmid.to_string(),
                caller,
                begin,
                seconds,
            )
        }))
    }

    /// The end of the task, as far as it is known now.
    fn fate(&self, order: &SimOrder<'_>, state: &GuestState, running: bool) -> Fate {
        let guest = state.guest;
        let short = if guest.kind == GuestKind::Qemu {
            "VM"
        } else {
            "CT"
        };
        if let Some(lock) = self.lock(state) {
            return Fate::fails(0.5, format!("{short} is locked ({lock})"));
        }
        let timeout = order.timeout.unwrap_or(SHUTDOWN_TIMEOUT);
        match order.action {
            PowerAction::Start if guest.template => {
                let what = if guest.kind == GuestKind::Qemu {
                    "vm"
                } else {
                    "CT"
                };
                Fate::fails(0.5, format!("you can't start a {what} if it's a template"))
            }
            PowerAction::Start if running => {
                Fate::fails(0.5, format!("{short} {} already running", guest.vmid))
            }
            PowerAction::Start => start(guest, order.timeout),
            PowerAction::Stop if !running => Fate::ok(0.5, TaskEffect::Nothing),
            PowerAction::Stop => match self.shutdown_end(guest.vmid) {
                Some(end) if !order.overrule && end - self.now > LOCK_TIMEOUT => Fate::fails(
                    LOCK_TIMEOUT,
                    format!(
                        "can't lock file '/var/lock/{}/lock-{}.conf' - got timeout",
                        if guest.kind == GuestKind::Qemu {
                            "qemu-server"
                        } else {
                            "lxc"
                        },
                        guest.vmid
                    ),
                ),
                _ => Fate::ok(1.5, TaskEffect::Down(guest.vmid)),
            },
            PowerAction::Shutdown if !running => Fate::ok(0.5, TaskEffect::Nothing),
            PowerAction::Shutdown => match self.stop_of(guest) {
                StopBehaviour::After(seconds) if seconds <= timeout => {
                    Fate::ok(seconds, TaskEffect::Down(guest.vmid))
                }
                _ if order.force => Fate::ok(timeout + 1.0, TaskEffect::Down(guest.vmid)),
                _ => Fate::fails(timeout, no_shutdown(guest.kind)),
            },
            PowerAction::Reset if !running => {
                Fate::fails(0.5, format!("VM {} not running", guest.vmid))
            }
            // The process survives, and with it the process id and the uptime.
            PowerAction::Reset => Fate::ok(0.5, TaskEffect::Nothing),
            PowerAction::Reboot => match self.stop_of(guest) {
                StopBehaviour::After(seconds) if seconds <= timeout => {
                    Fate::ok(seconds, TaskEffect::Reboot(guest.vmid))
                }
                _ => Fate::fails(timeout, no_shutdown(guest.kind)),
            },
        }
    }

    /// The response of a guest to a shutdown; a fault can make it ignore one.
    fn stop_of(&self, guest: &Guest) -> StopBehaviour {
        if self.faults.hanging.contains(&guest.vmid) {
            StopBehaviour::Ignored
        } else {
            guest.stop
        }
    }

    fn shutdown_end(&self, vmid: u32) -> Option<f64> {
        let shutdowns = self
            .tasks
            .iter()
            .filter(|task| task.upid.kind.ends_with("shutdown"));
        shutdowns
            .filter(|task| task.running(self.now) && task.is_about(vmid))
            .map(|task| task.end)
            .max_by(f64::total_cmp)
    }

    fn abort_shutdowns(&mut self, vmid: u32) {
        let now = self.now;
        let upids: Vec<String> = self
            .tasks
            .iter()
            .filter(|task| task.upid.kind.ends_with("shutdown"))
            .filter(|task| task.running(now) && task.is_about(vmid))
            .map(|task| task.upid.to_string())
            .collect();
        for upid in upids {
            self.stop_task(&upid);
        }
    }

    /// Applies the effect of a task at the time of its end. An error is the exit status that the
    /// task gets instead.
    pub(super) fn apply(&mut self, effect: &TaskEffect, at: f64) -> Result<(), String> {
        match *effect {
            TaskEffect::Nothing => {}
            TaskEffect::Up(vmid) => {
                let Some(state) = self.state_mut(vmid) else {
                    return Ok(());
                };
                if state.since(at).is_some() {
                    let short = if state.guest.kind == GuestKind::Qemu {
                        "VM"
                    } else {
                        "CT"
                    };
                    return Err(format!("{short} {vmid} already running"));
                }
                state.runs.push(RunState {
                    start: at,
                    end: None,
                });
            }
            TaskEffect::Down(vmid) => self.down(vmid, at),
            TaskEffect::Reboot(vmid) => {
                self.down(vmid, at);
                self.start_by_node(vmid, at + 1.0);
            }
            TaskEffect::Manage { vmid, up } => {
                let Some(state) = self.state_mut(vmid) else {
                    return Ok(());
                };
                state.wanted = up;
                let (guest, running) = (state.guest, state.since(at).is_some());
                match (up, running) {
                    (true, false) => self.start_by_node(vmid, at + MANAGER_DELAY),
                    (false, true) => self.stop_by_manager(guest, at + MANAGER_DELAY),
                    _ => {}
                }
            }
            TaskEffect::Service { node, service } => {
                self.services.remove(&(node.to_owned(), service.to_owned()));
            }
        }
        Ok(())
    }

    /// Crashes a guest. The HA manager restarts guests that it manages.
    pub(crate) fn crash(&mut self, vmid: u32) {
        let now = self.now;
        self.down(vmid, now);
        let again = self
            .state_mut(vmid)
            .is_some_and(|state| state.guest.ha && state.wanted);
        if again {
            self.start_by_node(vmid, now + MANAGER_DELAY);
        }
    }

    fn down(&mut self, vmid: u32, at: f64) {
        let Some(state) = self.state_mut(vmid) else {
            return;
        };
        for run in state.runs.iter_mut().filter(|run| run.end.is_none()) {
            run.end = Some(at);
        }
    }

    /// Schedules the start that follows a reboot or an HA decision, as a separate task.
    fn start_by_node(&mut self, vmid: u32, begin: f64) {
        let Some(guest) = self.state_mut(vmid).map(|state| state.guest) else {
            return;
        };
        let Fate(seconds, exit, effect) = start(guest, None);
        let kind = task_type(guest.kind, PowerAction::Start);
        let root = Self::root();
        self.start_task(NewTask {
            exit,
            effect,
            ..NewTask::new(guest.node, kind, vmid.to_string(), &root, begin, seconds)
        });
    }

    fn stop_by_manager(&mut self, guest: &'static Guest, begin: f64) {
        let seconds = match self.stop_of(guest) {
            StopBehaviour::After(seconds) => seconds.min(SHUTDOWN_TIMEOUT),
            StopBehaviour::Ignored => SHUTDOWN_TIMEOUT,
        };
        let kind = task_type(guest.kind, PowerAction::Shutdown);
        let root = Self::root();
        self.start_task(NewTask {
            effect: TaskEffect::Down(guest.vmid),
            ..NewTask::new(
                guest.node,
                kind,
                guest.vmid.to_string(),
                &root,
                begin,
                seconds,
            )
        });
    }

    fn state_mut(&mut self, vmid: u32) -> Option<&mut GuestState> {
        self.guests
            .iter_mut()
            .find(|state| state.guest.vmid == vmid)
    }
}

/// Refuses an order before a task starts, in Proxmox VE's words.
fn refuse(order: &SimOrder<'_>, guest: &Guest, running: bool) -> Result<(), Fail> {
    let vmid = guest.vmid;
    let text = match (guest.kind, order.action) {
        (GuestKind::Lxc, PowerAction::Start) if running && !guest.ha => {
            format!("CT {vmid} already running")
        }
        (GuestKind::Lxc, PowerAction::Stop | PowerAction::Shutdown | PowerAction::Reboot)
            if !running =>
        {
            format!("CT {vmid} not running")
        }
        (GuestKind::Qemu, PowerAction::Reboot) if !running => format!("VM {vmid} not running"),
        (GuestKind::Qemu, PowerAction::Shutdown | PowerAction::Reboot)
            if running && guest.paused && !order.force =>
        {
            "VM is paused - cannot shutdown".to_owned()
        }
        _ => return Ok(()),
    };
    Err(Fail::internal(text))
}

fn start(guest: &Guest, timeout: Option<f64>) -> Fate {
    let gib = guest.memory_mib as f64 / 1024.0;
    let (seconds, limit) = match guest.kind {
        GuestKind::Qemu => (2.0 + gib * 0.12, timeout.unwrap_or(gib.max(30.0))),
        GuestKind::Lxc => (2.5, f64::INFINITY),
    };
    if seconds > limit {
        let vmid = guest.vmid;
        return Fate::fails(
            limit,
            format!("start failed: command '/usr/bin/kvm -id {vmid} …' failed: got timeout"),
        );
    }
    let exit = if guest.warns.is_some() {
        "WARNINGS: 1"
    } else {
        "OK"
    };
    Fate(seconds, exit.to_owned(), TaskEffect::Up(guest.vmid))
}

fn no_shutdown(kind: GuestKind) -> &'static str {
    match kind {
        GuestKind::Qemu => "VM quit/powerdown failed - got timeout",
        GuestKind::Lxc => "container did not stop",
    }
}

fn task_type(kind: GuestKind, action: PowerAction) -> &'static str {
    match (kind, action) {
        (GuestKind::Qemu, PowerAction::Start) => "qmstart",
        (GuestKind::Qemu, PowerAction::Stop) => "qmstop",
        (GuestKind::Qemu, PowerAction::Shutdown) => "qmshutdown",
        (GuestKind::Qemu, PowerAction::Reboot) => "qmreboot",
        (_, PowerAction::Reset) => "qmreset",
        (GuestKind::Lxc, PowerAction::Start) => "vzstart",
        (GuestKind::Lxc, PowerAction::Stop) => "vzstop",
        (GuestKind::Lxc, PowerAction::Shutdown) => "vzshutdown",
        (GuestKind::Lxc, PowerAction::Reboot) => "vzreboot",
    }
}
