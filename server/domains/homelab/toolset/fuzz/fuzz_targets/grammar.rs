//! Fuzz target of the SSH command grammar: any bytes are either refused or have one meaning.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| homelab_fuzz::check(text));
