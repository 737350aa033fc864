//! List of units that may be restarted on this node: a file that only its owner can change.

use std::{
    fs::{self, File, Metadata},
    io::Read,
    os::unix::fs::MetadataExt,
    path::Path,
};

use super::GuardError;
use crate::ssh::grammar::GrammarCommand;

/// Longest list in bytes; a longer one is a mistake.
const MAX_BYTES: u64 = 64 * 1024;

/// The units in the list. A list that somebody else could have written is refused, and so is one
/// with a line that is no service: a typo must not go unnoticed.
pub(super) fn read(path: &Path, owner: u32) -> Result<Vec<String>, GuardError> {
    let wrong = |reason: String| GuardError::Units {
        path: path.to_owned(),
        reason,
    };
    let io = |error: std::io::Error| wrong(error.to_string());
    let folder = path
        .parent()
        .filter(|_| path.is_absolute())
        .ok_or_else(|| wrong("its path is not absolute".to_owned()))?;
    let above = fs::symlink_metadata(folder).map_err(io)?;
    if !above.is_dir() {
        return Err(wrong("its folder is a link or no folder".to_owned()));
    }
    trusted(&above, owner).map_err(|reason| wrong(format!("its folder {reason}")))?;
    if !fs::symlink_metadata(path).map_err(io)?.is_file() {
        return Err(wrong("it is a link or no file".to_owned()));
    }
    let mut file = File::open(path).map_err(io)?;
    // Checks the opened file itself, not the path.
    let metadata = file.metadata().map_err(io)?;
    trusted(&metadata, owner).map_err(|reason| wrong(format!("it {reason}")))?;
    let mut text = String::new();
    file.by_ref()
        .take(MAX_BYTES + 1)
        .read_to_string(&mut text)
        .map_err(io)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(wrong(format!("it has more than {MAX_BYTES} bytes")));
    }
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .enumerate()
        .filter(|(_, line)| !line.is_empty());
    lines
        .map(|(index, line)| match GrammarCommand::restart(line) {
            Ok(command) if command.restarts() == Some(line) => Ok(line.to_owned()),
            _ => Err(wrong(format!("line {} names no service", index + 1))),
        })
        .collect()
}

fn trusted(metadata: &Metadata, owner: u32) -> Result<(), String> {
    if metadata.uid() != owner {
        return Err(format!("belongs to user {}, not {owner}", metadata.uid()));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(format!(
            "can be written by others (mode {:o})",
            metadata.mode() & 0o7777
        ));
    }
    Ok(())
}
