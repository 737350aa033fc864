//! The board in the browser: a signal for each part.

use std::sync::Arc;

use field_wire::{FieldBundlePart, FieldDevicePart, FieldFreshness, FieldRunPart, FieldSitePart};
use kit::BoardParts;
use protocol::{BoardPart, Notice};

use super::address::BOARD;
use crate::board::{self, BoardShelves, DomainBoard};

/// A handle on the board. Clones refer to the same board.
#[derive(Clone, Default)]
pub(super) struct FieldShelf {
    pub(super) sites: BoardParts<FieldSitePart>,
    pub(super) devices: BoardParts<FieldDevicePart>,
    pub(super) runs: BoardParts<FieldRunPart>,
    pub(super) bundles: BoardParts<FieldBundlePart>,
    pub(super) freshness: BoardParts<FieldFreshness>,
    pub(super) notices: BoardParts<Notice>,
}

impl FieldShelf {
    /// Creates a board from a page's data; live from then on.
    pub(super) fn live(parts: Vec<BoardPart>) -> Self {
        let shelf = Self::default();
        board::fill(&shelf, parts);
        board::watch(BOARD, Arc::new(shelf.clone()));
        shelf
    }
}

impl DomainBoard for FieldShelf {
    fn shelves(&self) -> BoardShelves<'_> {
        vec![
            ("site", &self.sites),
            ("device", &self.devices),
            ("run", &self.runs),
            ("bundle", &self.bundles),
            ("field", &self.freshness),
            ("notice", &self.notices),
        ]
    }
}
