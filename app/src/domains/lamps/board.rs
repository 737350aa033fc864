//! The lamps' board in the browser: a signal for each part.

use std::sync::Arc;

use kit::BoardParts;
use lamps_wire::{HousePart, LampPart};
use protocol::{BoardPage, Notice};

use super::BOARD;
use crate::board::{self, BoardShelves, DomainBoard};

/// A handle on the board. Clones refer to the same board.
#[derive(Clone)]
pub(super) struct Board {
    pub(super) house: BoardParts<HousePart>,
    pub(super) lamps: BoardParts<LampPart>,
    pub(super) notices: BoardParts<Notice>,
}

impl Board {
    /// Creates a board from a page's data; live from then on.
    pub(super) fn live(page: BoardPage) -> Self {
        let parts = Self {
            house: BoardParts::default(),
            lamps: BoardParts::default(),
            notices: BoardParts::default(),
        };
        board::fill(&parts, page.parts);
        board::watch(BOARD, Arc::new(parts.clone()));
        parts
    }
}

impl DomainBoard for Board {
    fn shelves(&self) -> BoardShelves<'_> {
        vec![
            ("house", &self.house),
            ("lamp", &self.lamps),
            ("notice", &self.notices),
        ]
    }
}
