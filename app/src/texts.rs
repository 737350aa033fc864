//! The sentences for people of this crate, in one place: another language is another such module.

pub(crate) mod api;
pub(crate) mod assist;
pub(crate) mod branching;
pub(crate) mod calls;
pub(crate) mod chat;
pub(crate) mod common;
pub(crate) mod confirm;
pub(crate) mod details;
pub(crate) mod dock;
pub(crate) mod feed;
pub(crate) mod frame;
pub(crate) mod keys;
pub(crate) mod page;
pub(crate) mod palette;
pub(crate) mod panel_pieces;
pub(crate) mod share;
pub(crate) mod words;
