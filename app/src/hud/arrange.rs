//! Which guests the table shows, and in which order.

use std::cmp::Ordering;

use protocol::{GuestPart, Known};

/// What the table can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Name,
    Id,
    Node,
    State,
    Cpu,
    Memory,
    Disk,
    Uptime,
}

/// Which guests are wanted, by their state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Wanted {
    #[default]
    All,
    Running,
    Stopped,
    /// Neither running nor stopped, or not known.
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Arrangement {
    /// Each word must be found.
    pub(super) text: String,
    pub(super) wanted: Wanted,
    pub(super) by: Column,
    pub(super) descending: bool,
}

impl Default for Arrangement {
    fn default() -> Self {
        Self {
            text: String::new(),
            wanted: Wanted::All,
            by: Column::Id,
            descending: false,
        }
    }
}

impl Arrangement {
    /// Orders by a column: figures with the largest first, names from A. Again turns it around.
    pub(super) fn order_by(&mut self, by: Column) {
        if self.by == by {
            self.descending = !self.descending;
        } else {
            self.by = by;
            self.descending = matches!(
                by,
                Column::Cpu | Column::Memory | Column::Disk | Column::Uptime
            );
        }
    }

    /// The names of the guests that are shown, in their order.
    pub(super) fn of(&self, guests: &[(String, GuestPart)]) -> Vec<String> {
        let words: Vec<String> = self
            .text
            .split_whitespace()
            .map(str::to_ascii_lowercase)
            .collect();
        let mut shown: Vec<&(String, GuestPart)> = guests
            .iter()
            .filter(|(_, guest)| self.wants(guest) && words.iter().all(|word| has(guest, word)))
            .collect();
        shown.sort_by(|(_, a), (_, b)| self.compare(a, b));
        shown.into_iter().map(|(name, _)| name.clone()).collect()
    }

    fn wants(&self, guest: &GuestPart) -> bool {
        let state = guest.state.value().map(String::as_str);
        match self.wanted {
            Wanted::All => true,
            Wanted::Running => state == Some("running"),
            Wanted::Stopped => state == Some("stopped"),
            Wanted::Other => !matches!(state, Some("running" | "stopped")),
        }
    }

    fn compare(&self, a: &GuestPart, b: &GuestPart) -> Ordering {
        let turned = |order: Ordering| match self.descending {
            true => order.reverse(),
            false => order,
        };
        let order = match self.by {
            Column::Id => turned(a.vmid.cmp(&b.vmid)),
            Column::Name => turned(word(&a.name).cmp(&word(&b.name))),
            Column::Node => turned(a.node.cmp(&b.node)),
            Column::State => turned(a.state.value().cmp(&b.state.value())),
            _ => match (self.figure(a), self.figure(b)) {
                (Some(a), Some(b)) => turned(a.total_cmp(&b)),
                // What is not known, or does not apply, is last whichever way the rest goes.
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => Ordering::Equal,
            },
        };
        order.then(a.vmid.cmp(&b.vmid))
    }

    fn figure(&self, guest: &GuestPart) -> Option<f64> {
        let known = |figure: &Option<Known<u64>>| {
            let value = figure.as_ref()?.value()?;
            Some(*value as f64)
        };
        match self.by {
            Column::Cpu => guest.cpu_percent.as_ref()?.value().copied(),
            Column::Memory => known(&guest.memory_used),
            Column::Disk => known(&guest.disk_used).or(guest.disk_total.map(|total| total as f64)),
            Column::Uptime => known(&guest.uptime),
            Column::Name | Column::Id | Column::Node | Column::State => None,
        }
    }
}

fn word(text: &Option<String>) -> String {
    text.as_deref().unwrap_or_default().to_ascii_lowercase()
}

/// Whether a guest has a word in its name, number, node, kind, state or tags. Letters beyond ASCII
/// are compared as they are: the tables for them are large.
fn has(guest: &GuestPart, needle: &str) -> bool {
    let within = |text: &str| text.to_ascii_lowercase().contains(needle);
    guest.name.as_deref().is_some_and(within)
        || guest.vmid.to_string().contains(needle)
        || within(&guest.node)
        || within(&guest.kind)
        || guest.state.value().is_some_and(|state| within(state))
        || guest.tags.iter().any(|tag| within(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guest(vmid: u64, name: &str, state: &str, cpu: Option<f64>) -> (String, GuestPart) {
        let guest = GuestPart {
            vmid,
            kind: "VM".to_owned(),
            name: Some(name.to_owned()),
            node: "pve".to_owned(),
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
            tags: vec!["prod".to_owned()],
            lock: None,
            past: None,
        };
        (vmid.to_string(), guest)
    }

    #[test]
    fn filters_and_orders() {
        let guests = [
            guest(100, "Nextcloud", "running", Some(3.0)),
            guest(101, "db", "stopped", None),
            guest(102, "mail", "", None),
            guest(103, "backup", "running", Some(40.0)),
        ];
        let of = |text: &str, wanted, by, descending| {
            let arrangement = Arrangement {
                text: text.to_owned(),
                wanted,
                by,
                descending,
            };
            arrangement.of(&guests).join(" ")
        };
        for (text, wanted, by, descending, expect) in [
            ("", Wanted::All, Column::Id, false, "100 101 102 103"),
            ("", Wanted::All, Column::Cpu, true, "103 100 101 102"),
            ("", Wanted::All, Column::Cpu, false, "100 103 101 102"),
            ("", Wanted::All, Column::Name, false, "103 101 102 100"),
            ("next", Wanted::All, Column::Id, false, "100"),
            ("10 PROD", Wanted::Running, Column::Id, true, "103 100"),
            ("", Wanted::Stopped, Column::Id, false, "101"),
            ("", Wanted::Other, Column::Id, false, "102"),
            ("nothing like it", Wanted::All, Column::Id, false, ""),
        ] {
            assert_eq!(of(text, wanted, by, descending), expect, "{text:?} {by:?}");
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
}
