//! `manifest.json`: the name, type and size of each file.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};

#[derive(Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Manifest(BTreeMap<String, File>);

/// A file of the site. The README explains each field.
#[derive(Serialize, Deserialize)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) content_type: String,
    pub(crate) immutable: bool,
    pub(crate) size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) br: Option<u64>,
}

impl Manifest {
    const FILE: &str = "manifest.json";

    pub(crate) fn read(site: &Path) -> Result<Self> {
        let path = site.join(Self::FILE);
        let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(serde_json::from_slice(&text)?)
    }

    pub(crate) fn write(&self, site: &Path) -> Result<()> {
        fs::write(
            site.join(Self::FILE),
            serde_json::to_string_pretty(self)? + "\n",
        )?;
        Ok(())
    }

    /// Writes the files as the Rust expression that the server's binary includes: a slice of its
    /// `SiteFile`. An unchanged table is not rewritten, because that would rebuild the binary.
    pub(super) fn write_table(&self, site: &Path, table: &Path) -> Result<()> {
        let include = |path: &str| format!("include_bytes!({:?})", site.join(path));
        let mut text = String::from("&[\n");
        for (name, file) in self.files() {
            let content = match file.br {
                Some(_) => format!("Brotli({})", include(&format!("{}.br", file.path))),
                None => format!("Plain({})", include(&file.path)),
            };
            text += &format!(
                "    server::SiteFile {{ name: {name:?}, path: \"/{}\", content_type: {:?}, \
                 immutable: {}, content: server::SiteContent::{content} }},\n",
                file.path, file.content_type, file.immutable,
            );
        }
        text += "]\n";
        if fs::read_to_string(table).is_ok_and(|have| have == text) {
            return Ok(());
        }
        fs::write(table, text).with_context(|| format!("cannot write {}", table.display()))
    }

    pub(crate) fn add(&mut self, name: String, file: File) -> Result<()> {
        match self.0.insert(name.clone(), file) {
            Some(_) => bail!("two files of the site are called {name}"),
            None => Ok(()),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&File> {
        self.0.get(name)
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = (&String, &File)> {
        self.0.iter()
    }

    pub(super) fn files_mut(&mut self) -> impl Iterator<Item = &mut File> {
        self.0.values_mut()
    }
}

/// Returns the media type that the server sends with a file; a new kind of file must be added here.
pub(crate) fn content_type(name: &str) -> Result<&'static str> {
    let extension = Path::new(name).extension().and_then(|text| text.to_str());
    Ok(match extension.unwrap_or_default() {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "ico" => "image/x-icon",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        _ => bail!("no content type is known for {name}: add it to xtask/src/site/manifest.rs"),
    })
}
