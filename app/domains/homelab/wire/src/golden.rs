//! One golden JSON snapshot per type: a changed snapshot is a changed protocol.
//!
//! Snapshots of released types never change, because old tabs contain them.

mod board;
mod pages;

use protocol::Timestamp;

protocol::golden_check!("golden/snapshots");

const AT: Timestamp = Timestamp(1_700_000_000_000);
