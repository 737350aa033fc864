//! `jarvis node-guard` as a process, as `sshd` starts it.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    process::{Command, Stdio},
};

use crate::harness::Folder;

#[test]
fn the_guard_runs_what_the_grammar_has_and_nothing_else() {
    let folder = Folder::new();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("usr/bin")).unwrap();
    let program = path("usr/bin/systemctl");
    fs::write(&program, "#!/bin/sh\ncase $1 in list-units) echo \"run-1.service loaded failed failed x --token y\" ;;\n\
         *) echo \"$@\" ;; esac\n",
    )
    .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(path("units"), "nginx.service\n").unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(path("units"), fs::Permissions::from_mode(0o600)).unwrap();
    let owner = fs::metadata(path("units")).unwrap().uid().to_string();
    let ask = |asked: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jarvis"));
        command
            .args(["node-guard", "--units-owner", &owner])
            .arg("--units")
            .arg(path("units"))
            .arg("--root")
            .arg(folder.path())
            .env_clear()
            .envs(asked.map(|asked| ("SSH_ORIGINAL_COMMAND", asked)))
            .stdin(Stdio::null());
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code().unwrap(), text)
    };
    let said = |code: i32, text: &str| (code, text.to_owned());
    assert_eq!(
        ask(Some("systemctl is-active nginx.service")),
        said(0, "is-active -- nginx.service\n")
    );
    assert_eq!(
        ask(Some("/usr/bin/systemctl restart -- nginx.service")),
        said(0, "restart -- nginx.service\n")
    );
    // The description of a unit may be a command line.
    assert_eq!(
        ask(Some("systemctl list-units --failed")),
        said(0, "run-1.service loaded failed failed\n")
    );
    for command in [
        "systemctl status nginx.service",
        "systemctl show user@0.service",
        "journalctl -u user@0.service -n 5",
    ] {
        assert_eq!(ask(Some(command)), said(201, ""), "{command}");
    }
    assert_eq!(ask(None), said(200, ""));
    assert_eq!(ask(Some("id")), said(201, ""));
    assert_eq!(
        ask(Some("systemctl is-active nginx.service; id")),
        said(201, "")
    );
    assert_eq!(ask(Some("systemctl restart ssh.service")), said(201, ""));
    fs::set_permissions(path("units"), fs::Permissions::from_mode(0o666)).unwrap();
    assert_eq!(ask(Some("systemctl restart nginx.service")), said(202, ""));
    assert_eq!(ask(Some("uptime")), said(203, ""));
}
