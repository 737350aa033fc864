//! Each class of the style is drawn by one owner: a domain, or what all share. Each sheet is in one bundle.

use std::collections::BTreeMap;
use std::fs;

use crate::tree::{files_ending, root};

/// The sheets that the build bundles, each with its imports.
const BUNDLED: [&str; 2] = ["style/main.css", "style/pages.css"];

/// Returns the classes that a style sheet draws wherever they are: `.name { … }`.
fn drawn(sheet: &str) -> Vec<String> {
    let mut text = String::new();
    for part in sheet.split("/*") {
        text.push_str(part.split_once("*/").map_or(part, |(_, rest)| rest));
    }
    let selectors = text.split('{').filter_map(|before| {
        let start = before.rfind(['}', ';']).map_or(0, |at| at + 1);
        before.get(start..)
    });
    let names = selectors.flat_map(|list| list.split(',')).filter_map(|it| {
        let name = it.trim().strip_prefix('.')?;
        let is_plain = name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '-' || c == '_');
        is_plain.then(|| name.to_owned())
    });
    names.collect()
}

#[test]
fn a_domain_draws_no_class_of_others() {
    assert_eq!(
        drawn("/* .no { */ .a, .b-c { x: y; } @media z { .d { } .e .f { } .g:hover { } }"),
        ["a", "b-c", "d"]
    );
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    for file in files_ending(&[".css"]) {
        let Some(path) = file.strip_prefix("style/") else {
            continue;
        };
        let domain = path
            .strip_prefix("domains/")
            .and_then(|it| it.split('/').next());
        let owner = domain.unwrap_or("all").to_owned();
        let sheet = fs::read_to_string(root().join(&file)).expect("a style sheet");
        for name in drawn(&sheet) {
            let known = owners.entry(name.clone()).or_insert_with(|| owner.clone());
            assert_eq!(*known, owner, "{file} draws .{name} of the other");
        }
    }
    assert!(owners.len() > 100, "the style was not found");
}

#[test]
fn each_sheet_is_imported_once() {
    let mut sheets = files_ending(&[".css"]);
    sheets.retain(|file| file.starts_with("style/"));
    let mut imported = Vec::new();
    for file in &sheets {
        let (folder, _) = file.rsplit_once('/').expect("a folder");
        let text = fs::read_to_string(root().join(file)).expect("a style sheet");
        let names = text.split("@import \"").skip(1).filter_map(|rest| {
            let (name, _) = rest.split_once('"')?;
            Some(format!("{folder}/{name}"))
        });
        imported.extend(names);
    }
    imported.sort();
    sheets.retain(|file| !BUNDLED.contains(&file.as_str()));
    assert!(sheets.len() > 40, "the style was not found");
    assert_eq!(imported, sheets);
}

#[test]
fn a_style_of_a_domain_has_a_panel() {
    let mut sheets = files_ending(&[".css"]);
    sheets.retain(|file| file.starts_with("style/domains/"));
    assert!(!sheets.is_empty(), "the style was not found");
    for file in sheets {
        let inner = file.trim_start_matches("style/domains/");
        let name = inner.split(['/', '.']).next().unwrap_or_default();
        let panel = format!("app/src/domains/{name}.rs");
        assert!(root().join(&panel).is_file(), "{file}: there is no {panel}");
    }
}
