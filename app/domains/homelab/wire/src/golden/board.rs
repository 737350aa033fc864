//! The parts of the board.

use protocol::{Known, Offer};
use serde_json::json;

use super::{AT, check};
use crate::{
    BackupNight, BackupsPart, Barred, ClusterPart, GuestCounts, GuestPart, HistoryPart, LastBackup,
    NodeCounts, NodePart, OffersPart, Past, ReadingPart, StoragePart, TaskPart, TrendPart,
};

fn past() -> Option<Past> {
    Some(Past {
        at: Some(AT),
        reason: "node agent1 does not answer".to_owned(),
    })
}

pub(super) fn task() -> TaskPart {
    TaskPart {
        upid: "UPID:pve:0000C530:001C9BEC:677E934A:vzdump:100:root@pam:".to_owned(),
        kind: "vzdump".to_owned(),
        about: Some("100".to_owned()),
        node: "pve".to_owned(),
        user: Some("root@pam".to_owned()),
        start: AT,
        end: None,
        state: Known::Value("running".to_owned()),
        error: None,
        percent: Some(45),
        line: Some("INFO: 45% done".to_owned()),
    }
}

#[test]
fn whole() {
    let cluster = ClusterPart {
        name: Known::Value("homelab".to_owned()),
        quorate: Known::unknown("missing privilege Sys.Audit on /"),
        nodes: Known::Value(NodeCounts {
            total: 4,
            online: 3,
        }),
        guests: Known::Value(GuestCounts {
            total: 20,
            running: 12,
            silent: 4,
        }),
        guarded: true,
        storage_warning_percent: 85,
        storage_full_percent: Some(95),
        guests_lack: vec!["missing privilege VM.Audit on /vms/101".to_owned()],
        storages_lack: Vec::new(),
        tasks_lack: Vec::new(),
    };
    check("board_cluster", &cluster);
    let reading = ReadingPart {
        source: "GET /cluster/resources".to_owned(),
        at: Some(AT),
        trouble: None,
    };
    check("board_reading", &reading);
}

#[test]
fn node() {
    let node = NodePart {
        name: "agent1".to_owned(),
        role: Some("compute".to_owned()),
        protected: true,
        state: Known::Value("offline".to_owned()),
        cpu_percent: Known::Value(12.5),
        threads: Some(16),
        io_wait_percent: Some(Known::Value(1.5)),
        memory_used: Known::Value(1024),
        memory_total: Some(4096),
        disk_used: Known::unknown("not reported"),
        disk_total: None,
        load: Known::Value(vec![0.5, 1.0, 1.25]),
        uptime: Known::Value(86_400),
        version: Known::Value("9.1.11".to_owned()),
        kernel: Known::Value("6.17.2-1-pve".to_owned()),
        celsius: Known::unknown("SSH is not configured"),
        celsius_at: None,
        unsteady: Some(3),
        source: "GET /nodes/agent1/status".to_owned(),
        at: Some(AT),
        past: past(),
    };
    check("board_node", &node);
    let history = HistoryPart {
        step: 60,
        cpu: vec![Some(12.5), None],
        memory: vec![None, Some(25.0)],
        io_wait: vec![Some(0.5), None],
    };
    check("board_history", &history);
}

#[test]
fn guest() {
    let guest = GuestPart {
        vmid: 101,
        kind: "VM".to_owned(),
        name: Some("nextcloud".to_owned()),
        node: "agent1".to_owned(),
        state: Known::unknown("node agent1 does not answer"),
        was: Some("running".to_owned()),
        cpu_percent: Some(Known::Value(3.2)),
        cores: Some(0.5),
        memory_used: Some(Known::Value(512)),
        memory_total: Some(2048),
        disk_used: Some(Known::unknown("not reported")),
        disk_total: Some(32_768),
        uptime: None,
        tags: vec!["prod".to_owned()],
        lock: Some("backup".to_owned()),
        net_in: Some(Known::Value(2048)),
        net_out: Some(Known::unknown("measured for too short a time")),
        backup: Some(Known::Value(LastBackup {
            at: Some(AT),
            gap: true,
            verification: Some("failed".to_owned()),
            in_job: Some(false),
        })),
        past: past(),
    };
    check("board_guest", &guest);
    let backups = BackupsPart {
        warning_hours: 48,
        count: 91,
        storages: vec!["nas".to_owned(), "pbs".to_owned()],
        lacks: vec!["missing privilege VM.Backup on /vms".to_owned()],
        nights: vec![BackupNight {
            at: AT,
            kept: 14,
            unverified: 1,
            failed: 2,
        }],
    };
    check("board_backups", &backups);
}

#[test]
fn storage_and_task() {
    let storage = StoragePart {
        name: "local-zfs".to_owned(),
        node: Some("pve".to_owned()),
        kind: Some("zfspool".to_owned()),
        content: vec!["images".to_owned()],
        state: Known::Value("available".to_owned()),
        used: Known::Value(900),
        total: Known::Value(1000),
        past: None,
    };
    check("board_storage", &storage);
    let trend = TrendPart {
        step: 10_800,
        used: vec![Some(89.5), None, Some(90.0)],
        per_day: Known::Value(1.5),
        full_in: Some(864_000),
        source: "GET /nodes/pve/storage/local-zfs/rrddata".to_owned(),
        at: Some(AT),
    };
    check("board_trend", &trend);
    check("board_task", &task());
}

#[test]
fn offers() {
    let offers = OffersPart {
        offers: vec![Offer {
            tool: "restart_service".to_owned(),
            label: "Restart pveproxy".to_owned(),
            on: "node".to_owned(),
            when: "online".to_owned(),
            only: vec!["pve".to_owned()],
            with: json!({"service": "pveproxy"}),
        }],
        barred: vec![Barred {
            key: "guest/101".to_owned(),
            reason: "Guest 101 is protected by the configuration.".to_owned(),
        }],
    };
    check("board_offers", &offers);
}
