//! The child process of a server.

use std::process::Stdio;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::{
    child_room::{ChildPlace, ChildRoom},
    fault::ConnectFault,
    sandbox,
    settings::CommandSettings,
    stderr::StderrLog,
    texts,
};

const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// A running program. Dropped, it is killed with all that it has started.
pub(crate) struct ServerChild {
    /// Not awaited, so that its number cannot become that of another process before it is dropped.
    _child: Child,
    group: Option<Pid>,
    /// Set in a sandbox. Given back after the kill.
    _place: Option<ChildPlace>,
}

/// A new child with its streams.
pub(crate) struct StartedChild {
    pub(crate) child: ServerChild,
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
}

impl ServerChild {
    pub(crate) fn start(
        settings: &CommandSettings,
        room: &ChildRoom,
        log: &StderrLog,
    ) -> Result<StartedChild, ConnectFault> {
        let mut place = None;
        let mut command = if settings.sandbox {
            let bubblewrap = sandbox::bubblewrap().ok_or(ConnectFault::NoSandbox)?;
            let taken = room.take(settings.limits.memory_bytes);
            place = Some(taken.ok_or(ConnectFault::NoRoom)?);
            let mut command = Command::new(bubblewrap);
            command.args(sandbox::arguments(settings));
            command
        } else {
            let mut command = Command::new(&settings.program);
            command.args(&settings.args).current_dir("/");
            command
        };
        // Nothing of this process's environment: there may be the model's key in it.
        command
            .env_clear()
            .env("PATH", PATH)
            .env("HOME", "/tmp")
            .envs(&settings.environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        let not_started = |error: &dyn ToString| ConnectFault::NotStarted(error.to_string());
        let mut child = command.spawn().map_err(|error| not_started(&error))?;
        let group = child.id().and_then(|id| i32::try_from(id).ok());
        let group = group.and_then(Pid::from_raw);
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Self {
            _child: child,
            group,
            _place: place,
        };
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            return Err(not_started(&texts::NO_STREAMS));
        };
        log.follow(stderr);
        Ok(StartedChild {
            child,
            stdin,
            stdout,
        })
    }

    /// True once the program has ended. Its number stays taken.
    pub(crate) fn has_ended(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = self.group.map(|group| waitid(WaitId::Pid(group), look));
        matches!(ended, Some(Ok(Some(_))))
    }
}

impl Drop for ServerChild {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            // It may have ended already.
            let _gone = kill_process_group(group, Signal::KILL);
        }
    }
}
