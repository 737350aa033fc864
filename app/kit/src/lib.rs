#![doc = include_str!("../README.md")]
#![expect(
    unreachable_pub,
    reason = "the macro for components makes what it generates public"
)]

mod board;
pub mod browser;
mod clock;
mod copy_button;
mod dated;
#[cfg(feature = "ssr")]
pub mod density;
mod error_card;
pub mod format;
mod icon;
mod line_path;
mod live;
mod markdown_view;
mod moment;
pub mod notify;
mod part;
mod rove;
mod scroll_table;
mod states;
mod texts;
pub mod theme;
mod toast;
mod value;
pub mod wire;

pub use board::{BoardParts, PartShelf};
pub use clock::PageClock;
pub use copy_button::CopyButton;
pub use dated::{dated, day_of};
pub use error_card::ErrorCard;
pub use icon::{Icon, icon};
pub use line_path::line_path;
pub use live::{Key, Live, each, effect, later, live, live_text, live_view, on, press};
pub use markdown_view::{Highlighter, Highlighting, Settled, block_view, code_lines};
pub use moment::Moment;
pub use part::{CodeLoading, CodePart, missing_code};
pub use rove::rove;
pub use states::{Failed, Loading, failed, loading};
pub use toast::{Toast, ToastContent, Toasts};
pub use value::{WordPaths, value_view};
