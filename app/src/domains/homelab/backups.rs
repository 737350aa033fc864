//! Backups: the last nights as cells, and how many guests they cover.

use homelab_wire::{BackupNight, LastBackup};
use kit::{PageClock, browser, format::upright, live, live_text, live_view};
use leptos::prelude::*;
use protocol::{Known, Timestamp};

use super::{
    board::HudBoard,
    figure::{unknown_because, utc},
    pieces::reasons,
    tally::{BackupTally, HudTally},
    texts,
};
use crate::{channel::Channel, panel_pieces::ago};

pub(super) fn backups(board: &HudBoard, tally: Memo<HudTally>) -> AnyView {
    let board = board.clone();
    live_view(move || overview(&board, &tally.read().backups))
}

fn overview(board: &HudBoard, counts: &BackupTally) -> AnyView {
    let Some(part) = board.backups() else {
        return ().into_any();
    };
    let lacks = part.lacks.iter();
    let lacks = lacks.map(|lack| texts::backups::may_be_missing(&upright(lack.clone())));
    let gaps = (counts.gaps() > 0).then(|| {
        let text = texts::backups::have_none_or_old(counts.none, counts.old);
        view! { <span class="level--high">{text}</span> }
    });
    let in_no_job = (counts.in_no_job > 0).then(|| {
        view! { <span>{texts::backups::in_no_job(counts.in_no_job)}</span> }
    });
    let unverified = (counts.unverified > 0).then(|| {
        let text = texts::backups::failed_verification(counts.unverified);
        view! { <span class="level--full">{text}</span> }
    });
    let seen = board.reading("backups").and_then(|reading| {
        let at = reading.at?;
        let seen = texts::backups::seen(part.count, &upright(part.storages.join(", ")));
        let source = upright(reading.source);
        Some(view! {
            <p class="pane__foot" title=source>
                {seen} {ago(Some(at))}
            </p>
        })
    });
    view! {
        {reasons(lacks.collect())}
        {cells(&part.nights)}
        <p class="nights__sentence">{sentence(counts, part.warning_hours)}</p>
        <p class="nights__facts">{gaps} {in_no_job} {unverified} {last_night(&part.nights)}</p>
        {seen}
    }
    .into_any()
}

/// Formats `15 of 21 guests have a good backup from the last 48 hours.`
fn sentence(counts: &BackupTally, hours: u32) -> String {
    let known = counts.fresh + counts.unverified + counts.gaps();
    match (known, counts.unknown) {
        (0, 0) => texts::backups::NO_GUESTS.to_owned(),
        (0, _) => texts::backups::STATUS_UNKNOWN.to_owned(),
        (_, unknown) => texts::backups::good(counts.fresh, known + unknown, hours, unknown),
    }
}

/// Draws a cell for each night.
fn cells(nights: &[BackupNight]) -> AnyView {
    let (Some(first), Some(last)) = (nights.first(), nights.last()) else {
        return ().into_any();
    };
    let clock = expect_context::<Channel>().clock;
    let cells = nights.iter().map(|night| {
        let (class, text) = verdict(night);
        let at = night.at;
        let title = live(move || format!("{}: {text}", date(clock, at)));
        let spoken = title.clone();
        view! { <li class=class title=title><span class="visually-hidden">{spoken}</span></li> }
    });
    let (from, to) = (first.at, last.at);
    view! {
        <ul class="nights" aria-label=texts::backups::BY_NIGHT>{cells.collect::<Vec<_>>()}</ul>
        <p class="nights__ends" aria-hidden="true">
            <span>{live_text(move || date(clock, from))}</span>
            <span>{live_text(move || date(clock, to))}</span>
        </p>
    }
    .into_any()
}

/// Returns the class and the words for a night.
fn verdict(night: &BackupNight) -> (&'static str, String) {
    let kept = texts::backups::of_night(night.kept);
    match (night.kept, night.unverified, night.failed) {
        (0, _, 0) => ("night", texts::backups::NONE_OF_NIGHT.to_owned()),
        (_, _, failed) if failed > 0 => (
            "night night--bad",
            texts::backups::of_night_failed(&kept, failed),
        ),
        (_, unverified, _) if unverified > 0 => {
            let text = texts::backups::of_night_unverified(&kept, unverified);
            ("night night--odd", text)
        }
        _ => ("night night--good", kept),
    }
}

/// Draws `Last night: 14 good, 1 failed.`
fn last_night(nights: &[BackupNight]) -> AnyView {
    let Some(last) = nights.last() else {
        return ().into_any();
    };
    let failed = (last.failed > 0).then(|| {
        view! { ", " <span class="level--full">{texts::backups::failed(last.failed)}</span> }
    });
    let good = last.kept.saturating_sub(last.unverified);
    view! { <span>{texts::backups::last_night(good)} {failed}</span> }.into_any()
}

/// Formats the day of a night: `7 Nov`. In UTC, as the server counts the nights.
fn date(clock: PageClock, at: Timestamp) -> String {
    // At noon it is the same day nearly everywhere.
    let noon = Timestamp(at.0 + 43_200_000);
    match clock.second() {
        Some(_) => browser::local_day(noon),
        None => utc(noon, true).chars().take(10).collect(),
    }
}

/// Draws the age of a guest's newest backup.
pub(super) fn last_backup(last: &Known<LastBackup>) -> AnyView {
    let last = match last {
        Known::Value(last) => last,
        Known::Unknown { unknown } => return unknown_because(unknown),
    };
    let failed = (last.verification.as_deref() == Some("failed")).then(
        || view! { <span class="chip chip--bad">{texts::backups::VERIFICATION_FAILED}</span> },
    );
    let age = match last.at {
        Some(at) => ago(Some(at)),
        None => texts::backups::NONE.into_any(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nights_and_guests_in_words() {
        let night = |kept, unverified, failed| BackupNight {
            at: Timestamp(0),
            kept,
            unverified,
            failed,
        };
        for (night, class, text) in [
            (night(0, 0, 0), "night", "no backup from this night"),
            (night(1, 0, 0), "night night--good", "1 backup"),
            (
                night(14, 1, 0),
                "night night--odd",
                "14 backups, 1 failed verification",
            ),
            (night(13, 1, 2), "night night--bad", "13 backups, 2 failed"),
        ] {
            assert_eq!(verdict(&night), (class, text.to_owned()));
        }
        let counts = BackupTally {
            fresh: 15,
            none: 4,
            old: 1,
            unknown: 1,
            ..BackupTally::default()
        };
        assert_eq!(
            sentence(&counts, 48),
            "15 of 21 guests have a good backup from the last 48 hours, 1 unknown."
        );
        assert_eq!(
            sentence(&BackupTally::default(), 48),
            "No guests to back up."
        );
    }
}
