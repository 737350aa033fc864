//! The frames for the tabs: journal events after their commit, and the answer as it streams.

mod boards;
mod conversation;
mod frame;
mod lists;
mod names;
mod queue;

pub(crate) use boards::{Boards, LiveBoards};
pub(crate) use conversation::Hub;
pub use frame::SharedFrame;
pub(crate) use lists::Lists;
pub(crate) use names::Names;
pub use queue::{Post, Subscription, SubscriptionEnd};
