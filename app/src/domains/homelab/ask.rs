//! The button that asks about a thing on the board.

pub(super) use crate::dock::ask;
