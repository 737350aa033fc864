//! Actions that a page offers. The gate decides on an offered call as on every other.
//!
//! An offer's input is complete; a null in it is what a person has to say.

use protocol::Offer;
use serde_json::{Value, json};

use crate::{
    ports::{CRITICAL, DeviceStanding, KnownDevice, METERED, ProposalHead, RunRecord},
    texts::{pages as say, people},
};

/// Work for a device that is there to take it.
pub(super) fn of_device(device: &KnownDevice) -> Vec<Offer> {
    if device.standing != DeviceStanding::Adopted || !device.is_online {
        return Vec::new();
    }
    let probe = |step: Value| json!({ "device": device.id, "step": step });
    let probe = |label: &str, step| offer("run_probe", label, "device", probe(step));
    vec![
        offer(
            "collect_diagnostics",
            say::COLLECT,
            "device",
            json!({ "device": device.id }),
        ),
        probe(say::PROBE_LINKS, json!({ "run": "links" })),
        probe(say::PROBE_PING, json!({ "run": "ping", "target": null })),
    ]
}

/// Changes of a device's standing, for a person who may act.
pub(super) fn of_standing(device: &KnownDevice) -> Vec<Offer> {
    let on = |tool: &str, label: &str, with: Value| offer(tool, label, "device", with);
    let plain = json!({ "device": device.id });
    let with_reason = json!({ "device": device.id, "reason": null });
    let retire = |label: &str| on("retire_device", label, with_reason.clone());
    match device.standing {
        DeviceStanding::Waiting => {
            let fingerprint = json!({ "device": device.id, "fingerprint": device.fingerprint });
            vec![
                on("adopt_device", people::ADOPT, fingerprint),
                retire(people::REJECT),
            ]
        }
        DeviceStanding::Adopted => vec![
            on("suspend_device", people::SUSPEND, with_reason.clone()),
            retire(people::RETIRE),
        ],
        DeviceStanding::Suspended => vec![
            on("resume_device", people::RESUME, plain),
            retire(people::RETIRE),
        ],
        DeviceStanding::Retired => Vec::new(),
    }
}

/// Changes of what people say about a device that gets work, for a person who may act.
pub(super) fn of_words(device: &KnownDevice) -> Vec<Offer> {
    if !matches!(
        device.standing,
        DeviceStanding::Adopted | DeviceStanding::Suspended
    ) {
        return Vec::new();
    }
    let on = |label: &str, field: &str, value: Value| {
        let with = json!({ "device": device.id, field: value });
        offer("edit_device", label, "device", with)
    };
    // The field of the input has the name of the tag.
    let tag = |name: &str, [mark, unmark]: [&str; 2]| {
        let is_tagged = device.is_tagged(name);
        let label = if is_tagged { unmark } else { mark };
        on(label, name, json!(!is_tagged))
    };
    vec![
        on(people::RENAME, "name", Value::Null),
        tag(CRITICAL, [people::MARK_CRITICAL, people::UNMARK_CRITICAL]),
        tag(METERED, [people::MARK_METERED, people::UNMARK_METERED]),
    ]
}

/// The withdrawal of a token.
pub(super) fn of_enrolment(id: &str) -> Offer {
    let with = json!({ "enrolment": id });
    offer("withdraw_enrolment", people::WITHDRAW, "enrolment", with)
}

/// The run of a version, unless it is refused, and another check of it.
pub(super) fn of_version(head: &ProposalHead, version: u64, is_refused: bool) -> Vec<Offer> {
    let run = json!({ "proposal": head.id, "version": version, "device": head.device });
    let run = offer("run_script", &say::run_version(version), "proposal", run);
    let check = json!({ "of": head.id, "version": version, "device": head.device });
    let check = offer("check_script", say::CHECK_AGAIN, "proposal", check);
    let run = Some(run).filter(|_| !is_refused);
    run.into_iter().chain([check]).collect()
}

/// The cancellation of a run that is not over.
pub(super) fn of_run(run: &RunRecord) -> Vec<Offer> {
    if run.phase.is_over() {
        return Vec::new();
    }
    vec![offer(
        "cancel_run",
        say::CANCEL_RUN,
        "run",
        json!({ "run": run.id }),
    )]
}

fn offer(tool: &str, label: &str, on: &str, with: Value) -> Offer {
    Offer {
        tool: tool.to_owned(),
        label: label.to_owned(),
        on: on.to_owned(),
        when: String::new(),
        only: Vec::new(),
        with,
    }
}
