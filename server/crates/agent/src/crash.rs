//! Named points at which a build for crash tests kills its own process. Other builds have none: the
//! feature `crash-points` is on only for what is built for tests.

/// Passes a point.
///
/// The points that a process passes are counted from 1. With the feature on, each is noted in the
/// file that `CRASH_LOG` names, as a line of number and name, and the process ends by SIGKILL at
/// the one that `CRASH_AT` gives: by its number, or the first whose name contains it.
#[cfg(feature = "crash-points")]
pub fn point(name: impl FnOnce() -> String) {
    points::pass(name);
}

/// Does nothing in this build.
#[cfg(not(feature = "crash-points"))]
#[inline(always)]
pub fn point(_name: impl FnOnce() -> String) {}

/// Returns true if the database is to find no room for one more write.
///
/// With the feature on, that is so for the first `CRASH_FULL_FOR` writes after the point whose name
/// contains `CRASH_FULL`.
#[cfg(feature = "crash-points")]
pub fn is_full() -> bool {
    points::is_full()
}

/// Never in this build.
#[cfg(not(feature = "crash-points"))]
#[inline(always)]
pub fn is_full() -> bool {
    false
}

/// The type names of events, as in their JSON.
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
        env,
        fs::File,
        io::Write,
        sync::{LazyLock, Mutex, PoisonError},
    };

    use rustix::process::{Signal, getpid, kill_process};

    struct CrashPoints {
        passed: u64,
        last: LastPoint,
        /// Part of a point's name; after that point there is no room.
        fills: Option<String>,
        /// Writes that find no room.
        full_for: u64,
        log: Option<File>,
    }

    /// The point at which the process ends.
    enum LastPoint {
        Never,
        Number(u64),
        Named(String),
    }

    /// None in a process that no crash test has started.
    static POINTS: LazyLock<Option<Mutex<CrashPoints>>> = LazyLock::new(|| {
        let path = env::var_os("CRASH_LOG")?;
        let log = File::options().append(true).create(true).open(path).ok();
        Some(Mutex::new(CrashPoints {
            passed: 0,
            last: match env::var("CRASH_AT").unwrap_or_default() {
                at if at.is_empty() || at == "0" => LastPoint::Never,
                at => at.parse().map_or(LastPoint::Named(at), LastPoint::Number),
            },
            fills: env::var("CRASH_FULL").ok(),
            full_for: 0,
            log,
        }))
    });

    pub(super) fn pass(name: impl FnOnce() -> String) {
        let Some(points) = &*POINTS else {
            return;
        };
        let mut points = points.lock().unwrap_or_else(PoisonError::into_inner);
        points.passed += 1;
        let number = points.passed;
        let name = name();
        if let Some(log) = &mut points.log {
            let line = format!("{number} {name}\n");
            if let Err(error) = log.write_all(line.as_bytes()) {
                tracing::error!(%error, "a crash point could not be noted");
            }
        }
        if points
            .fills
            .take_if(|fills| name.contains(&**fills))
            .is_some()
        {
            let writes = env::var("CRASH_FULL_FOR").ok();
            points.full_for = writes.and_then(|writes| writes.parse().ok()).unwrap_or(1);
        }
        let is_last = match &points.last {
            LastPoint::Never => false,
            LastPoint::Number(last) => number == *last,
            LastPoint::Named(part) => name.contains(part),
        };
        if is_last {
            // The lock is still held: no other thread comes past a point while this one dies.
            while let Err(error) = kill_process(getpid(), Signal::KILL) {
                tracing::error!(%error, "the process could not be killed");
            }
            loop {
                std::thread::park();
            }
        }
    }

    pub(super) fn is_full() -> bool {
        let Some(points) = &*POINTS else {
            return false;
        };
        let mut points = points.lock().unwrap_or_else(PoisonError::into_inner);
        let full = points.full_for > 0;
        points.full_for = points.full_for.saturating_sub(1);
        full
    }
}
