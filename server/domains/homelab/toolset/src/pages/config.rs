//! Configuration of a guest, without values that may be secret.

use homelab_wire::ConfigEntry;
use serde_json::Value;

/// Keys known to hold no secret. Keys added by newer releases are withheld until listed here.
const PLAIN: &[&str] = &[
    "acpi",
    "affinity",
    "agent",
    "allow-ksm",
    "arch",
    "autostart",
    "balloon",
    "bios",
    "boot",
    "bootdisk",
    "cdrom",
    "citype",
    "ciupgrade",
    "cmode",
    "console",
    "cores",
    "cpu",
    "cpulimit",
    "cpuunits",
    "debug",
    "description",
    "features",
    "freeze",
    "hookscript",
    "hostname",
    "hotplug",
    "hugepages",
    "keephugepages",
    "keyboard",
    "kvm",
    "localtime",
    "lock",
    "machine",
    "memory",
    "migrate_downtime",
    "migrate_speed",
    "name",
    "nameserver",
    "numa",
    "onboot",
    "ostype",
    "parent",
    "protection",
    "reboot",
    "rootfs",
    "scsihw",
    "searchdomain",
    "shares",
    "smp",
    "sockets",
    "startdate",
    "startup",
    "swap",
    "tablet",
    "tags",
    "tdf",
    "template",
    "timezone",
    "tty",
    "unprivileged",
    "vcpus",
    "vga",
    "vmstatestorage",
    "watchdog",
];

/// Keys with a number after them, such as `net0`.
const NUMBERED: &[&str] = &[
    "audio", "dev", "efidisk", "hostpci", "ide", "ipconfig", "mp", "net", "numa", "parallel",
    "rng", "sata", "scsi", "serial", "tpmstate", "unused", "usb", "virtio", "virtiofs",
];

/// Keys that identify this version of the configuration and mean nothing to a person.
const DULL: &[&str] = &["digest", "meta", "vmgenid"];

/// The entries by key. A value that may be secret is withheld; its key is still listed.
pub(super) fn entries(config: &Value) -> Vec<ConfigEntry> {
    let fields = config.as_object().into_iter().flatten();
    let mut entries: Vec<ConfigEntry> = fields
        .filter(|(key, _)| !DULL.contains(&key.as_str()))
        .map(|(key, value)| ConfigEntry {
            value: is_plain(key).then(|| text(value)),
            key: key.clone(),
        })
        .collect();
    // In numeric order: `scsi2` before `scsi10`.
    entries.sort_by_cached_key(|entry| {
        let name = entry.key.trim_end_matches(|c: char| c.is_ascii_digit());
        let number: u32 = entry.key[name.len()..].parse().unwrap_or(0);
        (name.to_owned(), number)
    });
    entries
}

fn is_plain(key: &str) -> bool {
    let name = key.trim_end_matches(|c: char| c.is_ascii_digit());
    PLAIN.contains(&key) || (name.len() < key.len() && NUMBERED.contains(&name))
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim_end().to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_stay_here() {
        let config = json!({
            "scsi10": "local-zfs:vm-100-disk-1,size=8G",
            "scsi2": "local-zfs:vm-100-disk-0,size=32G",
            "cipassword": "hunter2",
            "sshkeys": "ssh-ed25519 AAAA",
            "args": "-device secret",
            "ciuser": "admin",
            "cicustom": "user=local:snippets/x.yaml",
            "env": "TOKEN=hunter2",
            "lxc": [["lxc.environment", "TOKEN=hunter2"]],
            "smbios1": "uuid=1",
            "something_new": "hunter2",
            "scsi": "not a disk without a number",
            "cores": 4,
            "memory": "2048",
            "description": "the mail server\n",
            "digest": "abc",
        });
        let lines: Vec<(String, Option<String>)> = entries(&config)
            .into_iter()
            .map(|entry| (entry.key, entry.value))
            .collect();
        let shown = |key: &str, value: &str| (key.to_owned(), Some(value.to_owned()));
        let withheld = |key: &str| (key.to_owned(), None);
        assert_eq!(
            lines,
            [
                withheld("args"),
                withheld("cicustom"),
                withheld("cipassword"),
                withheld("ciuser"),
                shown("cores", "4"),
                shown("description", "the mail server"),
                withheld("env"),
                withheld("lxc"),
                shown("memory", "2048"),
                withheld("scsi"),
                shown("scsi2", "local-zfs:vm-100-disk-0,size=32G"),
                shown("scsi10", "local-zfs:vm-100-disk-1,size=8G"),
                withheld("smbios"),
                withheld("something_new"),
                withheld("sshkeys"),
            ]
            .map(|(key, value)| match key.as_str() {
                "smbios" => ("smbios1".to_owned(), value),
                _ => (key, value),
            })
        );
        let text = serde_json::to_string(&entries(&config)).expect("is written");
        assert!(!text.contains("hunter2"), "{text}");
        assert_eq!(entries(&json!(null)), []);
    }
}
