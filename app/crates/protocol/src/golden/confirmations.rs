//! Snapshots of confirmations, decisions and grants.

use serde_json::json;

use super::{AT, call, golden, id};
use crate::{
    Assurance, Choice, Confirmation, DecidedVia, Decision, Fact, Grant, GrantLimit, GrantTerms,
    KillSwitch, Origin, OriginSource, SecondPerson, Tier, Timestamp, Verdict, WaitingCall,
};

pub(super) fn confirmation() -> Confirmation {
    Confirmation {
        revision: 2,
        digest: "5e".repeat(32),
        sentence: "Shut down VM 101 (nextcloud) on node pve.".to_owned(),
        target: "VM 101 (nextcloud) on node pve".to_owned(),
        tier: Tier::Red,
        input: json!({"node": "pve", "vmid": 101, "hard": true}),
        shown: None,
        original: Some(json!({"node": "pve", "vmid": 101})),
        facts: vec![Fact {
            label: "Running since".to_owned(),
            value: "12 days".to_owned(),
        }],
        origins: vec![Origin {
            path: "/vmid".to_owned(),
            value: "101".to_owned(),
            source: OriginSource::Tool {
                name: "get_vms".to_owned(),
            },
        }],
        risks: vec!["101 is not in your words.".to_owned()],
        risk: None,
        sections: Vec::new(),
        said: Vec::new(),
        reason: Some("It does not answer.".to_owned()),
        irreversible: Some("What was not saved is lost.".to_owned()),
        choices: vec![Choice {
            name: "hard".to_owned(),
            label: "Force off".to_owned(),
            detail: "Data may be lost.".to_owned(),
            chosen: true,
        }],
        editable: vec!["vmid".to_owned()],
        assurance: Assurance::Hold,
        grantable: false,
        grant_limit: None,
        expires: Timestamp(AT.0 + 600_000),
        changed: Some("The input was changed.".to_owned()),
        second: None,
    }
}

/// A confirmation that needs a second person.
pub(super) fn of_two() -> Confirmation {
    Confirmation {
        grant_limit: Some(GrantLimit {
            uses: 5,
            minutes: 60,
        }),
        second: Some(SecondPerson {
            asker: "Otto".to_owned(),
            why: "The policy names this tool.".to_owned(),
        }),
        ..confirmation()
    }
}

pub(super) fn grant() -> Grant {
    Grant {
        id: id("grt_01HF7YAT00000000000000000F"),
        tool: "restart_container".to_owned(),
        target: "container 200 (pihole) on node pve".to_owned(),
        sentence: "Restart container 200 (pihole) on node pve.".to_owned(),
        key: "0a".repeat(32),
        terms: terms(),
    }
}

fn terms() -> GrantTerms {
    GrantTerms {
        uses: 3,
        until: Timestamp(AT.0 + 3_600_000),
    }
}

pub(super) fn token() -> DecidedVia {
    DecidedVia::Token {
        id: "tok_0011223344556677".to_owned(),
    }
}

golden!(origin_source: OriginSource {
    OriginSource::User => "user": OriginSource::User,
    OriginSource::Configuration => "configuration": OriginSource::Configuration,
    OriginSource::Tool { .. } => "tool": OriginSource::Tool { name: "get_vms".to_owned() },
    OriginSource::Context => "context": OriginSource::Context,
    OriginSource::File => "file": OriginSource::File,
    OriginSource::Plan => "plan": OriginSource::Plan,
    OriginSource::Refusal { .. } => "refusal": OriginSource::Refusal {
        name: "restart_service".to_owned(),
    },
    OriginSource::Mapped { .. } => "mapped": OriginSource::Mapped { from: "nextcloud".to_owned() },
    OriginSource::Excluded => "excluded": OriginSource::Excluded,
    OriginSource::Person => "person": OriginSource::Person,
    OriginSource::Model => "model": OriginSource::Model,
    OriginSource::Unknown => "unknown": OriginSource::Unknown,
});

golden!(assurance: Assurance {
    Assurance::Press => "press": Assurance::Press,
    Assurance::Hold => "hold": Assurance::Hold,
    Assurance::Type { .. } => "type": Assurance::Type { word: "nextcloud".to_owned() },
    Assurance::Unknown => "unknown": Assurance::Unknown,
});

golden!(decision: Decision {
    Decision::Approve { .. } => "approve": Decision::Approve {
        grant: Some(terms()),
        word: None,
    },
    Decision::Deny { .. } => "deny": Decision::Deny { comment: Some("Not now.".to_owned()) },
    Decision::Unknown => "unknown": Decision::Unknown,
});

golden!(decided_via: DecidedVia {
    DecidedVia::Session { .. } => "session": DecidedVia::Session {
        id: "5e".repeat(8),
        began: "link".to_owned(),
        link_by: Some(id("usr_01HF7YAT00000000000000000H")),
    },
    DecidedVia::Token { .. } => "token": token(),
    DecidedVia::Unknown => "unknown": DecidedVia::Unknown,
});

golden!(verdict: Verdict {
    Verdict::Approved => "approved": Verdict::Approved,
    Verdict::Denied { .. } => "denied": Verdict::Denied { comment: Some("Not now.".to_owned()) },
    Verdict::Expired => "expired": Verdict::Expired,
    Verdict::Withdrawn => "withdrawn": Verdict::Withdrawn,
    Verdict::Unknown => "unknown": Verdict::Unknown,
});

#[test]
fn what_may_be_left_out_is() {
    let plain = Confirmation {
        original: None,
        reason: None,
        irreversible: None,
        changed: None,
        ..confirmation()
    };
    super::check("confirmation_plain", &plain);
    super::check("confirmation_of_two", &of_two());
    let shown = Confirmation {
        input: json!({ "to": "name-1" }),
        shown: Some(json!({ "to": "nextcloud" })),
        ..plain
    };
    super::check("confirmation_shown", &shown);
    super::check("kill_switch_never_set", &KillSwitch::default());
    let approve = |word| Decision::Approve { grant: None, word };
    super::check("decision_plain", &approve(None));
    super::check("decision_with_word", &approve(Some("nextcloud".to_owned())));
    super::check(
        "decision_without_comment",
        &Decision::Deny { comment: None },
    );
    super::check(
        "waiting_call",
        &WaitingCall {
            call: call(),
            sentence: confirmation().sentence,
            expires: AT,
        },
    );
}
