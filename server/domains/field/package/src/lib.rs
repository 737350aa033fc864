#![doc = include_str!("../README.md")]

pub mod abilities;
pub mod admission;
pub mod clock;
pub mod envelope;
pub mod fields;
pub mod hex;
pub mod ids;
pub mod keys;
pub mod levels;
pub mod manifest;
pub mod package;
pub mod policy;
pub mod readers;
pub mod release;
pub mod remedy;
pub mod root;
pub mod script;
pub mod sequence;
pub mod steps;
pub mod strict;
mod texts;
pub mod values;
