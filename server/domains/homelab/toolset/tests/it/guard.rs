//! The guard as a process: its limits.

use std::{
    fs,
    os::unix::{fs::PermissionsExt, net::UnixDatagram},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Runs the guard with a stand-in for `uptime`; returns exit code, output and errors.
fn guard(script: &str, flags: &[&str]) -> (i32, String, String) {
    asked("uptime", script, flags)
}

/// The same for any command.
fn asked(command: &str, script: &str, flags: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("usr/bin/uptime");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_node-guard"))
        .arg("--root")
        .arg(folder.path())
        .args(flags)
        .env("SSH_ORIGINAL_COMMAND", command)
        .env("SSH_CONNECTION", "10.0.0.5 50022 10.0.0.2 22")
        .env("LD_LIBRARY_PATH", "/evil")
        .stdin(Stdio::piped())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn the_program_s_end_is_the_guard_s() {
    let (code, out, err) = guard("echo a; echo b >&2; echo c; exit 42", &[]);
    assert_eq!((code, out.as_str(), err.as_str()), (42, "a\nc\n", "b\n"));
    let (_, out, _) = guard(
        "echo ${LD_LIBRARY_PATH-none} ${SSH_ORIGINAL_COMMAND-none}",
        &[],
    );
    assert_eq!(out, "none none\n");
    let (code, _, err) = guard("kill -9 $$", &[]);
    assert_eq!(
        (code, err.as_str()),
        (206, "node-guard: a signal ended the program\n")
    );
}

#[test]
fn a_program_that_hangs_is_killed() {
    let begin = Instant::now();
    // With its output open, and with its output closed.
    for script in [
        "echo begun; exec sleep 60",
        "echo begun; exec sleep 60 >&- 2>&-",
    ] {
        let (code, out, err) = guard(script, &["--timeout", "0.2"]);
        assert_eq!((code, out.as_str()), (204, "begun\n"));
        assert_eq!(err, "node-guard: killed after 0.2 s\n");
    }
    // A grandchild that keeps the output open does not delay the guard.
    let (code, _, _) = guard("sleep 60 & exec sleep 60", &["--timeout", "0.2"]);
    assert_eq!(code, 204);
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_program_that_floods_is_killed() {
    let (code, out, err) = guard(
        "while :; do echo 0123456789; done",
        &["--output-limit", "5000"],
    );
    assert_eq!((code, out.len()), (205, 5000));
    assert_eq!(err, "node-guard: killed after 5000 bytes of output\n");
    let (code, out, err) = guard(
        "while :; do echo 0123456789 >&2; done",
        &["--output-limit", "100"],
    );
    assert_eq!((code, out.len()), (205, 0));
    assert!(err.ends_with("killed after 100 bytes of output\n"));
}

#[test]
fn the_node_keeps_a_line_of_what_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let log = UnixDatagram::bind(&path).unwrap();
    log.set_nonblocking(true).unwrap();
    let lines = |command: &str, script: &str| {
        asked(command, script, &["--log", path.to_str().unwrap()]);
        let mut lines = Vec::new();
        let mut buffer = [0; 4096];
        while let Ok(length) = log.recv(&mut buffer) {
            let line = String::from_utf8_lossy(&buffer[..length]).into_owned();
            let (head, text) = line.split_once("]: ").unwrap();
            let (weight, pid) = head.split_once("jarvis-node-guard[").unwrap();
            assert!(pid.parse::<u32>().is_ok(), "{head}");
            lines.push(format!("{weight} {text}"));
        }
        lines
    };
    assert_eq!(
        lines("uptime", "exit 3"),
        [
            "<86> runs \"uptime\" for 10.0.0.5",
            "<86> ran \"uptime\" for 10.0.0.5: exit code 3",
        ]
    );
    assert_eq!(
        lines("uptime", "kill -9 $$")[1],
        "<84> ran \"uptime\" for 10.0.0.5: a signal ended the program"
    );
    // The request cannot forge a line in the log.
    let refused = lines("uptime\n<86>sshd[1]: fine \u{202e}", ":");
    assert_eq!(refused.len(), 1);
    assert!(
        refused[0].starts_with(
            r#"<84> refused "uptime\n<86>sshd[1]: fine \xe2\x80\xae" for 10.0.0.5: refused: "#
        ),
        "{refused:?}"
    );
    assert!(!refused[0].contains('\n'));
    let long = lines(&"x".repeat(100_000), ":");
    assert!(long[0].len() < 1_000, "{}", long[0].len());
    // It works without a log.
    fs::remove_file(&path).unwrap();
    assert_eq!(lines("uptime", ":"), Vec::<String>::new());
}

#[test]
fn wrong_flags_let_nothing_through() {
    for flags in [
        &["--shell"][..],
        &["--shell", "x"],
        &["--units"],
        &["--timeout", "-1"],
    ] {
        let (code, out, _) = guard("echo ran", flags);
        assert_eq!((code, out.as_str()), (207, ""), "{flags:?}");
    }
}
