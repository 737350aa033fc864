//! Filter, order and grouping of the table of guests.

use std::{cmp::Ordering, collections::BTreeMap};

use homelab_wire::{GuestPart, LastBackup};
use protocol::Known;

use super::texts;

/// A column to sort by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    Name,
    Id,
    Node,
    Kind,
    Cpu,
    Memory,
    Disk,
    Network,
    Uptime,
    Backup,
    Tags,
}

/// A property to group by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ArrangedGroup {
    #[default]
    Nothing,
    Node,
    State,
    Kind,
    /// By tag: a guest with several tags is under each of them.
    Tag,
}

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ArrangedLine {
    Heading(GroupHeading),
    Guest {
        /// The group; empty without grouping.
        group: String,
        name: String,
    },
}

/// The line above a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GroupHeading {
    pub(super) group: String,
    /// Number of guests in it.
    pub(super) guests: usize,
    pub(super) running: usize,
    pub(super) open: bool,
}

/// The filter by state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum WantedOrder {
    #[default]
    All,
    Running,
    /// Stopped, paused, or in an unknown state.
    Idle,
    /// Without a recent backup.
    Uncovered,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Arrangement {
    /// The search text; each word must match.
    pub(super) text: String,
    pub(super) wanted: WantedOrder,
    pub(super) by: Column,
    pub(super) descending: bool,
    pub(super) group: ArrangedGroup,
    /// The collapsed groups, of which only the heading is shown.
    pub(super) closed: Vec<String>,
}

impl Default for Arrangement {
    fn default() -> Self {
        Self {
            text: String::new(),
            wanted: WantedOrder::All,
            by: Column::Name,
            descending: false,
            group: ArrangedGroup::Nothing,
            closed: Vec::new(),
        }
    }
}

impl Arrangement {
    /// Sorts by a column: figures with the largest first, names from A. A second time reverses the
    /// order.
    pub(super) fn order_by(&mut self, by: Column) {
        if self.by == by {
            self.descending = !self.descending;
        } else {
            self.by = by;
            self.descending = matches!(
                by,
                Column::Cpu
                    | Column::Memory
                    | Column::Disk
                    | Column::Network
                    | Column::Uptime
                    | Column::Backup
            );
        }
    }

    /// Expands or collapses a group.
    pub(super) fn turn(&mut self, group: &str) {
        match self.closed.iter().position(|closed| closed == group) {
            Some(at) => {
                self.closed.swap_remove(at);
            }
            None => self.closed.push(group.to_owned()),
        }
    }

    /// Returns the lines of the table, and the number of guests in it.
    pub(super) fn lines(&self, guests: &[(String, GuestPart)]) -> (Vec<ArrangedLine>, usize) {
        let shown = self.of(guests);
        let count = shown.len();
        let line = |group: &str, name: &str| ArrangedLine::Guest {
            group: group.to_owned(),
            name: name.to_owned(),
        };
        if self.group == ArrangedGroup::Nothing {
            let lines = shown.into_iter().map(|(name, _)| line("", name));
            return (lines.collect(), count);
        }
        let mut groups: BTreeMap<String, Vec<&(String, GuestPart)>> = BTreeMap::new();
        for entry in shown {
            for group in self.groups(&entry.1) {
                groups.entry(group).or_default().push(entry);
            }
        }
        let mut lines = Vec::new();
        for (group, members) in groups {
            let open = !self.closed.contains(&group);
            let runs = |guest: &GuestPart| guest.state.value().is_some_and(|it| it == "running");
            lines.push(ArrangedLine::Heading(GroupHeading {
                guests: members.len(),
                running: members.iter().filter(|(_, guest)| runs(guest)).count(),
                open,
                group: group.clone(),
            }));
            if open {
                lines.extend(members.into_iter().map(|(name, _)| line(&group, name)));
            }
        }
        (lines, count)
    }

    /// Returns the groups of a guest.
    fn groups(&self, guest: &GuestPart) -> Vec<String> {
        match self.group {
            ArrangedGroup::Nothing => Vec::new(),
            ArrangedGroup::Node => vec![guest.node.clone()],
            ArrangedGroup::State => vec![match guest.state.value() {
                Some(state) => state.clone(),
                None => texts::UNKNOWN.to_owned(),
            }],
            ArrangedGroup::Kind => vec![guest.kind.clone()],
            ArrangedGroup::Tag if guest.tags.is_empty() => {
                vec![texts::guests::WITHOUT_TAG.to_owned()]
            }
            ArrangedGroup::Tag => guest.tags.clone(),
        }
    }

    /// Returns the guests on view, in order.
    fn of<'a>(&self, guests: &'a [(String, GuestPart)]) -> Vec<&'a (String, GuestPart)> {
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
        shown
    }

    fn wants(&self, guest: &GuestPart) -> bool {
        let state = guest.state.value().map(String::as_str);
        match self.wanted {
            WantedOrder::All => true,
            WantedOrder::Running => state == Some("running"),
            WantedOrder::Idle => !matches!(state, Some("running" | "template")),
            WantedOrder::Uncovered => {
                let last = guest.backup.as_ref().and_then(Known::value);
                last.is_some_and(|last| last.gap)
            }
        }
    }

    fn compare(&self, a: &GuestPart, b: &GuestPart) -> Ordering {
        let turned = |order: Ordering| {
            if self.descending {
                order.reverse()
            } else {
                order
            }
        };
        let order = match self.by {
            Column::Id => turned(a.vmid.cmp(&b.vmid)),
            Column::Name => turned(word(&a.name).cmp(&word(&b.name))),
            Column::Node => turned(a.node.cmp(&b.node)),
            Column::Kind => turned(a.kind.cmp(&b.kind)),
            Column::Tags => turned(a.tags.cmp(&b.tags)),
            _ => match (self.figure(a), self.figure(b)) {
                (Some(a), Some(b)) => turned(a.total_cmp(&b)),
                // An unknown or inapplicable value is last in either order.
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
            Column::Network => match (known(&guest.net_in), known(&guest.net_out)) {
                (None, None) => None,
                (received, sent) => Some(received.unwrap_or(0.0) + sent.unwrap_or(0.0)),
            },
            Column::Uptime => known(&guest.uptime),
            // By age: a guest that was never backed up counts as the oldest.
            Column::Backup => match guest.backup.as_ref()?.value()? {
                LastBackup { at: Some(at), .. } => Some(-(at.0 as f64)),
                LastBackup { at: None, .. } => Some(0.0),
            },
            Column::Name | Column::Id | Column::Node | Column::Kind | Column::Tags => None,
        }
    }
}

fn word(text: &Option<String>) -> String {
    text.as_deref().unwrap_or_default().to_ascii_lowercase()
}

/// Returns whether a guest has a word in its name, number, node, kind, state or tags. Letters
/// beyond ASCII are compared as they are: the tables for them are large.
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
mod tests;
