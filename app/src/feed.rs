//! The feed: the activity log, newest first, live.

mod details;
mod filters;
mod list;
mod row;
mod scroll;
mod time;
mod view;

pub(crate) use view::feed_view;
