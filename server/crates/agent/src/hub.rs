//! What flows to the tabs: journal events after their commit, and what is being streamed.

mod conversation;
mod frame;
mod lists;
mod queue;

pub(crate) use conversation::{Drafted, Hub};
pub(crate) use lists::Lists;

pub use frame::Frame;
pub use queue::{Subscription, SubscriptionEnd};
