#![doc = include_str!("../README.md")]

// The code that the derive macro generates refers to this crate as `::protocol`.
extern crate self as protocol;

mod board;
mod branch;
mod budget;
mod card;
mod choice;
mod code;
mod command;
mod confirmation;
mod conversation;
mod error;
mod event;
mod feed;
mod file;
mod frame;
mod from_json;
mod golden_check;
mod id;
mod known;
mod notice;
mod offered_tool;
mod pages;
mod prompt;
mod reference;
mod role;
mod search;
mod share;
mod stage;
mod status;
mod texts;
mod trace;
mod usage;

pub use board::{BoardPage, BoardPart};
pub use branch::{Effect, EffectOutcome, Fork, ForkWay};
pub use budget::{BudgetLimit, BudgetScope, Spending, Spent};
pub use card::{
    CardLink, CardRisk, CardSection, DiffLine, LineChange, RiskReason, RiskSpan, RiskWeight,
    TableColumn,
};
pub use choice::{Effort, ModelChoice, ModelClass, ModelMenu, ModelOption};
pub use code::{CodeBlock, CodeKind, CodeSpan, MAX_CODE_BLOCKS, MAX_CODE_BYTES};
pub use command::{Command, MAX_MESSAGE_BYTES, SentMessage};
pub use confirmation::{
    Assurance, Choice, Confirmation, DecidedVia, Decision, Fact, Grant, GrantLimit, GrantTerms,
    KillSwitch, MAX_COMMENT_BYTES, MAX_SECTIONS_BYTES, Origin, OriginSource, Resolution,
    SecondCall, SecondPerson, Verdict, WaitingCall,
};
pub use conversation::{
    Before, ConversationPage, ConversationSummary, Family, Folder, HistoryPage, HistoryPlace,
    MAX_FOLDER_CHARS, Mode, OwnCall, Shelf,
};
pub use error::{ErrorBody, ErrorCode};
pub use event::{
    BlockedReason, ContentBlock, Event, EventBody, StopReason, Tier, ToolOutcome, ToolOutput,
    TurnOutcome,
};
pub use feed::{FeedEntry, FeedFilter, FeedId, FeedKind, FeedPage, FeedPlace, FeedTone};
pub use file::{
    FileNote, MAX_FILE_NAME, MAX_IMAGE_BYTES, MAX_IMAGES, MAX_IMAGES_BYTES, MAX_TEXT_FILE_BYTES,
};
pub use frame::{
    BlockKind, ClientFrame, CloseCode, LiveBlockId, MAX_FRAME_BYTES, PROTOCOL_VERSION, ServerFrame,
    Topic,
};
pub use from_json::{FromJson, JsonReader, from_json_text, place_of};
#[doc(hidden)]
pub use golden_check::damaged;
// The macro, beside the trait of the same name.
pub use ::from_json::FromJson;
pub use id::{
    CallId, CommandId, ConversationId, GrantId, MessageId, NoticeId, ParseIdError, Seq, TabId,
    Timestamp, TurnId, UserId,
};
pub use known::Known;
pub use notice::{Acknowledged, Notice, NoticeCount, RaisedNotice};
pub use offered_tool::Offer;
pub use pages::{PageAnswer, PageQuery};
pub use prompt::{COMMANDS, MAX_PROMPT_BYTES, MAX_PROMPT_NAME, MAX_PROMPTS, Prompt};
pub use reference::{ASK_ALONG, MAX_REFERENCE_BYTES, MAX_REFERENCES, Name, Reference, SOURCE};
pub use role::Role;
pub use search::{SearchHit, SearchPage, SearchSpan};
pub use share::{MAX_SHARE_DAYS, MAX_SHARES, NewShare, Share, SharedBy};
pub use stage::{MAX_WORD_BYTES, Performed};
pub use status::{ModelStatus, Pack, Questions, Status, SystemStatus};
pub use trace::CallTrace;
pub use usage::{Cost, Usage};

#[cfg(test)]
mod golden;
