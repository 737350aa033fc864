//! The command line of a field device.
#![cfg_attr(
    not(target_os = "linux"),
    allow(unused, reason = "this program is for Linux")
)]

#[cfg(target_os = "linux")]
mod commands;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    commands::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {}
