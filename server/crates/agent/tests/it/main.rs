//! The engine with scripted models: no network, no database, no sleeps.

mod commands;
mod crash;
mod faults;
mod live;
mod prompt;
mod tools;
mod turns;
mod world;
