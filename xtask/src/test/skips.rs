//! What tests left out and passed, as they said it: nextest shows the output of failed tests alone, and keeps that
//! of all tests in a file. Cargo's runner is asked to show it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::workspace::Workspace;

/// The beginning of the line that a test prints before it returns without having tested anything.
const MARK: &str = "!!! SKIPPED: ";

/// The places of nextest's file for a profile: it does not follow Cargo's target folder.
fn files(workspace: &Workspace, profile: &str) -> [PathBuf; 2] {
    let below = |folder: PathBuf| folder.join("nextest").join(profile).join("junit.xml");
    [
        below(workspace.root.join("target")),
        below(workspace.target.clone()),
    ]
}

/// Removes the file of an earlier run.
pub(super) fn forget(workspace: &Workspace, profile: &str) {
    for file in files(workspace, profile) {
        let _absent = fs::remove_file(file);
    }
}

/// The lines of the last run, with the number of tests that said them.
pub(super) fn of(workspace: &Workspace, profile: &str) -> Vec<String> {
    let mut texts = files(workspace, profile)
        .into_iter()
        .filter_map(|file| fs::read_to_string(file).ok());
    texts.next().map_or_else(Vec::new, |text| read(&text))
}

/// The lines in nextest's file, or in what cargo's runner printed.
pub(super) fn read(text: &str) -> Vec<String> {
    let mut said: BTreeMap<String, usize> = BTreeMap::new();
    for line in text.lines() {
        let Some(at) = line.find(MARK) else { continue };
        let text = line[at + MARK.len()..].trim_end();
        let text = text.split(" !!!").next().unwrap_or(text);
        let text = text.split("</").next().unwrap_or(text);
        *said.entry(plain(text)).or_default() += 1;
    }
    said.into_iter()
        .map(|(text, tests)| match tests {
            1 => text,
            tests => format!("{text} ({tests} tests)"),
        })
        .collect()
}

/// Text without XML's escapes.
fn plain(text: &str) -> String {
    let escapes = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
    ];
    let text = escapes
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    text.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_in_the_output_of_tests_that_passed() {
        let junit = "<testcase name=\"a\">\n<system-err>noise\n\
            !!! SKIPPED: no systemd &amp; no &lt;root&gt;. !!!\n\n</system-err>\n</testcase>\n\
            <testcase name=\"b\"><system-err>!!! SKIPPED: no systemd &amp; no &lt;root&gt;. !!!\n\
            </system-err></testcase>\n<system-out>!!! SKIPPED: no shell</system-out>";
        let said = read(junit);
        assert_eq!(said, ["no shell", "no systemd & no <root>. (2 tests)"]);
        assert!(read("<testcase name=\"SKIPPED\"/>").is_empty());
        let shown = "successes:\n\n---- a stdout ----\n\n!!! SKIPPED: no shell. !!!\n\n\nsuccesses:\n    a\n";
        assert_eq!(read(shown), ["no shell."]);
    }
}
