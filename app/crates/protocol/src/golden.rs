//! One golden JSON snapshot per variant: a changed snapshot is a changed protocol.
//!
//! A variant without a sample does not compile. Snapshots of released variants never change,
//! because old tabs and old journals contain them.

mod boards;
mod card;
mod choice;
mod confirmations;
mod events;
mod feed;
mod frames;
mod ids;
mod pages;
mod search;
mod starts;
mod unknown;
mod words;

use std::str::FromStr;

use crate::{
    CallId, CommandId, ConversationId, ErrorBody, ErrorCode, MessageId, NoticeId, TabId, Timestamp,
    TurnId, Usage,
};

/// Defines a test with a sample of each variant: its pattern, the name of its snapshot, a value.
macro_rules! golden {
    ($test:ident: $type:ty { $($pattern:pat => $name:literal: $sample:expr,)* }) => {
        #[test]
        fn $test() {
            // Without a wildcard, so that a new variant needs a line.
            let name = |value: &$type| match value {
                $($pattern => $name,)*
            };
            $(
                let sample: $type = $sample;
                assert_eq!(name(&sample), $name, "the sample is of another variant");
                super::check(concat!(stringify!($test), "_", $name), &sample);
            )*
        }
    };
}
use golden;

crate::golden_check!("golden/snapshots");

const AT: Timestamp = Timestamp(1_700_000_000_000);

fn id<T: FromStr<Err = crate::ParseIdError>>(text: &str) -> T {
    text.parse().unwrap()
}

fn conversation() -> ConversationId {
    id("cnv_01HF7YAT00000000000000000A")
}

fn turn() -> TurnId {
    id("trn_01HF7YAT00000000000000000B")
}

fn message() -> MessageId {
    id("msg_01HF7YAT00000000000000000C")
}

fn call() -> CallId {
    id("call_01HF7YAT00000000000000000D")
}

fn command() -> CommandId {
    id("cmd_01HF7YAT00000000000000000E")
}

fn tab() -> TabId {
    id("tab_01HF7YAT00000000000000000G")
}

fn notice() -> NoticeId {
    id("ntc_01HF7YAT00000000000000000F")
}

fn usage() -> Usage {
    Usage {
        input: 12,
        output: 340,
        cache_read: 5600,
        cache_write: 78,
        estimated: false,
    }
}

fn error() -> ErrorBody {
    ErrorBody::new(ErrorCode::ModelOverloaded, "The model is overloaded.")
        .with_help("Try again in a minute.")
}
