//! Reading boards and their parts.

use serde_json::Value;

use super::{FromJson, take_field};
use crate::{
    Acknowledged, BackupsPart, Barred, BoardPage, BoardPart, ClusterPart, GuestCounts, GuestPart,
    HistoryPart, Known, LastBackup, NodeCounts, NodePart, Notice, NoticeCount, Offer, OffersPart,
    Past, RaisedNotice, ReadingPart, StoragePart, TaskPart, TrendPart, struct_from_json,
};

struct_from_json!(BoardPart { key, value });
struct_from_json!(BoardPage {
    board,
    system,
    parts
});

impl<T: FromJson> FromJson for Known<T> {
    fn from_json(json: Value) -> Option<Self> {
        match json {
            Value::Object(mut map) if map.contains_key("unknown") => {
                let unknown = FromJson::from_json(take_field(&mut map, "unknown"))?;
                Some(Self::Unknown { unknown })
            }
            json => T::from_json(json).map(Self::Value),
        }
    }
}

struct_from_json!(ClusterPart {
    name,
    quorate,
    nodes,
    guests,
    guarded,
    storage_warning_percent,
    guests_lack,
    storages_lack,
    tasks_lack,
});
struct_from_json!(NodeCounts { total, online });
struct_from_json!(GuestCounts {
    total,
    running,
    silent
});
struct_from_json!(ReadingPart {
    source,
    at,
    trouble
});
struct_from_json!(Past { at, reason });
struct_from_json!(NodePart {
    name,
    role,
    protected,
    state,
    cpu_percent,
    threads,
    memory_used,
    memory_total,
    disk_used,
    disk_total,
    load,
    uptime,
    version,
    kernel,
    celsius,
    celsius_at,
    unsteady,
    source,
    at,
    past,
});
struct_from_json!(HistoryPart { step, cpu, memory });
struct_from_json!(GuestPart {
    vmid,
    kind,
    name,
    node,
    state,
    was,
    cpu_percent,
    cores,
    memory_used,
    memory_total,
    disk_used,
    disk_total,
    uptime,
    tags,
    lock,
    net_in,
    net_out,
    backup,
    past,
});
struct_from_json!(LastBackup {
    at,
    gap,
    verification,
    in_job
});
struct_from_json!(BackupsPart {
    warning_hours,
    count,
    storages,
    lacks
});
struct_from_json!(TrendPart {
    step,
    used,
    per_day,
    full_in,
    source,
    at
});
struct_from_json!(StoragePart {
    name,
    node,
    kind,
    content,
    state,
    used,
    total,
    past,
});
struct_from_json!(TaskPart {
    upid,
    kind,
    about,
    node,
    user,
    start,
    end,
    state,
    error,
    percent,
    line,
});
struct_from_json!(Notice {
    id,
    system,
    key,
    kind,
    grave,
    about,
    text,
    since,
    seen,
    acknowledged,
    ended,
});
struct_from_json!(Acknowledged { by, at });
struct_from_json!(NoticeCount { open, grave });
struct_from_json!(RaisedNotice { grave, text });
struct_from_json!(OffersPart { offers, barred });
struct_from_json!(Offer {
    tool,
    label,
    on,
    when,
    only,
    with
});
struct_from_json!(Barred { key, reason });
