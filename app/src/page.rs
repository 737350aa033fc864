//! Pages: one for each route.

mod chat;
mod home;
mod hud;
mod not_found;

pub(crate) use chat::{ChatPage, missing_conversation};
pub(crate) use home::HomePage;
pub(crate) use hud::HudPage;
pub(crate) use not_found::{NotFoundPage, NotFoundView};
