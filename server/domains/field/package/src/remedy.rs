//! Remedies: a change with its undo, which a timer starts unless somebody keeps the change.
//!
//! The undo is computed from the change and never written beside it. The timer is armed, and has
//! reported so, before the change is made: whatever dies afterwards, the change goes away again.
//! All changes of the table need a capability that this version refuses, so none can run yet.

mod pair;
mod timer;

pub use self::{
    pair::{RemedyChange, RemedyPair, RemedyRefusal},
    timer::{RemedyEffect, RemedyInput, RemedyState, advance},
};

#[cfg(test)]
mod tests;
