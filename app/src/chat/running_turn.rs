//! The running turn of a conversation, as the composer and its commands see it.

use leptos::prelude::*;

/// A running turn that can be stopped.
#[derive(Clone, Copy)]
pub(super) struct RunningTurn {
    pub(super) running: Signal<bool>,
    pub(super) stopping: Signal<bool>,
    /// True if it waits for a person's decision.
    pub(super) parked: Signal<bool>,
    pub(super) stop: Callback<()>,
}
