//! The package from the outside: as a server makes it, and as a device checks it.
#![expect(clippy::unwrap_used, reason = "tests")]

mod admission;
mod figures;
mod fixture;
mod malformed;
mod tampered;
mod tampering_table;
