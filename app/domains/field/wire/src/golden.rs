//! One golden JSON snapshot per type: a changed snapshot is a changed protocol.
//!
//! Snapshots of released types never change, because old tabs contain them.

mod board;
mod keys;
mod pages;
mod scripts;

use protocol::{Fact, Offer, Timestamp};
use serde_json::json;

use crate::{FieldProposalRow, FieldRunPart};

protocol::golden_check!("golden/snapshots");

const AT: Timestamp = Timestamp(1_700_000_000_000);
const DEVICE: &str = "dev_00000000000000000000000001";
const PROPOSAL: &str = "pro_00000000000000000000000001";

fn fact(label: &str, value: &str) -> Fact {
    Fact {
        label: label.to_owned(),
        value: value.to_owned(),
    }
}

fn offer(tool: &str) -> Offer {
    Offer {
        tool: tool.to_owned(),
        label: "Collect diagnostics".to_owned(),
        on: "device".to_owned(),
        when: "online".to_owned(),
        only: Vec::new(),
        with: json!({ "device": DEVICE }),
    }
}

fn proposal() -> FieldProposalRow {
    FieldProposalRow {
        id: PROPOSAL.to_owned(),
        title: "Check the gateway".to_owned(),
        newest: 2,
        changed: AT,
    }
}

fn run() -> FieldRunPart {
    FieldRunPart {
        id: "run_00000000000000000000000001".to_owned(),
        device: DEVICE.to_owned(),
        site: "nordlicht".to_owned(),
        title: "Check the gateway".to_owned(),
        proposal: Some(PROPOSAL.to_owned()),
        version: Some(2),
        phase: "running".to_owned(),
        step: Some(1),
        steps: 3,
        output: 412,
        revision: 7,
        queued: AT,
        started: Some(AT),
        ..FieldRunPart::default()
    }
}
