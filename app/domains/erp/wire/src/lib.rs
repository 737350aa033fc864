#![doc = include_str!("../README.md")]

mod board;
mod cell;
mod pages;

pub use board::{DocumentRow, DocumentsPart, DueWithin, ErpHealthPart, ShortageRow, ShortagesPart};
pub use cell::{DocumentCell, DocumentField};
pub use pages::{
    ChangedField, DocumentColumn, DocumentGlance, DocumentHistory, DocumentLedger, DocumentLinks,
    DocumentPage, DocumentSection, DocumentTable, GlanceList, HistoryEntry, OwnApprovals,
    WorkflowPlace,
};

#[cfg(test)]
mod golden;
