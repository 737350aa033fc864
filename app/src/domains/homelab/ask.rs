//! From something on the board to a question about it.

pub(super) use crate::dock::ask;
