//! Preview of an order, from the cluster's current state.

use agent::ports::Preview;
use protocol::{Assurance, ErrorBody, ErrorCode, Fact, RiskReason, RiskWeight};
use serde_json::{Value, json};

use super::{
    act::{is_managed, state},
    backup::{BACKUP_PATIENCE, GuestBackup, capital, newest_backup},
    order::{PowerOrder, Verb, guest},
};
use crate::{
    api::EntryKind,
    cluster_access::{ClusterAccess, NodeEntry},
    guest_state::{counts, has_process},
    own_state,
    rights::Rights,
    texts,
    time::{rfc3339, rough},
    wire::{GuestStatus, ResourceRow, is_guest},
};

/// Tolerance in seconds between two estimates of the same start.
const SAME_START: i64 = 10;
/// Limit on remembered starts; no cluster has so many guests.
const MAX_STARTS: usize = 10_000;

/// Previews an order; an error says why it cannot be carried out.
pub(crate) async fn preview(
    access: &ClusterAccess,
    order: &PowerOrder,
) -> Result<Preview, ErrorBody> {
    let (nodes, rows, rights) =
        futures::join!(access.nodes(), access.resources(), access.api.rights());
    let nodes = nodes.map_err(|error| error.body())?;
    let rows = rows.map_err(|error| error.body())?;
    let node = place(order, &nodes, &rows, &rights)?;
    let path = format!("/vms/{}", order.vmid);
    for privilege in ["VM.Audit", "VM.PowerMgmt"] {
        if let Some(reason) = rights.lacks(&path, &[privilege]) {
            return Err(ErrorBody::new(
                ErrorCode::ToolPermission,
                format!("{}.", capital(&reason)),
            )
            .with_help(texts::power::grant_the_privilege(privilege, &path)));
        }
    }
    let (status, config, backup, rows) = futures::join!(
        access.api.guest_status(&order.node, order.kind, order.vmid),
        access.api.guest_config(&order.node, order.kind, order.vmid),
        newest_backup(access, order, node, &rights),
        own_state::with_words(&access.api, rows, BACKUP_PATIENCE),
    );
    let status = status.map_err(|error| error.body())?;
    let guest = order.guest(status.name.as_deref());
    sensible(order, &guest, &status)?;

    let mut facts = vec![fact(texts::STATE_NOW, state(&status))];
    let since = running_since(access, order, &status);
    if let (Some(since), Some(uptime)) = (since, status.uptime) {
        facts.push(fact(
            texts::RUNNING_SINCE,
            format!("{}, for {}", rfc3339(since), rough(uptime)),
        ));
    }
    if status.is_paused() && order.verb != Verb::Start {
        facts.push(fact("Note", texts::power::PAUSED_VM_IGNORES_SHUTDOWN));
    }
    facts.push(fact(texts::HIGH_AVAILABILITY, managed(&status)));
    if let Some(lock) = &status.lock {
        facts.push(fact("Lock", lock.clone()));
    }
    facts.push(fact(
        texts::power::STARTS_WITH_ITS_NODE,
        match config {
            Ok(config) if config.onboot == Some(true) => "yes".to_owned(),
            Ok(_) => "no".to_owned(),
            Err(error) => format!("unknown: {error}"),
        },
    ));
    facts.push(fact(
        texts::power::OTHER_GUESTS_ON_NODE,
        neighbours(order, &rows),
    ));
    if let Some(tags) = status.tags.as_deref() {
        facts.push(fact("Tags", tags.replace(';', ", ")));
    }
    let risks = risks(order, &status, backup.as_ref());
    if let Some(backup) = backup {
        facts.push(fact(texts::power::NEWEST_BACKUP, backup.text()));
    }

    Ok(Preview {
        facts,
        risks,
        irreversible: order
            .hard
            .then(|| texts::power::UNSAVED_DATA_IS_LOST.to_owned()),
        assurance: match (order.verb, order.hard) {
            (Verb::Start, _) => Assurance::Press,
            (_, false) => Assurance::Hold,
            (_, true) => Assurance::Type {
                word: word(order, status.name.as_deref()),
            },
        },
        state: digest_state(&status, since),
        said: &["node", "vmid"],
        ..Preview::new(
            sentence(order, &guest),
            format!("{guest} on node {}", order.node),
        )
    })
}

/// Tags of guests that matter most.
const CRITICAL: [&str; 5] = ["critical", "essential", "important", "prod", "production"];
/// Tags of guests that others depend on.
const SERVES: [&str; 16] = [
    "auth", "database", "db", "dhcp", "dns", "firewall", "gateway", "ldap", "mqtt", "nas", "nfs",
    "proxy", "router", "smb", "storage", "vpn",
];

