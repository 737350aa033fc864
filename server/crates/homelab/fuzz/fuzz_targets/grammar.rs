//! The grammar of SSH commands: whatever the bytes, they are refused or mean one thing.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| homelab_fuzz::check(text));
