//! Rules of the tree: dependencies, where domains are named, how things are called and worded.

#![expect(clippy::expect_used, reason = "helpers of tests")]

mod dependencies;
mod domain_rows;
mod domain_tables;
mod domains;
mod examples;
mod features;
mod language;
mod protocols;
mod routines;
mod style;
mod texts;
mod tidy;
mod tree;
