//! Small parts that many components use.

mod copy_button;
mod dated;
mod error_card;
mod icon;
mod live;
mod moment;
mod part;

pub(crate) use copy_button::CopyButton;
pub(crate) use dated::dated;
pub(crate) use error_card::ErrorCard;
pub(crate) use icon::{Icon, icon};
pub(crate) use live::{Key, each, effect, later, live, live_text, live_view, on, press};
pub(crate) use moment::Moment;
pub(crate) use part::CodePart;
