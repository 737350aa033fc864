//! Storage parts, with a shared storage listed once.

use homelab_wire::{StoragePart, TrendPart};
use protocol::Known;

use super::{amount, past, reported, silence, stamp};
use crate::{
    board::{
        seen::{SeenTasks, is_heard, row_key},
        trend::STEP,
    },
    error::ProxmoxError,
    texts,
    tools::storages,
    wire::ResourceRow,
};

/// The storage parts with their keys.
pub(super) fn parts(seen: &SeenTasks) -> Vec<(String, StoragePart)> {
    let rows = seen.overview.value().map_or(&[][..], Vec::as_slice);
    storages(rows)
        .into_iter()
        .filter_map(|row| part(seen, row))
        .collect()
}

fn part(seen: &SeenTasks, listed: &ResourceRow) -> Option<(String, StoragePart)> {
    let key = row_key(listed)?;
    let heard = is_heard(listed);
    let node = listed.node.clone().filter(|_| listed.shared != Some(true));
    let quiet = || {
        node.as_deref()
            .and_then(|node| silence(seen, node))
            .unwrap_or_else(|| texts::NOT_REPORTED_BY_ITS_NODE.to_owned())
    };
    let row = match seen.remembered.get(&key) {
        Some((_, row)) if !heard => row,
        _ => listed,
    };
    let figure = |value: Option<i64>| match amount(value) {
        None if !heard => Known::unknown(quiet()),
        value => reported(value),
    };
    let content = listed.content.as_deref().unwrap_or_default().split(',');
    let part = StoragePart {
        name: listed.storage.clone()?,
        kind: listed.plugintype.clone(),
        content: content
            .map(str::trim)
            .filter(|content| !content.is_empty())
            .map(str::to_owned)
            .collect(),
        state: if heard {
            Known::Value("available".to_owned())
        } else {
            Known::unknown(quiet())
        },
        used: figure(row.disk),
        total: figure(row.maxdisk),
        past: (!heard).then(|| past(seen, &key, quiet())),
        node,
    };
    Some((key, part))
}

/// The last week of a storage, once it was answered or refused.
pub(super) fn trend(seen: &SeenTasks, key: &str) -> Option<TrendPart> {
    let (node, reading) = seen.trends.get(key)?;
    let trouble = reading.trouble.as_ref().map(ProxmoxError::reason);
    let trend = reading.value();
    let name = key.rsplit('/').next().unwrap_or_default();
    let too_short = || trouble.unwrap_or_else(|| texts::board::SEEN_FOR_LESS_THAN_DAY.to_owned());
    Some(TrendPart {
        step: STEP.unsigned_abs(),
        used: trend.map(|trend| trend.used.clone()).unwrap_or_default(),
        per_day: match trend.and_then(|trend| trend.per_day) {
            Some(per_day) => Known::Value(per_day),
            None => Known::unknown(too_short()),
        },
        full_in: trend.and_then(|trend| trend.full_in),
        source: format!("GET /nodes/{node}/storage/{name}/rrddata"),
        at: reading.at().map(stamp),
    })
}
