//! Named points at which a build for crash tests kills its own process. Other builds have none: the
//! feature `crash-points` is never on in them.

/// Passes a point.
///
/// The points that a process passes are counted from 1. With the feature on, each is noted in the
/// file that `CRASH_LOG` names, as a line of number and name, and the process ends by
/// SIGKILL at the one whose number is `CRASH_AT`.
#[cfg(feature = "crash-points")]
pub fn point(name: impl FnOnce() -> String) {
    points::pass(name);
}

/// Does nothing in this build.
#[cfg(not(feature = "crash-points"))]
#[inline(always)]
pub fn point(_name: impl FnOnce() -> String) {}

/// The type words of events, as in their JSON.
pub fn names<'a>(events: impl IntoIterator<Item = &'a protocol::Event>) -> String {
    let mut names = Vec::new();
    for event in events {
        let name = serde_json::to_value(&event.body);
        let name = name
            .ok()
            .and_then(|body| Some(body.get("type")?.as_str()?.to_owned()));
        names.push(name.unwrap_or_default());
    }
    names.join(" + ")
}

#[cfg(feature = "crash-points")]
mod points {
    use std::{
        fs::File,
        io::Write,
        sync::{LazyLock, Mutex, PoisonError},
    };

    use rustix::process::{Signal, getpid, kill_process};

    struct Points {
        passed: u64,
        /// Zero: never.
        last: u64,
        log: Option<File>,
    }

    static POINTS: LazyLock<Mutex<Points>> = LazyLock::new(|| {
        let last = std::env::var("CRASH_AT").ok();
        let log = std::env::var_os("CRASH_LOG")
            .and_then(|path| File::options().append(true).create(true).open(path).ok());
        Mutex::new(Points {
            passed: 0,
            last: last.and_then(|last| last.parse().ok()).unwrap_or(0),
            log,
        })
    });

    pub(super) fn pass(name: impl FnOnce() -> String) {
        let mut points = POINTS.lock().unwrap_or_else(PoisonError::into_inner);
        points.passed += 1;
        let number = points.passed;
        if let Some(log) = &mut points.log {
            let line = format!("{number} {}\n", name());
            if let Err(error) = log.write_all(line.as_bytes()) {
                tracing::error!(%error, "a crash point could not be noted");
            }
        }
        if number == points.last {
            // Held: no other thread comes past a point while this one dies.
            while let Err(error) = kill_process(getpid(), Signal::KILL) {
                tracing::error!(%error, "the process could not be killed");
            }
            loop {
                std::thread::park();
            }
        }
    }
}
