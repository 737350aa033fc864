//! The pages of a proposal and a run.

use protocol::{DiffLine, LineChange, RiskReason, RiskSpan, RiskWeight};

use super::{AT, DEVICE, check, fact, offer, proposal, run};
use crate::{
    FieldProposalPage, FieldRiskReport, FieldRunEnd, FieldRunPage, FieldRunStep, PersonNote,
    ReportedStep,
};

#[test]
fn proposal_page() {
    let mut reason = RiskReason::new("over_60_s", RiskWeight::Note, "May take a minute.");
    reason.span = Some(RiskSpan {
        section: 0,
        line: 2,
    });
    let page = FieldProposalPage {
        proposal: proposal(),
        device: DEVICE.to_owned(),
        device_name: "meeting room".to_owned(),
        site_name: "Nordlicht office".to_owned(),
        version: 2,
        why: "Two machines answer for it.".to_owned(),
        expect: Some("One of them is silent.".to_owned()),
        made: AT,
        person: Some("Ada".to_owned()),
        yours: true,
        by_program: false,
        last_that_ran: Some(1),
        against: Some(1),
        lines: vec![DiffLine {
            change: LineChange::Added,
            text: "ping -c 4 ip-s1-n1.1".to_owned(),
        }],
        steps: vec!["ping ip-s1-n1.1".to_owned()],
        stop_on_failure: true,
        risk: FieldRiskReport {
            level: Some("medium".to_owned()),
            points: 4,
            persons: 1,
            reasons: vec![reason],
            refused: Some("Line 2: refused.".to_owned()),
            policy_version: 1,
            at: AT,
        },
        offers: vec![offer("run_script")],
        tokens: vec!["ip-s1-n1.1".to_owned()],
    };
    check("page_proposal", &page);
}

#[test]
fn run_page() {
    let end = FieldRunEnd {
        how: "exit 0".to_owned(),
        good: true,
        wall_ms: Some(4_012),
        cpu_ms: None,
        peak_bytes: Some(3_000_000),
        output_bytes: Some(412),
    };
    let step = FieldRunStep {
        number: 1,
        step: "ping ip-s1-n1.1".to_owned(),
        end: Some(ReportedStep {
            how: "exit 1".to_owned(),
            good: false,
            ms: Some(3_004),
        }),
        fields: vec![fact("loss", "50 %")],
        lacks: None,
        pieces: vec!["PING ".to_owned(), "ip-s1-n1.1".to_owned()],
        bytes: 412,
    };
    let page = FieldRunPage {
        run: run(),
        device_name: "meeting room".to_owned(),
        site_name: "Nordlicht office".to_owned(),
        claim_until: AT,
        sandbox: Some("systemd".to_owned()),
        end: Some(end.clone()),
        late: Some(end),
        reason: Some("the device: the key is another one".to_owned()),
        never_ran: true,
        resolution: Some("did_not_run".to_owned()),
        resolved: Some(PersonNote {
            by: "Ada".to_owned(),
            at: AT,
            reason: "Its log has no line of it.".to_owned(),
        }),
        could_not_tell: Some(PersonNote {
            by: "Bob".to_owned(),
            at: AT,
            reason: "The line is down.".to_owned(),
        }),
        results: vec![
            step.clone(),
            FieldRunStep {
                end: None,
                lacks: Some("still running".to_owned()),
                ..step
            },
        ],
        package: vec![fact("SHA-256", "00ff")],
        offers: vec![offer("cancel_run")],
    };
    check("page_run", &page);
}
