#![doc = include_str!("../README.md")]

mod board;
mod cell;
mod pages;

pub use board::{DocumentRow, DocumentsPart, ErpHealthPart, ShortageRow, ShortagesPart};
pub use cell::{DocumentCell, DocumentField};
pub use pages::{
    ChangedField, DocumentColumn, DocumentHistory, DocumentLedger, DocumentLinks, DocumentPage,
    DocumentSection, DocumentTable, HistoryEntry, WorkflowPlace,
};

#[cfg(test)]
mod golden;
