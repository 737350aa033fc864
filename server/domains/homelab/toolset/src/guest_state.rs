//! State of a guest, decided in one place from Proxmox VE's two values for it, and counts by state.
//!
//! Proxmox VE's list of resources shows a paused VM as running, so the QMP status decides where it
//! is known. Templates are mentioned but never counted.

use serde::Serialize;

use crate::{
    out::KnownValue,
    texts,
    wire::{GuestRow, GuestStatus, ResourceRow},
};

pub(crate) const RUNNING: &str = "running";
pub(crate) const STOPPED: &str = "stopped";
pub(crate) const PAUSED: &str = "paused";
pub(crate) const TEMPLATE: &str = "template";

/// Returns `running`, `stopped`, `paused`, …, `template`, or the reason that the state is unknown.
/// `status` says only whether the guest's process exists; `qmp` is the QMP status, for VMs only.
pub(crate) fn state(
    status: Option<&str>,
    qmp: Option<&str>,
    template: Option<bool>,
) -> KnownValue<String> {
    match (template, status, qmp) {
        (Some(true), _, _) => KnownValue::Value(TEMPLATE.to_owned()),
        (_, None | Some("unknown"), _) => KnownValue::unknown(texts::ITS_NODE_SENDS_NO_STATISTICS),
        (_, Some(RUNNING), Some(qmp)) if qmp != RUNNING => KnownValue::Value(qmp.to_owned()),
        (_, Some(status), _) => KnownValue::Value(status.to_owned()),
    }
}

/// Returns whether a guest's process exists: it uses memory and has an uptime, even while paused.
pub(crate) fn has_process(status: Option<&str>) -> bool {
    status == Some(RUNNING)
}

impl GuestRow {
    pub(crate) fn state(&self) -> KnownValue<String> {
        state(
            self.status.as_deref(),
            self.qmpstatus.as_deref(),
            self.template,
        )
    }
}

impl GuestStatus {
    pub(crate) fn state(&self) -> KnownValue<String> {
        state(
            self.status.as_deref(),
            self.qmpstatus.as_deref(),
            self.template,
        )
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.state()
            .value()
            .is_some_and(|state| state.as_str() == PAUSED)
    }
}

impl ResourceRow {
    /// As accurate as [`crate::own_state`] has made the row: the list shows a paused VM as running.
    pub(crate) fn guest_state(&self) -> KnownValue<String> {
        state(
            self.status.as_deref(),
            self.qmpstatus.as_deref(),
            self.template,
        )
    }
}

/// Number of guests by state.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct StateCounts {
    pub total: usize,
    pub running: usize,
    pub stopped: usize,
    /// Paused, suspended and so on.
    #[serde(skip_serializing_if = "is_zero")]
    pub other: usize,
    #[serde(skip_serializing_if = "is_zero")]
    pub unknown: usize,
    /// Not in `total`: a template cannot run.
    #[serde(skip_serializing_if = "is_zero")]
    pub templates: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the form that serde calls"
)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Counts guests; `None` is a guest whose state is unknown.
pub(crate) fn counts<'a>(states: impl Iterator<Item = Option<&'a str>>) -> StateCounts {
    let mut counts = StateCounts::default();
    for state in states {
        match state {
            Some(TEMPLATE) => {
                counts.templates += 1;
                continue;
            }
            Some(RUNNING) => counts.running += 1,
            Some(STOPPED) => counts.stopped += 1,
            Some(_) => counts.other += 1,
            None => counts.unknown += 1,
        }
        counts.total += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_words_make_the_state() {
        let known = |state: &str| KnownValue::Value(state.to_owned());
        let silent = KnownValue::unknown("its node sends no statistics");
        for (status, qmp, template, expect) in [
            (Some("running"), None, None, known("running")),
            (Some("running"), Some("running"), None, known("running")),
            (Some("running"), Some("paused"), None, known("paused")),
            (Some("stopped"), Some("paused"), None, known("stopped")),
            (
                Some("stopped"),
                Some("stopped"),
                Some(false),
                known("stopped"),
            ),
            (Some("stopped"), None, Some(true), known("template")),
            (Some("unknown"), None, None, silent.clone()),
            (None, None, None, silent),
        ] {
            assert_eq!(state(status, qmp, template), expect);
        }
    }

    #[test]
    fn templates_are_no_guests() {
        let states = ["running", "paused", "stopped", "template"].map(Some);
        let counts = counts(states.into_iter().chain([None]));
        let expect = StateCounts {
            total: 4,
            running: 1,
            stopped: 1,
            other: 1,
            unknown: 1,
            templates: 1,
        };
        assert_eq!(counts, expect);
    }
}
