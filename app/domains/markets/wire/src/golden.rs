//! One golden JSON snapshot per type: a changed snapshot is a changed protocol.
//!
//! Snapshots of released types never change, because old tabs contain them.

mod alert;
mod board;
mod drawing;
mod instrument;
mod pages;

protocol::golden_check!("golden/snapshots");

const AT: &str = "2017-07-03T12:00:00Z";
const LATER: &str = "2017-07-04T12:00:00Z";
