//! The toolset against the simulated cluster, over real HTTPS on loopback.

mod connection;
mod lab;
mod sign_in;
mod summary;
mod tools;
