//! The order, filter, grouping and form of the list of guests, as this device keeps them.

use kit::{browser, effect};
use leptos::prelude::*;

use crate::domains::homelab::arrange::{ArrangedGroup, Arrangement, Column, WantedOrder};

/// This device's storage key for them.
const KEPT: &str = "jarvis.guests";

/// The form of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum GuestForm {
    #[default]
    Table,
    Tiles,
}

const WANTED: [(WantedOrder, &str); 4] = [
    (WantedOrder::All, "all"),
    (WantedOrder::Running, "running"),
    (WantedOrder::Idle, "stopped"),
    (WantedOrder::Uncovered, "uncovered"),
];

const COLUMNS: [(Column, &str); 11] = [
    (Column::Name, "name"),
    (Column::Id, "id"),
    (Column::Kind, "kind"),
    (Column::Node, "node"),
    (Column::Cpu, "cpu"),
    (Column::Memory, "memory"),
    (Column::Disk, "disk"),
    (Column::Network, "network"),
    (Column::Uptime, "uptime"),
    (Column::Backup, "backup"),
    (Column::Tags, "tags"),
];

const GROUPS: [(ArrangedGroup, &str); 5] = [
    (ArrangedGroup::Nothing, "nothing"),
    (ArrangedGroup::Node, "node"),
    (ArrangedGroup::State, "state"),
    (ArrangedGroup::Kind, "kind"),
    (ArrangedGroup::Tag, "tag"),
];

const FORMS: [(GuestForm, &str); 2] = [(GuestForm::Table, "table"), (GuestForm::Tiles, "tiles")];

/// Recalls them once the page is alive, and keeps every later change.
pub(super) fn keep(arrangement: RwSignal<Arrangement>, form: RwSignal<GuestForm>) {
    let mut first = true;
    effect(move || {
        let text = write(&arrangement.read(), form.get());
        if std::mem::take(&mut first) {
            if let Some(kept) = browser::recall_here(KEPT) {
                let (kept, kept_form) = read(&kept);
                arrangement.set(kept);
                form.set(kept_form);
            }
        } else {
            browser::remember_here(KEPT, &text);
        }
    });
}

/// The search text and the collapsed groups belong to this visit.
fn write(arrangement: &Arrangement, form: GuestForm) -> String {
    let words = [
        word(&WANTED, arrangement.wanted),
        word(&COLUMNS, arrangement.by),
        if arrangement.descending { "down" } else { "up" },
        word(&GROUPS, arrangement.group),
        word(&FORMS, form),
    ];
    words.join(" ")
}

/// Reads the form of [`write`]. What it does not know is as usual.
fn read(kept: &str) -> (Arrangement, GuestForm) {
    let mut words = kept.split(' ');
    let mut next = || words.next().unwrap_or_default();
    let usual = Arrangement::default();
    let arrangement = Arrangement {
        wanted: value(&WANTED, next()).unwrap_or(usual.wanted),
        by: value(&COLUMNS, next()).unwrap_or(usual.by),
        descending: next() == "down",
        group: value(&GROUPS, next()).unwrap_or(usual.group),
        ..usual
    };
    (arrangement, value(&FORMS, next()).unwrap_or_default())
}

fn word<T: PartialEq>(table: &[(T, &'static str)], value: T) -> &'static str {
    let found = table.iter().find(|(known, _)| *known == value);
    found.map_or("", |(_, word)| *word)
}

fn value<T: Copy>(table: &[(T, &str)], word: &str) -> Option<T> {
    let found = table.iter().find(|(_, known)| *known == word);
    found.map(|(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_again() {
        let arrangement = Arrangement {
            wanted: WantedOrder::Uncovered,
            by: Column::Memory,
            descending: true,
            group: ArrangedGroup::Node,
            ..Arrangement::default()
        };
        let kept = write(&arrangement, GuestForm::Tiles);
        assert_eq!(kept, "uncovered memory down node tiles");
        assert_eq!(read(&kept), (arrangement, GuestForm::Tiles));
        for other in ["", "x y z", "all"] {
            assert_eq!(read(other), (Arrangement::default(), GuestForm::Table));
        }
    }
}
