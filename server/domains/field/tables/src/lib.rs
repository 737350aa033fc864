#![doc = include_str!("../README.md")]

mod bundles;
mod collections;
mod columns;
mod conversations;
mod device_states;
mod devices;
mod enrolments;
mod error;
mod events;
mod history;
mod job_events;
mod job_logs;
mod jobs;
pub mod limits;
mod looks;
mod programs;
mod proposals;
mod requests;
mod sections;
mod sequences;
mod sessions;
mod sites;
mod vault;

use store::{DomainDatabase, Tables, TablesVersion};

pub use bundles::{BundleFilter, FieldBundle, NewBundle};
pub use collections::{CollectionPhase, CollectionRow, NewCollection};
pub use devices::{DeviceChange, DeviceEdit, DeviceReport, DeviceState, FieldDevice};
pub use enrolments::{Enrolled, Enrolment, NewDevice, NewEnrolment};
pub use error::FieldTablesError;
pub use events::{FieldEvent, FieldEventSubject, FieldEvents};
pub use history::{HistoryAction, HistoryRow};
pub use job_events::{JobEvent, JobEventKind, JobEvents};
pub use job_logs::{LogAppended, LogChunk, LogStream, LogTail};
pub use jobs::{
    CancelOutcome, ClaimMiss, ClaimOutcome, ClaimRequest, DueJob, DueKind, FinishOutcome,
    FinishedAs, JobClaim, JobFilter, JobOfCall, JobRecord, JobResolution, JobState, LateReport,
    NewJob, NotRunOutcome, QueueOutcome, RefuseOutcome, RenewOutcome, ResolveOutcome, StartOutcome,
    StartRequest,
};
pub use looks::{LookRecord, LookRequest};
pub use programs::{FailedUpdate, ReportedProgram, UpdateFault};
pub use proposals::{
    FieldProposal, NewProposal, NewVersion, PolicyCheck, ProposalForm, ProposalOutcome,
    ProposalVersion,
};
pub use requests::{ProgramRequest, RequestBegun};
pub use sections::{NewSection, SectionOutcome, SectionRecord};
pub use sequences::NextSequence;
pub use sessions::{NewDeviceSession, SessionCheck, SessionOpened};
pub use sites::{FieldSite, NewFieldSite, SiteChange, SiteRemoval};
pub use vault::{VaultRow, VaultSnapshot, VaultWrite};

/// Versions of the tables. A released one is never changed.
const VERSIONS: [TablesVersion; 13] = [
    TablesVersion {
        number: 1,
        name: "sites",
        sql: include_str!("../migrations/0001_sites.sql"),
    },
    TablesVersion {
        number: 2,
        name: "devices",
        sql: include_str!("../migrations/0002_devices.sql"),
    },
    TablesVersion {
        number: 3,
        name: "bundles",
        sql: include_str!("../migrations/0003_bundles.sql"),
    },
    TablesVersion {
        number: 4,
        name: "proposals",
        sql: include_str!("../migrations/0004_proposals.sql"),
    },
    TablesVersion {
        number: 5,
        name: "jobs",
        sql: include_str!("../migrations/0005_jobs.sql"),
    },
    TablesVersion {
        number: 6,
        name: "requests",
        sql: include_str!("../migrations/0006_requests.sql"),
    },
    TablesVersion {
        number: 7,
        name: "collections",
        sql: include_str!("../migrations/0007_collections.sql"),
    },
    TablesVersion {
        number: 8,
        name: "events",
        sql: include_str!("../migrations/0008_events.sql"),
    },
    TablesVersion {
        number: 9,
        name: "programs",
        sql: include_str!("../migrations/0009_programs.sql"),
    },
    TablesVersion {
        number: 10,
        name: "unresolved",
        sql: include_str!("../migrations/0010_unresolved.sql"),
    },
    TablesVersion {
        number: 11,
        name: "proposed",
        sql: include_str!("../migrations/0011_proposed.sql"),
    },
    TablesVersion {
        number: 12,
        name: "lacking",
        sql: include_str!("../migrations/0012_lacking.sql"),
    },
    TablesVersion {
        number: 13,
        name: "no originals",
        sql: include_str!("../migrations/0013_no_originals.sql"),
    },
];

/// The tables of the field domain on SQLite. Clones are the same database.
#[derive(Clone)]
pub struct FieldTables(Tables);

impl FieldTables {
    /// Opens them in the database of the server.
    ///
    /// # Errors
    /// See [`DomainDatabase::tables`].
    pub async fn open(database: impl Into<DomainDatabase>) -> Result<Self, FieldTablesError> {
        Ok(Self(database.into().tables("field", &VERSIONS).await?))
    }
}
