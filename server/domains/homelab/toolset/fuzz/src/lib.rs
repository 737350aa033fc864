#![doc = include_str!("../README.md")]

use std::{ffi::OsStr, os::unix::ffi::OsStrExt, process::Command as Process, sync::LazyLock};

use homelab::ssh::grammar::parse_with_restart;

static ASK_SHELL: LazyLock<bool> =
    LazyLock::new(|| std::env::var_os("HOMELAB_FUZZ_SHELL").is_some());

/// Panics if a text is accepted but means something else to a shell, to the guard or to us.
pub fn check(text: &[u8]) {
    let Ok(command) = parse_with_restart(text) else {
        return;
    };
    same_words(text, &split(text));
    let sent = command.render();
    let again = parse_with_restart(&sent);
    assert_eq!(again.as_ref(), Ok(&command), "the guard reads it differently");
    assert_eq!(split(sent.as_bytes()), command.argv());
    same_words(sent.as_bytes(), command.argv());
}

/// Splits plain words as a shell would; panics on a byte that a shell interprets.
fn split(text: &[u8]) -> Vec<String> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" -_.,:/@".contains(byte);
    assert!(text.iter().all(plain), "{:?}", text.escape_ascii());
    let text = String::from_utf8_lossy(text);
    text.split(' ').map(str::to_owned).collect()
}

fn same_words(text: &[u8], expect: &[String]) {
    if !*ASK_SHELL {
        return;
    }
    let mut script = b"printf '%s\\0' ".to_vec();
    script.extend_from_slice(text);
    let output = Process::new("/bin/sh")
        .arg("-c")
        .arg(OsStr::from_bytes(&script))
        .env_clear()
        .output()
        .expect("a shell");
    let words = expect.iter().flat_map(|word| [word.as_bytes(), b"\0"]);
    assert_eq!(output.stdout, words.collect::<Vec<_>>().concat());
}
