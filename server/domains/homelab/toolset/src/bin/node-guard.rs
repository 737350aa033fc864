//! Binary with the guard alone: the same as `jarvis node-guard`, small enough for every node.

use std::{path::PathBuf, process::ExitCode, time::Duration};

use homelab::ssh::guard::{self, Exit, GuardOptions};

fn main() -> ExitCode {
    match options(std::env::args_os().skip(1)) {
        Some(options) => guard::main(&options),
        None => ExitCode::from(Exit::Failed as u8),
    }
}

/// Parses `--units FILE`, `--timeout SECONDS`, `--output-limit BYTES`, `--log SOCKET`, and for
/// tests `--units-owner UID` and `--root FOLDER`. `None` if an argument is unknown or invalid.
fn options(mut arguments: impl Iterator<Item = std::ffi::OsString>) -> Option<GuardOptions> {
    let mut options = GuardOptions::default();
    while let Some(flag) = arguments.next() {
        let value = arguments.next()?;
        match flag.to_str()? {
            "--units" => options.units = PathBuf::from(value),
            "--log" => options.log = PathBuf::from(value),
            "--units-owner" => options.units_owner = value.to_str()?.parse().ok()?,
            "--timeout" => {
                let seconds = value.to_str()?.parse().ok()?;
                options.timeout = Duration::try_from_secs_f64(seconds).ok()?;
            }
            "--output-limit" => options.output_limit = value.to_str()?.parse().ok()?,
            "--root" => options.root = Some(PathBuf::from(value)),
            _ => return None,
        }
    }
    Some(options)
}
