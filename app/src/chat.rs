//! The chat: transcript, composer, and what stands between them.

mod announcer;
mod assist;
mod composer;
mod confirm;
pub(crate) mod draft;
mod grants;
mod new_conversation;
mod outcome;
mod own;
mod pending;
mod plan;
mod queue;
mod row;
mod stick;
mod text_row;
mod thinking_row;
mod tool_card;
mod tool_state;
mod turn_end;
mod turn_state;
mod user_row;
mod view;

pub(crate) use confirm::second_card;
pub(crate) use new_conversation::NewConversation;
pub(crate) use own::own_call;
pub(crate) use row::anchor;
pub(crate) use view::ConversationView;
