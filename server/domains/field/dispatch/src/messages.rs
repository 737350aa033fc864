//! Requests and answers of the device API, with the members that go over the wire. Members that a
//! reader does not know are passed over: the API grows by addition.

mod answers;
mod bundles;
mod jobs;
mod sessions;

pub use self::{
    answers::{
        BundleProgress, ChallengeAnswer, DeviceWork, EnrolmentAnswer, GreetingAnswer,
        JobAnswerMessage, JournalAnswer, NextOffset, OpenedSession, StreamLengths,
    },
    bundles::{BundleMessage, DroppedMessage, SectionAnnouncement},
    jobs::{
        ClaimMessage, EndMessage, JournalEntryMessage, JournalReportMessage, LogPiece,
        RefuseMessage, RenewMessage, StartMessage, StreamSum,
    },
    sessions::{ChallengeMessage, EnrolMessage, HelloMessage, SessionMessage},
};
