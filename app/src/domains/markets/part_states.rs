//! State of the parts that do more than show the page's state: the second symbol, the replay, the
//! conversations.

use leptos::prelude::*;
use markets_wire::{CandlesPage, ChartTalk, Symbol};

use super::drawing::Drawing;

/// The second symbol, and its candles.
#[derive(Clone, Copy)]
pub(super) struct Comparison {
    pub(super) chosen: RwSignal<Option<Symbol>>,
    /// Oldest first; none before they are loaded.
    pub(super) page: StoredValue<Option<CandlesPage>>,
    /// Number of the latest choice: answers to earlier ones are ignored.
    pub(super) choice: StoredValue<u32>,
    /// True while a load is in progress.
    pub(super) loads: StoredValue<bool>,
}

impl Comparison {
    pub(super) fn new() -> Self {
        Self {
            chosen: RwSignal::new(None),
            page: StoredValue::new(None),
            choice: StoredValue::new(0),
            loads: StoredValue::new(false),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplayState {
    Off,
    /// A person is choosing the bar.
    Choosing,
    /// Opening of the bar that was reached, in seconds since 1970.
    At(i64),
}

#[derive(Clone, Copy)]
pub(super) struct ChartReplay {
    pub(super) state: RwSignal<ReplayState>,
    pub(super) plays: RwSignal<bool>,
    /// Position in the list of speeds.
    pub(super) speed: RwSignal<usize>,
    /// Number of the latest run: earlier ones end.
    pub(super) run: StoredValue<u32>,
    /// The drawings by identifier as they were when it began: what came later is the person's own
    /// of now.
    pub(super) known: StoredValue<Vec<(String, Drawing)>>,
}

impl ChartReplay {
    pub(super) fn new() -> Self {
        Self {
            state: RwSignal::new(ReplayState::Off),
            plays: RwSignal::new(false),
            speed: RwSignal::new(0),
            run: StoredValue::new(0),
            known: StoredValue::new(Vec::new()),
        }
    }
}

/// The conversations about charts, as far as the page knows them.
#[derive(Clone, Copy)]
pub(super) struct ChartTalkList {
    /// Newest change first.
    pub(super) all: RwSignal<Vec<ChartTalk>>,
    /// True while those about other symbols are listed too.
    pub(super) is_whole: RwSignal<bool>,
    /// True if the new conversation in the dock was put there by the chart.
    pub(super) is_ours: StoredValue<bool>,
}

impl ChartTalkList {
    pub(super) fn new() -> Self {
        Self {
            all: RwSignal::new(Vec::new()),
            is_whole: RwSignal::new(false),
            is_ours: StoredValue::new(false),
        }
    }
}
