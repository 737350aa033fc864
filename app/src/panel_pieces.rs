//! Pieces that pages of several domains are made of. Unlike those of the kit they know the channel, the chat
//! and the feed; like those they know no domain.

mod acknowledge;
mod acts;
mod acts_beside;
mod connection;
mod feed_calls;
mod moments;
mod notices;
mod own_calls;
mod path_part;

pub(crate) use acknowledge::AcknowledgeButton;
pub(crate) use acts::PageActs;
pub(crate) use acts_beside::{ActsBeside, WHY_NOT};
pub(crate) use connection::{is_away, reconnect_button};
pub(crate) use feed_calls::{call_list, query_of_calls, query_of_calls_on};
pub(crate) use moments::{ago, ago_in_words, date_and_time, moment};
pub(crate) use notices::open_notices;
pub(crate) use own_calls::PageCalls;
pub(crate) use path_part::decoded;
