//! Reading what pages show.

use crate::{
    AboutPage, BackupEntry, Chart, ChartLine, ChartsPage, ConfigEntry, Detail, LogPage, PageAnswer,
    PageQuery, ServiceEntry, SnapshotEntry, struct_from_json,
};

struct_from_json!(PageQuery { kind, name, part });
struct_from_json!(PageAnswer { system, value });
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
