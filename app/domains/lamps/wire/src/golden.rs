//! One golden JSON snapshot per type: a changed snapshot is a changed protocol.

use protocol::{Offer, Timestamp};
use serde_json::json;

use crate::{HousePart, LampPart};

protocol::golden_check!("golden/snapshots");

#[test]
fn parts() {
    let offer = Offer {
        tool: "switch_lamp".to_owned(),
        label: "Switch on".to_owned(),
        on: "lamp".to_owned(),
        when: "off".to_owned(),
        only: Vec::new(),
        with: json!({ "state": "on" }),
    };
    check(
        "house",
        &HousePart {
            offers: vec![offer],
        },
    );
    check(
        "lamp",
        &LampPart {
            name: "hall".to_owned(),
            state: "on".to_owned(),
            switched: Some(Timestamp(1_700_000_000_000)),
        },
    );
}
