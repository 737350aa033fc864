//! The store from outside, on databases of its own.

#![expect(clippy::unwrap_used, reason = "tests")]

mod audit;
mod feed;
mod feed_search;
mod journal;
mod links;
mod notices;
mod older;
mod pages;
mod prompts;
mod search;
mod spending;
mod tokens;
mod users;
