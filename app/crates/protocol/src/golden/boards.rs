//! Boards, notices and offers.

use serde_json::json;

use super::{AT, check, notice as notice_id};
use crate::{Acknowledged, BoardPage, BoardPart, Known, Notice, Offer, SystemStatus};

pub(super) fn part() -> BoardPart {
    BoardPart {
        key: "greeting".to_owned(),
        value: json!({"text": "hello"}),
    }
}

#[test]
fn page() {
    let page = BoardPage {
        board: "homelab".to_owned(),
        system: SystemStatus {
            toolset: "homelab".to_owned(),
            name: "Home".to_owned(),
            simulated: true,
        },
        parts: vec![part()],
    };
    check("board_page", &page);
}

#[test]
fn known() {
    check("known_value", &Known::Value(7_u32));
    check("known_reason", &Known::<u32>::unknown("not reported"));
}

#[test]
fn notice() {
    let notice = Notice {
        id: notice_id(),
        system: "homelab".to_owned(),
        key: "node/agent1/down".to_owned(),
        kind: "node_down".to_owned(),
        grave: true,
        about: "node agent1".to_owned(),
        text: "Node agent1 is offline.".to_owned(),
        since: AT,
        seen: AT,
        acknowledged: Some(Acknowledged {
            by: "Ada".to_owned(),
            at: AT,
        }),
        ended: Some(AT),
    };
    check("board_notice", &notice);
    let fresh = Notice {
        acknowledged: None,
        ended: None,
        ..notice
    };
    check("board_notice_fresh", &fresh);
}

#[test]
fn offer() {
    let offer = Offer {
        tool: "restart_service".to_owned(),
        label: "Restart pveproxy".to_owned(),
        on: "node".to_owned(),
        when: "online".to_owned(),
        only: vec!["pve".to_owned()],
        with: json!({"service": "pveproxy"}),
    };
    check("offer", &offer);
}
