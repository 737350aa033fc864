//! The device's report on itself.

use field_package::abilities::SandboxAbilities;

use crate::server::LinkReport;

/// The report of this device: what it is, and what its sandboxes can do.
pub fn link_report(
    abilities: &SandboxAbilities,
    probes: &[crate::sandbox::probe::ProbeLine],
) -> LinkReport {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let line = |text: String| text.trim_matches(['\0', '\n', ' ']).to_owned();
    let os = read("/etc/os-release");
    let os = os.lines().find_map(|it| it.strip_prefix("PRETTY_NAME="));
    let interfaces = std::fs::read_dir("/sys/class/net")
        .into_iter()
        .flatten()
        .flatten();
    let interfaces: Vec<_> = interfaces
        .map(|it| it.file_name().to_string_lossy().into_owned())
        .collect();
    let rows = field_package::steps::ROWS.iter();
    let rows = rows.filter(|row| std::path::Path::new(row.program).exists());
    let rows: Vec<_> = rows.map(|row| row.name.word()).collect();
    LinkReport {
        facts: serde_json::json!({
            "hostname": line(read("/proc/sys/kernel/hostname")),
            "model": line(read("/proc/device-tree/model")),
            "os": os.unwrap_or_default().trim_matches('"'),
            "kernel": line(read("/proc/sys/kernel/osrelease")),
            "runner": concat!("jarvis-runner ", env!("CARGO_PKG_VERSION")),
            "interfaces": interfaces,
            "simulated": false,
        }),
        capabilities: serde_json::json!({
            "sandboxes": abilities.levels,
            "rows": rows,
            "probes": probes,
        }),
        program: serde_json::Value::Null,
    }
}
