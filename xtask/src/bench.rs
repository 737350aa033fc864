//! Measurements.

use anyhow::Result;

use crate::build::Profile;
use crate::site;
use crate::workspace::Workspace;

/// Prints the size of every file of the release site.
pub(crate) fn size(workspace: &Workspace) -> Result<()> {
    let folder = site::build(workspace, Profile::Release)?;
    let manifest = site::Manifest::read(&folder)?;
    println!(
        "\n{:28} {:>10} {:>10} {:>10}",
        "file", "bytes", "gzip", "brotli"
    );
    for (name, file) in manifest.files() {
        let packed =
            |size: Option<u64>| size.map_or_else(|| "-".to_owned(), |size| size.to_string());
        println!(
            "{name:28} {:>10} {:>10} {:>10}",
            file.size,
            packed(file.gz),
            packed(file.br)
        );
    }
    Ok(())
}
