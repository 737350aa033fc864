//! Counts over all guests, made once for all parts of the page that need them.

use std::collections::BTreeMap;

use homelab_wire::{GuestPart, LastBackup};
use leptos::prelude::*;
use protocol::Known;

use super::board::HudBoard;

/// Templates are in none of the counts but their own: they are no guests that could run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct HudTally {
    pub(super) all: usize,
    pub(super) templates: usize,
    pub(super) running: usize,
    /// Stopped, paused, or in an unknown state.
    pub(super) idle: usize,
    pub(super) backups: BackupTally,
    /// Running and all guests of each node.
    nodes: BTreeMap<String, (usize, usize)>,
}

/// Guests by the state of their backups.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct BackupTally {
    pub(super) fresh: usize,
    pub(super) unknown: usize,
    /// Without any backup.
    pub(super) none: usize,
    /// With old backups only.
    pub(super) old: usize,
    /// Guests whose newest backup could not be verified.
    pub(super) unverified: usize,
    /// Guests that no backup job covers.
    pub(super) in_no_job: usize,
}

impl BackupTally {
    /// Returns the number of guests without a recent backup.
    pub(super) fn gaps(&self) -> usize {
        self.none + self.old
    }
}

impl HudTally {
    pub(super) fn of(board: &HudBoard) -> Memo<Self> {
        let guests = board.guests();
        Memo::new(move |_| {
            let mut tally = Self::default();
            guests.visit(|_, guest| tally.add(guest));
            tally
        })
    }

    fn add(&mut self, guest: &GuestPart) {
        let state = guest.state.value().map(String::as_str);
        if state == Some("template") {
            self.templates += 1;
            return;
        }
        let runs = state == Some("running");
        self.all += 1;
        self.running += usize::from(runs);
        self.idle += usize::from(!runs);
        if !self.nodes.contains_key(&guest.node) {
            self.nodes.insert(guest.node.clone(), (0, 0));
        }
        if let Some((running, all)) = self.nodes.get_mut(&guest.node) {
            *running += usize::from(runs);
            *all += 1;
        }
        self.backups.add(guest.backup.as_ref());
    }

    /// Returns the number of running guests of a node, and of all.
    pub(super) fn on_node(&self, node: &str) -> (usize, usize) {
        self.nodes.get(node).copied().unwrap_or_default()
    }
}

impl BackupTally {
    fn add(&mut self, last: Option<&Known<LastBackup>>) {
        let last = match last {
            None => return,
            Some(Known::Unknown { .. }) => {
                self.unknown += 1;
                return;
            }
            Some(Known::Value(last)) => last,
        };
        self.in_no_job += usize::from(last.in_job == Some(false));
        match (last.gap, last.at, last.verification.as_deref()) {
            (true, None, _) => self.none += 1,
            (true, Some(_), _) => self.old += 1,
            (false, _, Some("failed")) => self.unverified += 1,
            (false, _, _) => self.fresh += 1,
        }
    }
}
