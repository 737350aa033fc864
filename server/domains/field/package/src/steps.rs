//! Typed steps: the object, the table of rows that give it its meaning, and its arguments.
//!
//! A step names a row and fills the row's slots. Nothing else decides what runs: the row has the
//! program, all its options, the bounds of the values and the cost.

mod accept;
mod contact;
mod object;
mod row;
mod rows;
mod words;

pub use self::{
    accept::{AcceptedStep, StepRefusal, accept},
    contact::{ContactProtocol, ContactTarget, StepContact},
    object::{AddressFamily, CaptureFilter, ProbeStep, QueryType, RowName, StepSlot},
    row::{RowClass, StepRow},
    rows::{ROWS, row},
    words::{StepWord, read_words},
};

#[cfg(test)]
mod readings;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use self::tests::any_step;
