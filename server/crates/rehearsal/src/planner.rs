//! Plans from rules.
use crate::{reply::Block, request::Request};
pub(crate) fn answer(_request: &Request) -> Vec<Block> {
    vec![Block::thinking("hm"), Block::text("Good day, sir.")]
}
pub(crate) fn newest_words(_request: &Request) -> String {
    String::new()
}
