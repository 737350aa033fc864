//! The parts of pages.

use protocol::Known;

use super::{AT, board::task, check};
use crate::{
    AboutPage, BackupEntry, Chart, ChartLine, ChartsPage, ConfigEntry, Detail, LogPage,
    ServiceEntry, SnapshotEntry,
};

#[test]
fn about() {
    let about = AboutPage {
        at: AT,
        details: vec![Detail {
            name: "Address".to_owned(),
            value: Known::unknown("missing privilege Sys.Audit on /"),
        }],
        config: Some(Known::Value(vec![
            ConfigEntry {
                key: "cores".to_owned(),
                value: Some("4".to_owned()),
            },
            ConfigEntry {
                key: "cipassword".to_owned(),
                value: None,
            },
        ])),
        snapshots: Some(Known::Value(vec![SnapshotEntry {
            name: "clean".to_owned(),
            at: Some(AT),
            text: Some("before the upgrade".to_owned()),
            parent: None,
            memory: Some(false),
        }])),
        backups: Some(Known::Value(vec![BackupEntry {
            volume: "pbs:backup/vm/100/2023-11-14T22:13:20Z".to_owned(),
            storage: "pbs".to_owned(),
            guest: Some(100),
            at: Some(AT),
            size: Some(1024),
            verification: Some("ok".to_owned()),
            protected: true,
            notes: None,
        }])),
        backups_lack: vec!["storage nas is not available on node pve".to_owned()],
        services: Some(Known::Value(vec![ServiceEntry {
            name: "pveproxy".to_owned(),
            state: Known::Value("running".to_owned()),
        }])),
        tasks: Some(Known::Value(vec![task()])),
        tasks_lack: Vec::new(),
    };
    check("page_about", &about);
}

#[test]
fn charts_and_log() {
    let charts = ChartsPage {
        start: AT,
        step: Some(60),
        source: "GET /nodes/pve/rrddata".to_owned(),
        at: AT,
        charts: vec![Chart {
            name: "Memory".to_owned(),
            unit: "bytes".to_owned(),
            limit: Some(4096.0),
            lines: vec![ChartLine {
                name: "used".to_owned(),
                values: vec![Some(1024.5), None],
            }],
        }],
    };
    check("page_charts", &charts);
    let log = LogPage {
        task: task(),
        from: 500,
        lines: vec!["INFO: 45% done".to_owned()],
        more: false,
        at: AT,
    };
    check("page_log", &log);
}
