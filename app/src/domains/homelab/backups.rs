//! Backups, and the guests without a recent one.

use homelab_wire::{GuestPart, LastBackup};
use leptos::prelude::*;
use protocol::Known;

use super::{
    board::HudBoard,
    figure::{ago, unknown_because},
    link::link,
};
use crate::{domains::homelab::Thing, format::upright, ui::live_view};

pub(super) fn backups(board: &HudBoard) -> AnyView {
    let board = board.clone();
    live_view(move || overview(&board))
}

/// Guests by the state of their backups.
#[derive(Debug, Default, PartialEq)]
struct BackupCounts {
    fresh: usize,
    unknown: usize,
    /// Indices of those that need a person's attention, the worst first.
    odd: Vec<usize>,
}

fn overview(board: &HudBoard) -> AnyView {
    let Some(part) = board.backups() else {
        return ().into_any();
    };
    let guests = board.guests().all();
    let counts = counts(&guests);
    let hours = part.warning_hours;
    let known = counts.fresh + counts.odd.len();
    let line = match (guests.is_empty(), known) {
        (true, _) => "No known guests.".to_owned(),
        (false, 0) => "Backup status unknown.".to_owned(),
        (false, _) => format!(
            "{} of {} guests have a good backup from the last {hours} hours{}.",
            counts.fresh,
            known + counts.unknown,
            match counts.unknown {
                0 => String::new(),
                unknown => format!(", {unknown} unknown"),
            },
        ),
    };
    let lacks = part.lacks.into_iter().map(|lack| {
        let text = format!("Some backups may be missing here: {}.", upright(lack));
        view! { <li>{text}</li> }
    });
    let lacks: Vec<_> = lacks.collect();
    let odd = counts.odd.iter().filter_map(|at| guests.get(*at));
    let odd: Vec<_> = odd.map(|(_, guest)| entry(guest)).collect();
    let seen = board.reading("backups").and_then(|reading| {
        let at = reading.at?;
        let on = if part.storages.is_empty() {
            String::new()
        } else {
            format!(" on {}", upright(part.storages.join(", ")))
        };
        Some(view! {
            <p class="hud__source">
                {format!("{} backups{on}, seen ", part.count)} {ago(Some(at))} " · "
                <code>{upright(reading.source)}</code>
            </p>
        })
    });
    view! {
        {(!lacks.is_empty()).then(|| view! { <ul class="reasons">{lacks}</ul> })}
        <p class="backups__line">{line}</p>
        {(!odd.is_empty()).then(|| view! { <ul class="backups">{odd}</ul> })}
        {seen}
    }
    .into_any()
}

fn counts(guests: &[(String, GuestPart)]) -> BackupCounts {
    let mut counts = BackupCounts::default();
    for (at, (_, guest)) in guests.iter().enumerate() {
        match &guest.backup {
            None => {}
            Some(Known::Unknown { .. }) => counts.unknown += 1,
            Some(Known::Value(last)) if is_odd(last) => counts.odd.push(at),
            Some(Known::Value(_)) => counts.fresh += 1,
        }
    }
    counts.odd.sort_by_key(|at| {
        let last = guests[*at].1.backup.as_ref().and_then(Known::value);
        last.map(|last| (!last.gap, last.at))
    });
    counts
}

/// Returns whether a backup needs a person's attention.
fn is_odd(last: &LastBackup) -> bool {
    last.gap || last.verification.as_deref() == Some("failed")
}

fn entry(guest: &GuestPart) -> AnyView {
    let name = guest
        .name
        .clone()
        .unwrap_or_else(|| "without a name".to_owned());
    let place = format!(
        "{} {} on {}",
        guest.kind,
        guest.vmid,
        upright(guest.node.clone())
    );
    let last = guest.backup.as_ref().map(last_backup);
    let known = guest.backup.as_ref().and_then(Known::value);
    let in_job = known
        .filter(|last| last.in_job == Some(false))
        .map(|_| view! { <span class="chip">"in no backup job"</span> });
    view! {
        <li class="backups__entry">
            <span class="backups__name">{link(&Thing::Guest(guest.vmid), name)}</span>
            <span class="storage__place">{place}</span>
            <span class="backups__age">{last}</span>
            {in_job}
        </li>
    }
    .into_any()
}

/// Draws the age of a guest's newest backup.
pub(super) fn last_backup(last: &Known<LastBackup>) -> AnyView {
    let last = match last {
        Known::Value(last) => last,
        Known::Unknown { unknown } => return unknown_because(unknown),
    };
    let failed = (last.verification.as_deref() == Some("failed"))
        .then(|| view! { <span class="chip chip--bad">"verification failed"</span> });
    let age = match last.at {
        Some(at) => ago(Some(at)),
        None => "none".into_any(),
    };
    let class = if last.gap {
        "backup backup--gap"
    } else {
        "backup"
    };
    view! {
        <span class=class>{age}</span>
        {failed}
    }
    .into_any()
}
