//! Migrations are built into the crate: a new one must build it again.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
