//! Questions that only a command on a node can answer.

use crate::planner::words::original;

/// Services that go by their own name; others are named with the word "service".
const SERVICES: &[&str] = &[
    "pveproxy",
    "pvedaemon",
    "pvestatd",
    "pvescheduler",
    "pve-cluster",
    "pve-firewall",
    "pve-ha-crm",
    "pve-ha-lrm",
    "corosync",
    "spiceproxy",
    "sshd",
    "ssh",
    "chrony",
    "postfix",
    "smbd",
    "nfs-server",
    "nut-server",
    "zigbee2mqtt",
    "zfs-zed",
];

/// Programs that people write as they would at a prompt.
const PROGRAMS: &[&str] = &[
    "chronyc",
    "df",
    "dmesg",
    "free",
    "ip",
    "journalctl",
    "lsblk",
    "lscpu",
    "nproc",
    "ps",
    "pvesm",
    "pveversion",
    "smartctl",
    "ss",
    "systemctl",
    "uname",
    "zfs",
    "zpool",
];

/// The command, if the words plainly ask for what it shows.
pub(super) fn read(question: &str, said: &[String], limit: Option<u64>) -> Option<String> {
    if let Some(typed) = typed(question) {
        return Some(typed);
    }
    let has = |word: &str| said.iter().any(|said| said == word);
    let any = |words: &[&str]| words.iter().any(|word| has(word));
    let lines = limit.unwrap_or(50).min(500);
    let errors = any(&["error", "errors", "failures"]);
    let warnings = any(&["warning", "warnings"]);
    let log = any(&[
        "log", "logs", "journal", "messages", "message", "lines", "syslog",
    ]);
    let unit = unit(question).map(|stem| format!("{stem}.service"));
    if has("dmesg") || has("kernel") && (log || errors || warnings) {
        return Some(match (errors, warnings) {
            (true, _) => "dmesg -T -l err".to_owned(),
            (_, true) => "dmesg -T -l warn".to_owned(),
            _ => format!("journalctl -k -n {lines}"),
        });
    }
    if let Some(unit) = unit.filter(|_| log || any(&["service", "status"])) {
        return Some(match (log, errors, warnings) {
            (true, true, _) => format!("journalctl -u {unit} -p err -n {lines}"),
            (true, _, true) => format!("journalctl -u {unit} -p warning -n {lines}"),
            (true, ..) => format!("journalctl -u {unit} -n {lines}"),
            _ => format!("systemctl show {unit}"),
        });
    }
    if any(&["journal", "syslog"]) || has("log") && has("system") {
        // Less than a warning is shown of one service alone.
        let least = if errors { "err" } else { "warning" };
        return Some(format!("journalctl -p {least} -n {lines}"));
    }
    let plain = if any(&["port", "ports", "listening", "listens"]) {
        match any(&["program", "programs", "process", "processes", "who"]) {
            true => "ss -tlnp",
            false => "ss -tln",
        }
    } else if any(&["process", "processes"]) {
        match any(&["memory", "ram"]) {
            true => "ps -eo pid,user,pcpu,pmem,rss,etime,comm --sort -rss",
            false => "ps -eo pid,user,pcpu,pmem,rss,etime,comm --sort -pcpu",
        }
    } else if any(&["zfs", "zpool", "zpools"]) {
        if any(&["health", "healthy", "status", "scrub", "errors"]) {
            "zpool status"
        } else if any(&[
            "datasets",
            "dataset",
            "filesystems",
            "volumes",
            "subvolumes",
        ]) {
            "zfs list"
        } else {
            "zpool list"
        }
    } else if any(&["scrub", "scrubs"]) {
        "zpool status"
    } else if any(&["inode", "inodes"]) {
        "df -i"
    } else if any(&["partition", "partitions", "drives", "drive"])
        || has("disks") && any(&["physical", "built", "block"])
        || has("block") && has("devices")
    {
        "lsblk"
    } else if any(&["cpu", "processor"]) && any(&["model", "details", "features", "type"]) {
        "lscpu"
    } else if any(&["units", "services"]) && any(&["failed", "failing"]) {
        "systemctl list-units --failed"
    } else if any(&["routes", "routing"]) {
        "ip route show"
    } else if has("addresses") || has("ip") && any(&["address", "addresses"]) {
        "ip -br addr"
    } else if has("network") && any(&["interface", "interfaces"]) {
        "ip -br link"
    } else if any(&["clock", "ntp"]) {
        "chronyc -n tracking"
    } else {
        return None;
    };
    Some(plain.to_owned())
}

