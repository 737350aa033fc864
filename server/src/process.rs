//! The process itself: the mode of its files, and the limit on open files.

use rustix::{
    fs::Mode,
    process::{Resource, Rlimit, getrlimit, setrlimit, umask},
};

/// The most open files that are of use to one server.
const MOST_FILES: u64 = 65_536;

/// Makes files created from now on accessible to their owner only, and raises the limit on open
/// files and connections to the system's maximum.
pub(crate) fn prepare() {
    umask(Mode::from_raw_mode(0o077));
    let limits = getrlimit(Resource::Nofile);
    let wanted = wanted(limits.current, limits.maximum);
    if wanted != limits.current {
        let raised = Rlimit {
            current: wanted,
            maximum: limits.maximum,
        };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::warn!(%error, "the limit of open files could not be raised");
        }
    }
}

/// Returns the limit on open files and connections.
pub(crate) fn open_files() -> u64 {
    let current = getrlimit(Resource::Nofile).current;
    current.unwrap_or(MOST_FILES).min(MOST_FILES)
}

/// Returns the soft limit to request: the hard one within reason, and never less than the present
/// one.
fn wanted(current: Option<u64>, maximum: Option<u64>) -> Option<u64> {
    let current = current?;
    Some(maximum.unwrap_or(MOST_FILES).min(MOST_FILES).max(current))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_is_raised_and_never_lowered() {
        for (current, maximum, expect) in [
            (Some(1024), Some(4096), Some(4096)),
            (Some(1024), Some(1 << 20), Some(MOST_FILES)),
            (Some(1024), None, Some(MOST_FILES)),
            (Some(256), Some(256), Some(256)),
            (Some(1 << 20), Some(1 << 20), Some(1 << 20)),
            (None, None, None),
        ] {
            assert_eq!(wanted(current, maximum), expect, "{current:?} {maximum:?}");
        }
    }
}
