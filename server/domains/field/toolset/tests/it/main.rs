//! The toolset of field devices on its ports in memory.

#![expect(clippy::unwrap_used, reason = "tests")]

mod attacks;
mod board;
mod cards;
mod conversation;
mod definitions;
mod edits;
mod hidden;
mod outcomes;
mod pages;
mod people;
mod risk;
mod sites;
mod stub;
mod tiers;
