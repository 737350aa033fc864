#![doc = include_str!("../README.md")]

mod board;
mod pages;

pub use board::{
    BackupNight, BackupsPart, Barred, ClusterPart, GuestCounts, GuestPart, HistoryPart, LastBackup,
    NodeCounts, NodePart, OffersPart, Past, ReadingPart, StoragePart, TaskPart, TrendPart,
};
pub use pages::{
    AboutPage, BackupEntry, Chart, ChartLine, ChartsPage, ConfigEntry, Detail, LogPage,
    ServiceEntry, SnapshotEntry,
};

#[cfg(test)]
mod golden;
