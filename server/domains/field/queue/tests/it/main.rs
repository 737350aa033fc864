//! Both machines against each other, over a network that loses, repeats and reorders.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

mod model;
mod table;
mod world;
