//! Filters, orders and groups of a few guests.

use protocol::Timestamp;

use super::*;

fn guest(vmid: u64, name: &str, state: &str, cpu: Option<f64>) -> (String, GuestPart) {
    let backup = |at| LastBackup {
        at,
        gap: at.is_none(),
        verification: None,
        in_job: None,
    };
    let guest = GuestPart {
        vmid,
        kind: if vmid < 102 { "VM" } else { "CT" }.to_owned(),
        name: Some(name.to_owned()),
        node: if vmid == 101 { "agent" } else { "pve" }.to_owned(),
        state: match state {
            "" => Known::unknown("its node does not answer"),
            state => Known::Value(state.to_owned()),
        },
        was: None,
        cpu_percent: cpu.map(Known::Value),
        cores: None,
        memory_used: None,
        memory_total: None,
        disk_used: None,
        disk_total: None,
        uptime: None,
        tags: match vmid {
            101 => Vec::new(),
            103 => vec!["lab".to_owned(), "prod".to_owned()],
            _ => vec!["prod".to_owned()],
        },
        lock: None,
        net_in: cpu.map(|cpu| Known::Value(cpu as u64)),
        net_out: None,
        backup: match vmid {
            100 => Some(Known::Value(backup(Some(Timestamp(5_000))))),
            101 => Some(Known::Value(backup(None))),
            102 => Some(Known::unknown("missing privilege")),
            _ => Some(Known::Value(backup(Some(Timestamp(9_000))))),
        },
        past: None,
    };
    (vmid.to_string(), guest)
}

fn guests() -> [(String, GuestPart); 4] {
    [
        guest(100, "Nextcloud", "running", Some(3.0)),
        guest(101, "db", "stopped", None),
        guest(102, "mail", "", None),
        guest(103, "backup", "running", Some(40.0)),
    ]
}

#[test]
fn filters_and_orders() {
    let guests = guests();
    for (text, wanted, by, descending, expect) in [
        ("", WantedOrder::All, Column::Id, false, "100 101 102 103"),
        ("", WantedOrder::All, Column::Cpu, true, "103 100 101 102"),
        ("", WantedOrder::All, Column::Cpu, false, "100 103 101 102"),
        ("", WantedOrder::All, Column::Name, false, "103 101 102 100"),
        ("", WantedOrder::All, Column::Kind, false, "102 103 100 101"),
        ("", WantedOrder::All, Column::Tags, false, "101 103 100 102"),
        (
            "",
            WantedOrder::All,
            Column::Network,
            true,
            "103 100 101 102",
        ),
        (
            "",
            WantedOrder::All,
            Column::Backup,
            true,
            "101 100 103 102",
        ),
        ("next", WantedOrder::All, Column::Id, false, "100"),
        ("10 PROD", WantedOrder::Running, Column::Id, true, "103 100"),
        ("ct lab", WantedOrder::All, Column::Id, false, "103"),
        ("", WantedOrder::Idle, Column::Id, false, "101 102"),
        ("", WantedOrder::Uncovered, Column::Id, false, "101"),
        ("nothing like it", WantedOrder::All, Column::Id, false, ""),
    ] {
        let arrangement = Arrangement {
            text: text.to_owned(),
            wanted,
            by,
            descending,
            ..Arrangement::default()
        };
        let shown = arrangement.of(&guests).into_iter();
        let names: Vec<&str> = shown.map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.join(" "), expect, "{text:?} {by:?}");
    }
}

#[test]
fn groups() {
    let guests = guests();
    let shown = |arrangement: &Arrangement| {
        let (lines, count) = arrangement.lines(&guests);
        let words = lines.into_iter().map(|line| match line {
            ArrangedLine::Heading(it) => format!(
                "[{} {}/{}{}]",
                it.group,
                it.running,
                it.guests,
                if it.open { "" } else { " closed" }
            ),
            ArrangedLine::Guest { name, .. } => name,
        });
        let words: Vec<String> = words.collect();
        format!("{}: {count}", words.join(" "))
    };
    for (group, expect) in [
        (ArrangedGroup::Nothing, "103 100 101 102: 4"),
        (
            ArrangedGroup::Node,
            "[agent 0/1] 101 [pve 2/3] 103 100 102: 4",
        ),
        (
            ArrangedGroup::State,
            "[running 2/2] 103 100 [stopped 0/1] 101 [unknown 0/1] 102: 4",
        ),
        (ArrangedGroup::Kind, "[CT 1/2] 103 102 [VM 1/2] 100 101: 4"),
        (
            ArrangedGroup::Tag,
            "[lab 1/1] 103 [prod 2/3] 103 100 102 [without a tag 0/1] 101: 4",
        ),
    ] {
        let mut arrangement = Arrangement {
            by: Column::Cpu,
            descending: true,
            group,
            ..Arrangement::default()
        };
        assert_eq!(shown(&arrangement), expect, "{group:?}");
        if group == ArrangedGroup::Node {
            arrangement.turn("pve");
            let closed = "[agent 0/1] 101 [pve 2/3 closed]: 4";
            assert_eq!(shown(&arrangement), closed);
            arrangement.turn("pve");
            assert_eq!(shown(&arrangement), expect);
        }
    }
}

#[test]
fn a_column_turns_around() {
    let mut arrangement = Arrangement::default();
    arrangement.order_by(Column::Cpu);
    assert!(arrangement.descending);
    arrangement.order_by(Column::Cpu);
    assert!(!arrangement.descending);
    arrangement.order_by(Column::Name);
    assert!(!arrangement.descending);
}
