//! Sandbox A's properties and the shipped units, by systemd's own analyser, which needs no running systemd.

use std::process::Command;

use field_package::{ids::Fingerprint, manifest::JobManifest};
use field_runner::sandbox::systemd::properties;

use crate::device::manifest;

fn job() -> JobManifest {
    manifest(1, "true", &Fingerprint::new(&"0".repeat(64)).unwrap())
}

#[test]
fn nothing_of_a_script_is_in_a_property() {
    let manifest = job();
    let all = properties(&manifest);
    let value = |name: &str| {
        let found: Vec<_> = all.iter().filter(|it| it.0 == name).collect();
        found.last().map(|it| it.1.clone()).unwrap()
    };
    assert_eq!(value("CapabilityBoundingSet"), "");
    assert_eq!(value("MemoryMax"), manifest.caps.memory.to_string());
    assert_eq!(value("RuntimeMaxSec"), "30");
    assert!(!value("RestrictAddressFamilies").contains("AF_PACKET"));
    assert!(!value("RestrictAddressFamilies").contains("AF_UNIX"));
}

/// Checks a unit and its exposure, in tenths.
fn analyse(unit: &std::path::Path, most: u32) {
    let output = Command::new("systemd-analyze")
        .args(["security", "--offline=yes", &format!("--threshold={most}")])
        .arg(unit)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let overall = said
        .lines()
        .rev()
        .find(|line| line.contains("Overall"))
        .unwrap_or_default();
    assert!(
        output.status.success(),
        "{}: {overall}\n{said}",
        unit.display()
    );
}

#[test]
fn jobs_and_services_are_as_closed_as_they_should_be() {
    let found = Command::new("systemd-analyze").arg("--version").output();
    if found.is_err() {
        assert!(std::env::var_os("CI").is_none(), "CI needs systemd-analyze");
        eprintln!("\n!!! SKIPPED: no systemd-analyze, so no unit is checked here. !!!\n");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("jarvis-job.service");
    let mut text = "[Service]\nExecStart=/bin/true\n".to_owned();
    for (name, value) in properties(&job()) {
        text.push_str(&format!("{name}={value}\n"));
    }
    std::fs::write(&path, text).unwrap();
    analyse(&path, 20);
    let packaging = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging");
    analyse(&packaging.join("jarvis-runner.service"), 30);
}
