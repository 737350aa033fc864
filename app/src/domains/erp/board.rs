//! The ERP's board in the browser: a signal for each part.

use std::sync::Arc;

use erp_wire::{DocumentsPart, ErpHealthPart, ShortagesPart};
use kit::BoardParts;
use leptos::prelude::*;
use protocol::{BoardPage, Notice, SystemStatus};

use super::BOARD;
use crate::board::{self, BoardShelves, DomainBoard};

/// A handle on the board. Clones refer to the same board.
#[derive(Clone)]
pub(super) struct ErpParts {
    pub(super) system: SystemStatus,
    pub(super) approvals: BoardParts<DocumentsPart>,
    pub(super) receivables: BoardParts<DocumentsPart>,
    pub(super) payables: BoardParts<DocumentsPart>,
    pub(super) deliveries: BoardParts<DocumentsPart>,
    /// By type.
    pub(super) drafts: BoardParts<DocumentsPart>,
    pub(super) shortages: BoardParts<ShortagesPart>,
    pub(super) health: BoardParts<ErpHealthPart>,
    pub(super) notices: BoardParts<Notice>,
}

impl ErpParts {
    /// Creates a board from a page's data; live from then on.
    pub(super) fn live(page: BoardPage) -> Self {
        let parts = Self {
            system: page.system,
            approvals: BoardParts::default(),
            receivables: BoardParts::default(),
            payables: BoardParts::default(),
            deliveries: BoardParts::default(),
            drafts: BoardParts::default(),
            shortages: BoardParts::default(),
            health: BoardParts::default(),
            notices: BoardParts::default(),
        };
        board::fill(&parts, page.parts);
        board::watch(BOARD, Arc::new(parts.clone()));
        parts
    }

    pub(super) fn health(&self) -> Option<ErpHealthPart> {
        self.health.get("").map(|part| part.get())
    }
}

impl DomainBoard for ErpParts {
    fn shelves(&self) -> BoardShelves<'_> {
        vec![
            ("approvals", &self.approvals),
            ("receivables", &self.receivables),
            ("payables", &self.payables),
            ("deliveries", &self.deliveries),
            ("drafts", &self.drafts),
            ("shortages", &self.shortages),
            ("health", &self.health),
            ("notice", &self.notices),
        ]
    }
}
