//! Sentences for people and for the model.

pub(crate) mod admission;
pub(crate) mod clock;
pub(crate) mod documents;
pub(crate) mod keys;
pub(crate) mod levels;
pub(crate) mod policy;
pub(crate) mod readers;
pub(crate) mod releases;
pub(crate) mod remedies;
pub(crate) mod scripts;
pub(crate) mod steps;
