//! Sentences for people and for the model.

pub(crate) mod board;
pub(crate) mod cancel;
pub(crate) mod card;
pub(crate) mod collect;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod faults;
pub(crate) mod findings;
pub(crate) mod happenings;
pub(crate) mod pages;
pub(crate) mod people;
pub(crate) mod propose;
pub(crate) mod results;
pub(crate) mod scripts;
pub(crate) mod shape;
pub(crate) mod tools;
pub(crate) mod waiting;
