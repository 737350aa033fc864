//! Files with a secret, which only this process's user may read.

use std::{io::Read, os::unix::fs::MetadataExt, path::Path};

use anyhow::{Context, bail};

use crate::{config::Source, texts};

/// Bytes of a file that are read.
const MAX_SECRET: u64 = 4096;
/// Bits that let everybody read or write.
const WORLD: u32 = 0o006;

/// Reads the text of a file that nobody else can read; `source` is where the configuration names it.
///
/// # Errors
/// It cannot be read, or everybody can read it.
pub(crate) fn read(path: &Path, source: &Source) -> anyhow::Result<String> {
    let unreadable = || texts::start::cannot_read_secret(&path.display(), source);
    let file = std::fs::File::open(path).with_context(unreadable)?;
    // What was opened is what is judged.
    let mode = file.metadata().with_context(unreadable)?.mode();
    if mode & WORLD != 0 {
        bail!(texts::start::secret_is_readable_by_everybody(
            &path.display()
        ));
    }
    let mut text = String::new();
    let read = file.take(MAX_SECRET).read_to_string(&mut text);
    read.with_context(unreadable)?;
    Ok(text)
}
