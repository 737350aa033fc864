//! Assembles the site: hashed names, compressed copies, manifest.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use super::manifest::{File, Manifest, content_type};
use super::{SiteTools, chart, module, style};
use crate::build_profile::BuildProfile;
use crate::fingerprint::{Fingerprint, files_below, once};
use crate::process;
use crate::report::timed;
use crate::workspace::own_folder;

/// Files of `public/` that contain the name of the style sheet, or the build, which is a hash of
/// all files before them.
const FILLED: [&str; 2] = ["offline.html", "sw.js"];

/// Makes the folder `site` from the results of the other steps in `work`, and from `public/`: files
/// directly in that keep their names, because others request them by those names; the rest get a
/// hash.
pub(super) fn pack(tools: &SiteTools, work: &Path, public: &Path, site: &Path) -> Result<()> {
    let key = Fingerprint::of(include_str!("pack.rs"))
        .with(include_bytes!("compress.mjs"))
        .with(include_bytes!("manifest.rs"))
        .with_folder(&work.join("module"))?
        .with_folder(&work.join("style"))?
        .with_folder(&work.join("chart"))?
        .with_folder(public)?;
    let stamp = work.join("site.stamp");
    if !site.join("manifest.json").exists() && stamp.exists() {
        fs::remove_file(&stamp)?;
    }
    once(&stamp, key, || {
        timed("pack the site", || {
            // Built beside its final place, so that a failed run never leaves half a site.
            let fresh = site.with_extension("new");
            for folder in [site, &fresh] {
                if folder.exists() {
                    fs::remove_dir_all(folder)?;
                }
            }
            fs::create_dir_all(fresh.join("assets"))?;
            assemble(work, public, &fresh)?
                .compressed(tools, &fresh)?
                .write(&fresh)?;
            fs::rename(&fresh, site)?;
            Ok(())
        })
    })?;
    Ok(())
}

fn assemble(work: &Path, public: &Path, site: &Path) -> Result<Manifest> {
    let mut manifest = Manifest::default();
    let wasm = fs::read(work.join("module").join(module::WASM))?;
    let wasm_path = manifest.add_hashed(site, module::WASM, &wasm)?;

    let script = fs::read_to_string(work.join("module").join(module::SCRIPT))?;
    if !script.contains(module::WASM) {
        bail!("the script does not name {}", module::WASM);
    }
    let mut script = script.replace(module::WASM, wasm_path.trim_start_matches("assets/"));
    for file in files_below(&work.join("module"))? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if !name.ends_with(".wasm") || name == module::WASM {
            continue;
        }
        let path = manifest.add_hashed(site, &name, &fs::read(&file)?)?;
        if !script.contains(&*name) {
            bail!("the script does not name {name}");
        }
        script = script.replace(&*name, path.trim_start_matches("assets/"));
    }
    manifest.add_hashed(site, module::SCRIPT, script.as_bytes())?;

    for file in files_below(&work.join("style"))? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let bytes = fs::read(&file)?;
        if style::STYLES.contains(&&*name) {
            manifest.add_hashed(site, &name, &bytes)?;
        } else {
            // Named and hashed by the bundler, and the sheet refers to it by that name.
            manifest.add_file(site, &name, format!("assets/{name}"), true, &bytes)?;
        }
    }

    let folder = work.join("chart");
    manifest.add_hashed(site, chart::CHART, &fs::read(folder.join(chart::CHART))?)?;
    let licenses = fs::read(folder.join(chart::LICENSES))?;
    let path = chart::LICENSES.to_owned();
    manifest.add_file(site, chart::LICENSES, path, false, &licenses)?;

    for file in files_below(public)? {
        let name = file
            .strip_prefix(public)?
            .to_string_lossy()
            .replace('\\', "/");
        if FILLED.contains(&&*name) {
            continue;
        }
        let bytes = fs::read(&file)?;
        if name.contains('/') {
            manifest.add_hashed(site, &name, &bytes)?;
        } else {
            manifest.add_file(site, &name, name.clone(), false, &bytes)?;
        }
    }
    let mut styles = Vec::new();
    for name in style::STYLES {
        let sheet = manifest.get(name).context("the site lacks a style sheet")?;
        styles.push((format!("/{name}"), format!("/{}", sheet.path)));
    }
    for name in FILLED.into_iter().filter(|name| public.join(name).exists()) {
        let mut build = Fingerprint::default();
        for (name, file) in manifest.files() {
            build = build
                .with(name.as_bytes())
                .with_file(&site.join(&file.path))?;
        }
        let mut text = fs::read_to_string(public.join(name))?.replace("BUILD", &build.short());
        for (sheet, path) in &styles {
            text = text.replace(sheet, path);
        }
        manifest.add_file(site, name, name.to_owned(), false, text.as_bytes())?;
    }
    Ok(manifest)
}

