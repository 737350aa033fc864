//! One golden JSON snapshot a type: a changed snapshot is a changed protocol.
//!
//! Snapshots of what was released are never changed; old tabs hold them.

mod board;
mod pages;

use protocol::Timestamp;

protocol::golden_check!("golden/snapshots");

const AT: Timestamp = Timestamp(1_700_000_000_000);
