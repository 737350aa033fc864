//! JSON reading without `serde`'s generated code, as the browser does it.

use protocol::struct_from_json;

use crate::{
    AboutPage, BackupEntry, BackupNight, BackupsPart, Barred, Chart, ChartLine, ChartsPage,
    ClusterPart, ConfigEntry, Detail, GuestCounts, GuestPart, HistoryPart, LastBackup, LogPage,
    NodeCounts, NodePart, OffersPart, Past, ReadingPart, ServiceEntry, SnapshotEntry, StoragePart,
    TaskPart, TrendPart,
};

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
    io_wait_percent,
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
struct_from_json!(HistoryPart {
    step,
    cpu,
    memory,
    io_wait
});
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
    lacks,
    nights
});
struct_from_json!(BackupNight {
    at,
    kept,
    unverified,
    failed
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
struct_from_json!(OffersPart { offers, barred });
struct_from_json!(Barred { key, reason });
struct_from_json!(AboutPage {
    at,
    details,
    config,
    snapshots,
    backups,
    backups_lack,
    services,
    tasks,
    tasks_lack,
});
struct_from_json!(Detail { name, value });
struct_from_json!(ConfigEntry { key, value });
struct_from_json!(SnapshotEntry {
    name,
    at,
    text,
    parent,
    memory,
});
struct_from_json!(BackupEntry {
    volume,
    storage,
    guest,
    at,
    size,
    verification,
    protected,
    notes,
});
struct_from_json!(ServiceEntry { name, state });
struct_from_json!(ChartsPage {
    start,
    step,
    source,
    at,
    charts
});
struct_from_json!(Chart {
    name,
    unit,
    limit,
    lines
});
struct_from_json!(ChartLine { name, values });
struct_from_json!(LogPage {
    task,
    from,
    lines,
    more,
    at
});