/// The things to know before a guest is stopped or restarted.
fn risks(
    order: &PowerOrder,
    status: &GuestStatus,
    backup: Option<&GuestBackup>,
) -> Vec<RiskReason> {
    if order.verb == Verb::Start {
        return Vec::new();
    }
    let mut risks = Vec::new();
    let tags = status.tags.as_deref().unwrap_or_default();
    let tagged = |list: &'static [&str]| {
        let tags = tags.split([';', ',', ' ']).filter(|tag| !tag.is_empty());
        let of_list = tags.filter(|tag| list.iter().any(|word| word.eq_ignore_ascii_case(tag)));
        of_list.collect::<Vec<_>>().join(", ")
    };
    let critical = tagged(&CRITICAL);
    if !critical.is_empty() {
        risks.push(RiskReason::new(
            "tag_critical",
            RiskWeight::Warning,
            texts::power::tagged(&critical),
        ));
    }
    let serves = tagged(&SERVES);
    if !serves.is_empty() {
        let reason = RiskReason::new(
            "tag_serves",
            RiskWeight::Warning,
            texts::power::tagged(&serves),
        );
        risks.push(reason.meaning(texts::power::OTHERS_MAY_DEPEND_ON_IT));
    }
    risks.extend(backup.map(GuestBackup::risk));
    if is_managed(status) {
        let reason = RiskReason::new(
            "ha_managed",
            RiskWeight::Note,
            texts::power::MANAGED_BY_HIGH_AVAILABILITY,
        );
        risks.push(reason.meaning(texts::power::CLUSTER_MANAGER_CARRIES_THIS_OUT));
    }
    risks
}

/// The state that must be unchanged when the order runs. A process id identifies one run of a VM
/// exactly. A container has none here, and its start is only an estimate, now minus its uptime,
/// which varies by a second or two; so [`running_since`] returns the same number for the same run.
fn digest_state(status: &GuestStatus, since: Option<i64>) -> Value {
    let run = match status.pid {
        Some(pid) => json!({ "pid": pid }),
        None => json!({ "since": since }),
    };
    json!({
        "status": status.status,
        "qmpstatus": status.qmpstatus,
        "lock": status.lock,
        "ha_managed": is_managed(status),
        "run": run,
    })
}

/// The start of the guest's current run, in Unix seconds: the first estimate, while new ones are
/// close to it. After a restart of the server the number may differ, and then the card asks again.
fn running_since(access: &ClusterAccess, order: &PowerOrder, status: &GuestStatus) -> Option<i64> {
    if !has_process(status.status.as_deref()) {
        return None;
    }
    let estimate = access.now() - status.uptime?;
    let mut starts = access
        .starts
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if starts.len() >= MAX_STARTS {
        starts.clear();
    }
    let told = starts.entry(order.vmid).or_insert(estimate);
    if (*told - estimate).abs() > SAME_START {
        *told = estimate;
    }
    Some(*told)
}

/// Verifies that the guest exists as the order names it; returns its node.
fn place<'a>(
    order: &PowerOrder,
    nodes: &'a [NodeEntry],
    rows: &[ResourceRow],
    rights: &Rights,
) -> Result<&'a NodeEntry, ErrorBody> {
    let wrong = |message: String| ErrorBody::new(ErrorCode::ToolInputInvalid, message);
    let Some(node) = nodes.iter().find(|node| node.name == order.node) else {
        let known: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
        return Err(wrong(texts::no_such_node(&order.node, &known.join(", "))));
    };
    let row = rows
        .iter()
        .filter(is_guest)
        .find(|row| row.vmid == Some(order.vmid.into()));
    if let Some(row) = row {
        let kind = match row.r#type.as_str() {
            "lxc" => EntryKind::Lxc,
            _ => EntryKind::Qemu,
        };
        let guest = guest(kind, order.vmid, row.name.as_deref());
        let on = row.node.as_deref().unwrap_or(texts::power::UNKNOWN_NODE);
        if kind != order.kind {
            let noun = match order.kind {
                EntryKind::Qemu => "VM",
                EntryKind::Lxc => "container",
            };
            return Err(wrong(texts::power::is_of_another_kind(&guest, on, noun)));
        }
        if on != order.node {
            return Err(wrong(texts::power::is_on_node_not_on(
                &guest,
                on,
                &order.node,
            )));
        }
    } else {
        let hidden = rights.lacks(&format!("/vms/{}", order.vmid), &["VM.Audit"]);
        return Err(match hidden {
            Some(reason) => ErrorBody::new(
                ErrorCode::ToolPermission,
                texts::power::guest_cannot_be_seen(order.vmid, &reason),
            ),
            None => wrong(texts::no_such_guest(order.vmid)),
        });
    }
    match node.silence() {
        Some(reason) => Err(ErrorBody::new(
            ErrorCode::ToolUnreachable,
            format!("{}.", capital(&reason)),
        )),
        None => Ok(node),
    }
}

/// Verifies that the order makes sense in the guest's state.
fn sensible(order: &PowerOrder, guest: &str, status: &GuestStatus) -> Result<(), ErrorBody> {
    let running = has_process(status.status.as_deref());
    let resumes = order.verb == Verb::Start && status.lock.as_deref() == Some("suspended");
    let problem = if status.template == Some(true) {
        Some(texts::power::is_a_template(guest))
    } else if order.verb == Verb::Start && running {
        Some(match state(status).as_str() {
            "running" => texts::power::runs_already(guest),
            other => texts::power::was_started_already(guest, other),
        })
    } else if order.verb != Verb::Start && status.status.as_deref() == Some("stopped") {
        Some(texts::power::is_stopped_already(guest))
    } else {
        match &status.lock {
            Some(lock) if !resumes => Some(texts::power::is_locked(guest, lock)),
            _ => None,
        }
    };
    problem.map_or(Ok(()), |message| {
        Err(ErrorBody::new(ErrorCode::ToolInputInvalid, message))
    })
}

