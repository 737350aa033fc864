//! Embeds the built site: writes a table of its files for `src/http/site.rs` to include.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-env-changed=JARVIS_SITE");
    let mut table = String::from("&[\n");
    if let Some(site) = env::var_os("JARVIS_SITE") {
        let site = PathBuf::from(site);
        println!(
            "cargo::rerun-if-changed={}",
            site.join("manifest.json").display()
        );
        let manifest = fs::read(site.join("manifest.json"))
            .map_err(|error| format!("{}: {error}", site.join("manifest.json").display()))?;
        let manifest: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(&manifest)?;
        for (name, entry) in &manifest {
            let text = |key: &str| entry[key].as_str().ok_or(format!("{name}: no {key}"));
            let path = text("path")?;
            let packed = |key: &str| match entry.get(key) {
                Some(_) => format!("Some({})", include(&site, &format!("{path}.{key}"))),
                None => "None".to_owned(),
            };
            table.push_str(&format!(
                "SiteFile {{ name: {name:?}, path: \"/{path}\", content_type: {:?}, immutable: {}, \
                 plain: {}, br: {}, gz: {} }},\n",
                text("content_type")?,
                entry["immutable"].as_bool().unwrap_or(false),
                include(&site, path),
                packed("br"),
                packed("gz"),
            ));
        }
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    fs::write(out.join("site.rs"), table)?;
    Ok(())
}

fn include(site: &Path, path: &str) -> String {
    format!(
        "include_bytes!({:?})",
        site.join(path).display().to_string()
    )
}
