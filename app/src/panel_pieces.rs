//! Pieces that pages of several domains are made of. Unlike those of the kit they know the channel, the chat
//! and the feed; like those they know no domain.

mod connection;
mod moments;
mod path_part;

pub(crate) use connection::{is_away, reconnect_button};
pub(crate) use moments::ago;
pub(crate) use path_part::decoded;
