//! A step on the way to its program: limits, then the guard, then exec.

use std::{io, os::unix::process::CommandExt as _, process::Command};

use rustix::process::{Resource, Rlimit, setrlimit};

use super::{StepLimits, guard};

/// Open files of a step.
const FILES: u64 = 128;

/// Puts the limits on this process and becomes the program. Returns only if that failed.
pub fn become_step(limits: &StepLimits, argv: &[String]) -> io::Error {
    let Some((program, arguments)) = argv.split_first() else {
        return io::ErrorKind::InvalidInput.into();
    };
    if let Err(error) = restrict(limits) {
        return error;
    }
    Command::new(program).args(arguments).exec()
}

fn restrict(limits: &StepLimits) -> io::Result<()> {
    let mut all = vec![
        (Resource::Core, 0),
        (Resource::Nofile, FILES),
        (Resource::Fsize, limits.file),
    ];
    all.extend(
        limits
            .tasks
            .map(|tasks| (Resource::Nproc, u64::from(tasks) + OWN_TASKS)),
    );
    all.extend(limits.address_space.map(|bytes| (Resource::As, bytes)));
    rustix::thread::set_no_new_privs(true)?;
    if limits.guard {
        // Before the limits: building the filter needs memory, and no step has begun yet.
        guard::restrict()?;
    }
    for (resource, most) in all {
        let most = Some(most);
        setrlimit(
            resource,
            Rlimit {
                current: most,
                maximum: most,
            },
        )?;
    }
    Ok(())
}

/// Threads and processes of the sandbox itself, which count for the same user: bubblewrap's, and the five
/// threads of the stage.
const OWN_TASKS: u64 = 6;
