#![doc = include_str!("../README.md")]

mod agents;
mod changes;
mod claim;
mod clock;
mod dispatch;
mod enrolment;
mod error;
mod hello;
mod ids;
mod intake;
mod jobs;
mod keys;
mod known_packages;
mod limit_gaps;
mod logs;
pub mod messages;
mod open_bundles;
mod packaging;
mod people;
mod ports;
mod rates;
mod releases;
mod reported_program;
mod runners;
mod sessions;
mod signatures;
mod texts;
mod upkeep;
mod values;
mod vaults;
mod waiting;

pub use self::{
    agents::RunnerVersion,
    clock::{DispatchClock, SystemDispatchClock},
    dispatch::{
        Dispatch, DispatchError, DispatchParts, DispatchSettings, RunApprovers, StartBrake,
    },
    enrolment::{EnrolmentOrder, EnrolmentToken},
    error::{DispatchRefusal, RefusalClass},
    intake::{DiagnosticsOrder, DiagnosticsTaken, MAX_BUNDLE, MAX_SECTION, MAX_SECTIONS},
    keys::{
        KeyError, KeySummary, ReleaseOrder, RootOrder, SigningKeyState, SigningRole, draft_root,
        make_release, make_signing_key, publish_root, read_draft, root_documents, rotate_job_key,
        sign_draft,
    },
    packaging::JobOrder,
    ports::{
        BackendParts, ExportedBundle, ExportedSection, FieldBackend, LookRights, NewestFirst,
        OutputPiece, OutputPlace, OutputSince, RunFollower,
    },
    sessions::DeviceSession,
    upkeep::KeptSince,
    vaults::{CoverSource, CoveredText, ShownValue},
};
