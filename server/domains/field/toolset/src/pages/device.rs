//! The page of a device: its report, its sandboxes, and what came from it.

use field_package::abilities::{LevelAbilities, MemoryLimit, SandboxAbilities};
use field_package::levels::SandboxLevel;
use field_wire::{FieldDevicePage, FieldProposalRow, PersonNote, SandboxRow};
use protocol::{ErrorBody, UserId};

use super::{NEWEST, facts::report, offers, site_name};
use crate::{
    board::shown,
    card::grouped,
    parts::FieldParts,
    ports::{ProposalHead, RunFilter},
    real_script::tokens_in,
    texts::pages as say,
};

pub(super) async fn page(
    parts: &FieldParts,
    person: UserId,
    id: &str,
) -> Result<FieldDevicePage, ErrorBody> {
    let ports = &parts.ports;
    let known = parts.device(id);
    let retired = match &known {
        Ok(_) => None,
        Err(_) => ports.administration.retired(id).await?,
    };
    let note = retired.as_ref().map(|it| PersonNote {
        by: it.by.clone(),
        at: it.at,
        reason: it.reason.clone(),
    });
    let device = retired.map_or(known, |it| Ok(it.device))?;
    let filter = RunFilter {
        device: Some(device.id.clone()),
        limit: NEWEST,
        ..RunFilter::default()
    };
    let bundles = ports.bundles.bundles(id, NEWEST).await?;
    let runs = ports.runs.runs(&filter).await?;
    let proposals = ports.proposals.proposals(id, NEWEST).await?;
    let facts = report(&device.facts);
    let mut tokens: Vec<_> = facts.iter().flat_map(|it| tokens_in(&it.value)).collect();
    tokens.sort();
    tokens.dedup();
    let mut offers = offers::of_device(&device);
    if ports.administration.may_act(person).await {
        offers.extend(offers::of_words(&device));
        offers.extend(offers::of_standing(&device));
    }
    Ok(FieldDevicePage {
        retired: note,
        site_name: site_name(parts, &device.site),
        fingerprint: grouped(&device.fingerprint),
        sandboxes: device.abilities.as_ref().map_or_else(Vec::new, sandboxes),
        bundles: bundles.iter().map(shown::bundle).collect(),
        runs: runs.iter().map(shown::run).collect(),
        proposals: proposals.iter().map(row).collect(),
        offers,
        device: shown::device(&device),
        facts,
        tokens,
    })
}

/// A proposal in a list.
pub(super) fn row(head: &ProposalHead) -> FieldProposalRow {
    FieldProposalRow {
        id: head.id.clone(),
        title: head.title.clone(),
        newest: head.head,
        changed: head.changed,
    }
}

fn sandboxes(abilities: &SandboxAbilities) -> Vec<SandboxRow> {
    let levels = abilities.levels.iter();
    levels
        .map(|(level, abilities)| {
            let limits = limits(abilities);
            let named = |is: bool| {
                let limits = limits.iter().filter(move |limit| limit.enforced == is);
                limits.map(|limit| limit.name.to_owned()).collect()
            };
            SandboxRow {
                level: sandbox(*level).to_owned(),
                limits: named(true),
                lacks: named(false),
            }
        })
        .collect()
}

/// The word of a sandbox.
pub(super) fn sandbox(level: SandboxLevel) -> &'static str {
    match level {
        SandboxLevel::Bubblewrap => "bubblewrap",
        SandboxLevel::Systemd => "systemd",
        SandboxLevel::Podman => "podman",
        SandboxLevel::Nsjail => "nsjail",
    }
}

struct SandboxLimit {
    name: &'static str,
    enforced: bool,
}

fn limits(of: &LevelAbilities) -> Vec<SandboxLimit> {
    let limit = |name, enforced| SandboxLimit { name, enforced };
    vec![
        limit(say::MEMORY, of.memory != MemoryLimit::None),
        limit(say::CPU, of.cpu),
        limit(say::TASKS, of.tasks),
        limit(say::WORKSPACE, of.workspace),
        limit(say::NO_NETWORK, of.no_network),
        limit(say::LISTED_NETWORK, of.listed_network),
        limit(say::PACKET_SOCKETS, of.raw),
    ]
}