/// `zpool status on pve`: a program first, a place last.
fn typed(question: &str) -> Option<String> {
    let line = question.trim().trim_end_matches(['?', '.', '!']);
    let line = line.strip_prefix("show ").unwrap_or(line);
    let (command, _) = line.rsplit_once(" on ")?;
    let program = command.split(' ').next()?;
    // Words after a bare program are prose: "dmesg errors on pve".
    let known = PROGRAMS.contains(&program);
    let flags =
        command.contains(" -") || matches!(command, "zpool status" | "zpool list" | "zfs list");
    (known && (flags || command == program)).then(|| command.trim().to_owned())
}

/// The service that the words name, without its ending.
fn unit(question: &str) -> Option<String> {
    let said = original(question);
    let service = |word: &str| matches!(word, "service" | "unit" | "daemon");
    let named = |word: &&str| {
        let word = word.to_lowercase();
        word.ends_with(".service") || SERVICES.contains(&word.as_str())
    };
    let beside = || {
        let at = said.iter().position(|word| service(&word.to_lowercase()))?;
        let before = at.checked_sub(1).and_then(|at| said.get(at));
        let after = said.get(at + 1);
        let plain = |word: &&&str| {
            let word = word.to_lowercase();
            !crate::planner::words::is_filler(&word) && !super::topic::is_sign(&word)
        };
        before.filter(plain).or(after.filter(plain)).copied()
    };
    let word = said
        .iter()
        .copied()
        .find(|word| named(word))
        .or_else(beside)?;
    Some(word.trim_end_matches(".service").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planner::words::words;

    #[test]
    fn plain_english_leads_to_a_command() {
        for (question, expect) in [
            (
                "show the kernel messages on pve",
                Some("journalctl -k -n 50"),
            ),
            ("any kernel errors on Home?", Some("dmesg -T -l err")),
            (
                "which processes use most memory on Home",
                Some("ps -eo pid,user,pcpu,pmem,rss,etime,comm --sort -rss"),
            ),
            (
                "What processes keep agent busy?",
                Some("ps -eo pid,user,pcpu,pmem,rss,etime,comm --sort -pcpu"),
            ),
            (
                "show me the log of pveproxy on pve",
                Some("journalctl -u pveproxy.service -n 50"),
            ),
            (
                "errors in the log of the nginx service on pve",
                Some("journalctl -u nginx.service -p err -n 50"),
            ),
            (
                "what is the status of smbd on pve?",
                Some("systemctl show smbd.service"),
            ),
            (
                "warnings in the journal of pve",
                Some("journalctl -p warning -n 50"),
            ),
            ("Which ports are open on pve?", Some("ss -tln")),
            ("what partitions are on pve?", Some("lsblk")),
            ("are the zfs pools on pve healthy?", Some("zpool status")),
            ("zpool list on pve", Some("zpool list")),
            ("df -i on pve", Some("df -i")),
            (
                "any failed services on pve",
                Some("systemctl list-units --failed"),
            ),
            ("How full is the storage?", None),
            ("show the last 5 tasks", None),
            ("how much memory has pve?", None),
            ("Any failed backups or tasks?", None),
            ("how are the services of my family", None),
        ] {
            let found = read(question, &words(question), None);
            assert_eq!(found.as_deref(), expect, "{question}");
        }
    }
}
