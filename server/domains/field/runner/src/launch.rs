//! The launcher: it has the rights and opens no connection, verifies each package again, and starts it once.

mod ask;
mod client;
mod fence;
mod jobs;
mod listen;
mod spool;
mod verified_time;

pub(crate) use self::{
    ask::{BUSY, OTHER_PROGRAM},
    verified_time::VerifiedTime,
};
pub use self::{
    ask::{
        FailedVersion, JobSums, LaunchAnswer, LaunchAsk, LaunchOrder, ProgramReport, StreamPieces,
        StreamTotal, UpdateOrder,
    },
    client::LauncherClient,
    jobs::Launcher,
    listen::serve,
};
