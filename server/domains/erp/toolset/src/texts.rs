//! Sentences for people of this toolset in one place, so that another language is another such module.

pub(crate) mod acting;
pub(crate) mod board;
pub(crate) mod check;
pub(crate) mod client;
pub(crate) mod conditions;
pub(crate) mod config;
pub(crate) mod draft;
pub(crate) mod happenings;
pub(crate) mod own_keys;
pub(crate) mod pages;
pub(crate) mod party;
pub(crate) mod reach;
pub(crate) mod readings;
pub(crate) mod refusals;
pub(crate) mod rules;
pub(crate) mod site;
pub(crate) mod site_check;
pub(crate) mod submit;
