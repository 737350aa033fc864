//! Details beside figures and charts: configuration, snapshots, backups, services, tasks.

use homelab_wire::{AboutPage, BackupEntry, ConfigEntry, ServiceEntry, SnapshotEntry, TaskPart};
use kit::format::{size, upright};
use leptos::prelude::*;
use protocol::Known;

use crate::{
    domains::homelab::ClusterObject,
    domains::homelab::{
        figure::{age, known},
        link::link,
        pieces::{chip, heading, nothing, reasons},
        tasks, texts,
    },
    panel_pieces::ago,
};

pub(super) fn sections(page: AboutPage) -> AnyView {
    let details = page.details.into_iter().map(|detail| {
        let value = known(&detail.value, |value| upright(value.clone()));
        view! {
            <div class="figures__entry">
                <dt>{detail.name}</dt>
                <dd>{value} {reason(&detail.value)}</dd>
            </div>
        }
    });
    let details: Vec<_> = details.collect();
    view! {
        <section class="hud__section" aria-labelledby="thing-details">
            {heading("thing-details", texts::things::DETAILS)}
            {(!details.is_empty())
                .then(|| view! { <dl class="figures figures--wide thing__details">{details}</dl> })}
            <p class="node-card__source">{texts::things::READ} {age(Some(page.at))}</p>
        </section>
        {section(
            "thing-backups",
            [texts::things::BACKUPS, texts::things::NO_BACKUPS],
            page.backups,
            page.backups_lack,
            backups,
        )}
        {section(
            "thing-snapshots",
            [texts::things::SNAPSHOTS, texts::things::NO_SNAPSHOTS],
            page.snapshots,
            Vec::new(),
            snapshots,
        )}
        {section(
            "thing-configuration",
            [texts::things::CONFIGURATION, texts::things::NO_CONFIGURATION],
            page.config,
            Vec::new(),
            config,
        )}
        {section(
            "thing-tasks",
            [texts::things::TASKS, texts::things::NO_KNOWN_TASKS],
            page.tasks,
            page.tasks_lack,
            task_list,
        )}
        {section(
            "thing-services",
            [texts::things::SERVICES, texts::things::NO_SERVICES],
            page.services,
            Vec::new(),
            services,
        )}
    }
    .into_any()
}

/// Returns the reason why a detail is unknown, for readers without a pointer to hover with.
fn reason<T>(value: &Known<T>) -> Option<String> {
    value
        .reason()
        .map(|reason| format!("({})", upright(reason.to_owned())))
}

/// Draws a list that may be unknown, empty or incomplete, with its name and what an empty one says;
/// nothing if it does not apply.
fn section<T>(
    id: &'static str,
    [name, empty]: [&'static str; 2],
    list: Option<Known<Vec<T>>>,
    lacks: Vec<String>,
    rows: fn(Vec<T>) -> AnyView,
) -> AnyView {
    let Some(list) = list else {
        return ().into_any();
    };
    let content = match list {
        Known::Unknown { unknown } => reasons(vec![texts::things::unknown(&upright(unknown))]),
        // An empty list that may lack rows is not evidence of anything.
        Known::Value(list) if list.is_empty() && lacks.is_empty() => nothing(empty),
        Known::Value(list) => rows(list),
    };
    let lacks = lacks.into_iter();
    let lacks = lacks.map(|lack| texts::things::may_be_incomplete(&upright(lack)));
    view! {
        <section class="hud__section" aria-labelledby=id>
            {heading(id, name)}
            {reasons(lacks.collect())}
            {content}
        </section>
    }
    .into_any()
}

/// Draws a table; the first cell of a row is its heading.
fn table(caption: &'static str, heads: &[&'static str], rows: Vec<AnyView>) -> AnyView {
    let heads = heads
        .iter()
        .map(|head| view! { <th scope="col">{*head}</th> });
    let heads: Vec<_> = heads.collect();
    view! {
        <div class="guests-scroll" tabindex="0" role="group" aria-label=caption>
            <table class="thing__table">
                <caption class="visually-hidden">{caption}</caption>
                <thead>
                    <tr>{heads}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn config(entries: Vec<ConfigEntry>) -> AnyView {
    let rows = entries.into_iter().map(|entry| {
        let value = match entry.value {
            Some(value) => view! { <code>{upright(value)}</code> }.into_any(),
            None => view! { <span class="none">{texts::things::MAY_BE_SECRET}</span> }.into_any(),
        };
        view! {
            <tr>
                <th scope="row">{upright(entry.key)}</th>
                <td class="thing__text">{value}</td>
            </tr>
        }
        .into_any()
    });
    table(
        texts::things::CONFIGURATION,
        &texts::things::CONFIGURATION_COLUMNS,
        rows.collect(),
    )
}

fn snapshots(entries: Vec<SnapshotEntry>) -> AnyView {
    let rows = entries.into_iter().map(|entry| {
        let memory = match entry.memory {
            Some(true) => texts::things::WITH_MEMORY,
            Some(false) => texts::things::DISKS_ONLY,
            None => texts::things::DISKS,
        };
        view! {
            <tr>
                <th scope="row">{upright(entry.name)}</th>
                <td class="guests__number">{ago(entry.at)}</td>
                <td>{memory}</td>
                <td>{entry.parent.map(upright)}</td>
                <td class="thing__text">{entry.text.map(upright)}</td>
            </tr>
        }
        .into_any()
    });
    table(
        texts::things::SNAPSHOTS,
        &texts::things::SNAPSHOT_COLUMNS,
        rows.collect(),
    )
}

fn backups(entries: Vec<BackupEntry>) -> AnyView {
    let rows = entries.into_iter().map(|entry| {
        let guest = entry
            .guest
            .map(|vmid| link(&ClusterObject::Guest(vmid), vmid.to_string()));
        let verification = entry.verification.map(|state| {
            let class = match state.as_str() {
                "ok" => "state state--good",
                "failed" => "state state--bad",
                _ => "state",
            };
            view! { <span class=class>{upright(state)}</span> }
        });
        view! {
            <tr>
                <th scope="row" class="guests__number">
                    {ago(entry.at)}
                </th>
                <td>{guest}</td>
                <td class="guests__number">{entry.size.map(size)}</td>
                <td>{upright(entry.storage)}</td>
                <td>
                    {verification}
                    {entry.protected.then(|| chip(texts::nodes::IS_PROTECTED))}
                </td>
                <td class="thing__text">
                    <code>{upright(entry.volume)}</code>
                    {entry.notes.map(|notes| format!(" {}", upright(notes)))}
                </td>
            </tr>
        }
        .into_any()
    });
    table(
        texts::things::BACKUPS,
        &texts::things::BACKUP_COLUMNS,
        rows.collect(),
    )
}

fn services(entries: Vec<ServiceEntry>) -> AnyView {
    let entries = entries.into_iter().map(|entry| {
        let state = known(&entry.state, |state| upright(state.clone()));
        let class = match entry.state.value().map(String::as_str) {
            Some("running" | "active" | "exited") => "state state--good",
            Some("failed") => "state state--bad",
            Some(_) => "state state--off",
            None => "state state--unknown",
        };
        view! {
            <li>
                {upright(entry.name)} " " <span class=class>{state}</span>
            </li>
        }
    });
    let entries: Vec<_> = entries.collect();
    view! { <ul class="services">{entries}</ul> }.into_any()
}

fn task_list(list: Vec<TaskPart>) -> AnyView {
    let lines = list.iter().map(tasks::line);
    let lines: Vec<_> = lines.collect();
    view! { <ul class="tasks tasks--wide">{lines}</ul> }.into_any()
}
