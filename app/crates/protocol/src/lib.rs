#![doc = include_str!("../README.md")]

mod board;
mod budget;
mod calendar;
mod choice;
mod cluster;
mod code;
mod command;
mod confirmation;
mod conversation;
mod error;
mod event;
mod feed;
mod frame;
mod from_json;
mod id;
mod notice;
mod pages;
mod prompt;
mod reference;
mod role;
mod search;
mod status;
mod usage;

pub use board::{BoardPage, BoardPart};
pub use budget::{BudgetLimit, BudgetScope, Spending, Spent};
pub use calendar::civil_date;
pub use choice::{Effort, ModelChoice, ModelClass, ModelMenu, ModelOption};
pub use cluster::{
    BackupsPart, Barred, ClusterPart, GuestCounts, GuestPart, HistoryPart, Known, LastBackup,
    NodeCounts, NodePart, Offer, OffersPart, Past, ReadingPart, StoragePart, TaskPart, TrendPart,
};
pub use code::{CodeBlock, CodeKind, CodeSpan, MAX_CODE_BLOCKS, MAX_CODE_BYTES};
pub use command::{Command, MAX_MESSAGE_BYTES};
pub use confirmation::{
    Assurance, Choice, Confirmation, Decision, Fact, Grant, GrantLimit, GrantTerms, KillSwitch,
    MAX_COMMENT_BYTES, Origin, OriginSource, Resolution, SecondCall, SecondPerson, Verdict,
    WaitingCall,
};
pub use conversation::{
    Before, ConversationPage, ConversationSummary, HistoryPage, HistoryPlace, Mode, OwnCall, Shelf,
};
pub use error::{ErrorBody, ErrorCode};
pub use event::{
    BlockedReason, ContentBlock, Event, EventBody, StopReason, Tier, ToolOutcome, ToolOutput,
    TurnOutcome,
};
pub use feed::{FeedEntry, FeedFilter, FeedId, FeedKind, FeedPage, FeedPlace, FeedTone};
pub use frame::{
    BlockKind, ClientFrame, CloseCode, LiveBlockId, MAX_FRAME_BYTES, PROTOCOL_VERSION, ServerFrame,
    Topic,
};
pub use from_json::{FromJson, from_json_text, take_field};
pub use id::{
    CallId, CommandId, ConversationId, GrantId, MessageId, NoticeId, ParseIdError, Seq, Timestamp,
    TurnId, UserId,
};
pub use notice::{Acknowledged, Notice, NoticeCount, RaisedNotice};
pub use pages::{
    AboutPage, BackupEntry, Chart, ChartLine, ChartsPage, ConfigEntry, Detail, LogPage, PageAnswer,
    PageQuery, ServiceEntry, SnapshotEntry,
};
pub use prompt::{COMMANDS, MAX_PROMPT_BYTES, MAX_PROMPT_NAME, MAX_PROMPTS, Prompt};
pub use reference::{MAX_REFERENCE_BYTES, MAX_REFERENCES, Name, Reference};
pub use role::Role;
pub use search::{SearchHit, SearchPage, SearchSpan};
pub use status::{ModelStatus, Status, SystemStatus};
pub use usage::{Cost, Usage};

#[cfg(test)]
mod golden;
