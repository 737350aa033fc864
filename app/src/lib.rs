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
mod browser;
mod channel;
mod chart;
mod chat;
mod clock;
mod conversation;
mod conversations;
mod dock;
mod feed;
mod finder;
mod format;
mod frame;
mod hud;
mod keys;
mod markdown_view;
mod names;
mod notify;
mod page;
mod reference;
mod route;
#[cfg(feature = "ssr")]
mod shell;
pub mod suggestions;
mod theme;
mod thing;
mod toast;
mod ui;
mod value;
mod wire;
mod words;

#[cfg(feature = "ssr")]
pub use api::frame_data;
pub use api::{ApiError, FrameData};
pub use app::App;
#[cfg(feature = "ssr")]
pub use assets::Assets;
#[cfg(feature = "ssr")]
pub use backend::{Backend, CurrentUser};
pub use frame::Arrived;
#[cfg(feature = "hydrate")]
pub use page::load_code;
#[cfg(feature = "ssr")]
pub use shell::shell;
#[cfg(feature = "ssr")]
pub use theme::theme_name;