impl Manifest {
    /// Writes a file under a name with its hash, and returns its path.
    fn add_hashed(&mut self, site: &Path, name: &str, bytes: &[u8]) -> Result<String> {
        let hash = Fingerprint::default().with(bytes).short();
        let (stem, extension) = name
            .rsplit_once('.')
            .with_context(|| format!("{name} has no extension"))?;
        let path = format!("assets/{}.{hash}.{extension}", stem.replace('/', "-"));
        self.add_file(site, name, path.clone(), true, bytes)?;
        Ok(path)
    }

    fn add_file(
        &mut self,
        site: &Path,
        name: &str,
        path: String,
        immutable: bool,
        bytes: &[u8],
    ) -> Result<()> {
        fs::write(site.join(&path), bytes)?;
        let file = File {
            path,
            content_type: content_type(name)?.to_owned(),
            immutable,
            size: bytes.len() as u64,
            br: None,
        };
        self.add(name.to_owned(), file)
    }

    /// Compresses each file and records the sizes of the copies that are worth keeping.
    fn compressed(mut self, tools: &SiteTools, site: &Path) -> Result<Self> {
        let effort = match tools.profile {
            BuildProfile::Release | BuildProfile::Quick => "best",
            BuildProfile::Dev => "quick",
        };
        let script = own_folder().join("src/site/compress.mjs");
        let paths = self.files().map(|(_, file)| site.join(&file.path));
        process::run(Command::new("node").arg(script).arg(effort).args(paths))?;
        for file in self.files_mut() {
            let copy = fs::metadata(site.join(format!("{}.br", file.path)));
            file.br = copy.ok().map(|copy| copy.len());
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_site_of_the_readme() {
        let folder = tempfile::tempdir().unwrap();
        let [work, public, site] = ["work", "public", "site"].map(|name| folder.path().join(name));
        for (path, text) in [
            ("work/module/jarvis_bg.wasm", "module"),
            ("work/module/split_hud.wasm", "part"),
            (
                "work/module/jarvis.js",
                "fetch('jarvis_bg.wasm');fetch('split_hud.wasm')",
            ),
            ("work/chart/chart.js", "chart"),
            ("work/chart/chart-licenses.txt", "free"),
            ("work/style/main.css", "a{}"),
            ("work/style/pages.css", "p{}"),
            ("work/style/font.0A1B2C3D.woff2", "font"),
            ("public/robots.txt", "Disallow: /"),
            ("public/offline.html", "<link href=\"/main.css\">"),
            ("public/sw.js", "cache('jarvis-BUILD', '/main.css')"),
            ("public/icons/small.png", "icon"),
        ] {
            let file = folder.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        fs::create_dir_all(site.join("assets")).unwrap();

        let manifest = assemble(&work, &public, &site).unwrap();
        let files: Vec<_> = manifest
            .files()
            .map(|(name, file)| (name.as_str(), file.path.as_str(), file.immutable))
            .collect();
        assert_eq!(
            files,
            [
                ("chart-licenses.txt", "chart-licenses.txt", false),
                ("chart.js", "assets/chart.b827d86c35d6.js", true),
                ("font.0A1B2C3D.woff2", "assets/font.0A1B2C3D.woff2", true),
                (
                    "icons/small.png",
                    "assets/icons-small.d8a7768eb0ab.png",
                    true
                ),
                ("jarvis.js", "assets/jarvis.9bec0510d362.js", true),
                ("jarvis_bg.wasm", "assets/jarvis_bg.24d653da21db.wasm", true),
                ("main.css", "assets/main.423e71f2af2d.css", true),
                ("offline.html", "offline.html", false),
                ("pages.css", "assets/pages.d76ad8e3594b.css", true),
                ("robots.txt", "robots.txt", false),
                ("split_hud.wasm", "assets/split_hud.d684127cd5c1.wasm", true),
                ("sw.js", "sw.js", false),
            ]
        );
        let script = fs::read_to_string(site.join(files[4].1)).unwrap();
        let [wasm, part] = [5, 10].map(|at| files[at].1.trim_start_matches("assets/"));
        assert_eq!(script, format!("fetch('{wasm}');fetch('{part}')"));
        assert!(files.iter().all(|(_, path, _)| site.join(path).is_file()));

        // A changed file makes another build, and so another worker.
        let worker = |site: &Path| fs::read_to_string(site.join("sw.js")).unwrap();
        let first = worker(&site);
        assert!(
            first.ends_with("', '/assets/main.423e71f2af2d.css')"),
            "{first}"
        );
        assert!(!first.contains("BUILD"), "{first}");
        fs::write(public.join("robots.txt"), "Allow: /").unwrap();
        assemble(&work, &public, &site).unwrap();
        assert_ne!(worker(&site), first);
    }
}