fn sentence(order: &PowerOrder, guest: &str) -> String {
    let node = &order.node;
    match (order.verb, order.hard) {
        (Verb::Start, _) => texts::power::start_on_node(guest, node),
        (Verb::Stop, false) => texts::power::shut_down_on_node(guest, node),
        (Verb::Stop, true) => texts::power::force_off_on_node(guest, node),
        (Verb::Restart, false) => texts::power::restart_on_node(guest, node),
        (Verb::Restart, true) => texts::power::force_restart_on_node(guest, node),
    }
}

/// The word that a person has to type: the name, or the id if the name is hard to type.
fn word(order: &PowerOrder, name: Option<&str>) -> String {
    name.filter(|name| {
        (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic())
    })
    .map_or_else(|| order.vmid.to_string(), str::to_owned)
}

fn managed(status: &GuestStatus) -> String {
    match &status.ha {
        Some(ha) if ha.managed == Some(true) => match &ha.state {
            Some(state) => texts::power::managed_with_state(state),
            None => texts::power::MANAGED.to_owned(),
        },
        Some(_) => texts::NOT_MANAGED.to_owned(),
        None => "unknown".to_owned(),
    }
}

fn neighbours(order: &PowerOrder, rows: &[ResourceRow]) -> String {
    let others = rows.iter().filter(is_guest).filter(|row| {
        row.node.as_deref() == Some(&order.node) && row.vmid != Some(order.vmid.into())
    });
    let states: Vec<_> = others.map(ResourceRow::guest_state).collect();
    let counts = counts(states.iter().map(|state| state.value().map(String::as_str)));
    format!("{} ({} running)", counts.total, counts.running)
}

fn fact(label: &str, value: impl Into<String>) -> Fact {
    Fact {
        label: label.to_owned(),
        value: value.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_says_what_matters_and_nothing_else() {
        let old = GuestBackup::At {
            time: 0,
            age: "2 d".to_owned(),
            weight: RiskWeight::Note,
        };
        let older = GuestBackup::At {
            time: 0,
            age: "4 d".to_owned(),
            weight: RiskWeight::Warning,
        };
        let unknown = GuestBackup::Unknown("the storages did not answer in time".to_owned());
        let tags = |tags: &str| json!({ "tags": tags });
        let managed = |managed: u8| json!({ "ha": { "managed": managed, "state": "started" } });
        for (status, backup, expect) in [
            (json!({}), &old, " Backup is 2 d old"),
            (tags(""), &old, " Backup is 2 d old"),
            (tags("linux;media;proddy;db2"), &old, " Backup is 2 d old"),
            (managed(0), &old, " Backup is 2 d old"),
            (json!({}), &older, "!Backup is 4 d old"),
            (json!({}), &GuestBackup::None, "!No backup"),
            // An unknown age is not the same as no backup.
            (json!({}), &unknown, " Backup unknown"),
            (tags("dns"), &old, "!Tagged dns,  Backup is 2 d old"),
            (
                tags("linux;DNS;dhcp"),
                &old,
                "!Tagged DNS, dhcp,  Backup is 2 d old",
            ),
            (
                tags("critical"),
                &old,
                "!Tagged critical,  Backup is 2 d old",
            ),
            (
                tags("web;Production"),
                &old,
                "!Tagged Production,  Backup is 2 d old",
            ),
            (
                managed(1),
                &unknown,
                " Backup unknown,  Managed by high availability",
            ),
            (
                json!({ "tags": "prod;dns", "ha": { "managed": 1 } }),
                &GuestBackup::None,
                "!Tagged prod, !Tagged dns, !No backup,  Managed by high availability",
            ),
        ] {
            for verb in [Verb::Stop, Verb::Restart, Verb::Start] {
                let order = PowerOrder {
                    verb,
                    kind: EntryKind::Qemu,
                    node: "pve".to_owned(),
                    vmid: 101,
                    hard: false,
                };
                let read: GuestStatus = crate::lenient::row(&status).unwrap();
                // A start puts nothing at risk.
                let expect = if verb == Verb::Start { "" } else { expect };
                let risks = risks(&order, &read, Some(backup));
                let said: Vec<_> = risks
                    .iter()
                    .map(|risk| format!("{}{}", mark(risk.weight), risk.sentence))
                    .collect();
                assert_eq!(said.join(", "), expect, "{verb:?} {status} {backup:?}");
            }
        }
    }

    fn mark(weight: RiskWeight) -> char {
        match weight {
            RiskWeight::Good => '+',
            RiskWeight::Warning => '!',
            RiskWeight::Note | RiskWeight::Grave | RiskWeight::Unknown => ' ',
        }
    }
}
