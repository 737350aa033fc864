//! The chat: transcript, composer, and everything between them.

mod anchor;
mod announcer;
mod assist;
mod attach;
mod branching;
mod call_body;
mod calls;
mod carry;
mod composer;
mod confirm;
mod details;
pub(crate) mod draft;
mod follow_end;
mod fork;
mod grants;
mod model_bar;
mod new_conversation;
mod note_row;
mod open_conversation;
mod outcome;
mod own_call;
mod packs;
mod paging;
mod pending;
mod plan;
mod queue;
mod read_line;
mod read_receipts;
mod row;
mod running_turn;
mod share;
mod shared;
mod text_row;
mod thinking_row;
mod thinking_summary;
mod tier_chip;
mod tool_card;
mod tool_state;
mod trace;
mod turn_end;
mod turn_state;
mod user_row;
mod view;

pub(crate) use anchor::anchor;
#[cfg(feature = "hydrate")]
pub(crate) use calls::load_calls;
pub(crate) use calls::second_call;
pub(crate) use new_conversation::NewConversation;
pub(crate) use own_call::own_call;
#[cfg(feature = "hydrate")]
pub(crate) use shared::preload_shared;
pub(crate) use shared::{ApartPage, apart_view};
pub(crate) use view::ConversationView;
