#![doc = include_str!("../README.md")]
#![expect(
    unreachable_pub,
    reason = "the macros for components and server functions make what they generate public"
)]

mod api;
mod app;
#[cfg(feature = "ssr")]
mod assets;
mod attachment;
#[cfg(feature = "ssr")]
mod backend;
mod board;
mod channel;
mod chat;
mod conversation;
mod conversations;
mod dock;
mod domains;
mod feed;
mod finder;
mod frame;
mod keys;
mod layout;
mod names;
mod not_found;
mod page;
mod palette;
mod panel;
mod panel_pieces;
#[cfg(feature = "ssr")]
pub mod plain_pages;
mod reference;
mod route;
#[cfg(feature = "ssr")]
mod shell;
mod sidebar_item;
mod texts;
mod words;

#[cfg(feature = "ssr")]
pub use api::frame_data;
pub use api::{ApiError, FrameData};
#[cfg(feature = "hydrate")]
pub use app::load_code;
pub use app::{App, questions, tab};
#[cfg(feature = "ssr")]
pub use assets::{Assets, PanelScript};
#[cfg(feature = "ssr")]
pub use backend::{Backend, CurrentUser};
pub use frame::Arrived;
#[cfg(feature = "ssr")]
pub use route::conversation_path;
#[cfg(feature = "ssr")]
pub use shell::shell;
