//! The store from outside, on its own databases.

#![expect(clippy::unwrap_used, reason = "tests")]

mod audit;
mod branches;
mod conversations;
mod feed;
mod feed_search;
mod feed_viewer;
mod files;
mod journal;
mod links;
mod notices;
mod older;
mod pages;
mod prompts;
mod proxied;
mod requests;
mod search;
mod secrets;
mod shares;
mod spending;
mod subjects;
mod tables;
mod tokens;
mod tool_definitions;
mod two_persons;
mod users;
mod webhooks;
