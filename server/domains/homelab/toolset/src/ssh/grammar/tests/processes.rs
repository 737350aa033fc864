//! Tests that no request shows the command lines of processes or people's own programs.

use super::*;

const REFUSED: &[&str] = &[
    "systemctl status pveproxy.service",
    "systemctl status --no-pager -- pveproxy.service",
    "/usr/bin/systemctl status pveproxy.service",
    "systemctl status user@0.service",
    "systemctl is-active user@0.service",
    "systemctl show user@0.service",
    "systemctl show user@1000.service",
    "systemctl show User@0.service",
    "systemctl show user@.service",
    "systemctl restart user@0.service",
    "journalctl -u user@0.service -n 50",
    "journalctl -u user@0.service -p info -n 50",
    "journalctl -n 5",
    "journalctl -p info -n 5",
    "journalctl -p notice -n 5",
    "systemctl show -p ExecStart pveproxy.service",
    "systemctl show -p Id,ExecStart -- pveproxy.service",
    "systemctl show --all pveproxy.service",
    "systemctl list-units --failed --no-pager",
    "systemd-cgls",
    "systemctl status",
    "ps -ef",
    "ps -eo args",
    "pstree -a",
    "journalctl -u pveproxy.service -n 5 -o verbose",
];

#[test]
fn no_command_lines_and_no_sessions_of_people() {
    for text in REFUSED {
        assert!(parse(text).is_err(), "{text}");
        // Refused by the guard on a node as well.
        assert!(parse_with_restart(text).is_err(), "{text}");
    }
}

/// `show` prints any property on request, so only these are requested.
#[test]
fn what_is_shown_of_a_unit_holds_no_command_line_and_no_environment() {
    let command = GrammarCommand::show("pveproxy.service").unwrap();
    let argv = command.argv();
    let asked = argv.iter().position(|word| word == "-p").unwrap() + 1;
    let telling = [
        "Id",
        "LoadState",
        "ActiveState",
        "SubState",
        "Result",
        "MainPID",
        "NRestarts",
        "InvocationID",
        "ExecMainStatus",
        "ActiveEnterTimestamp",
        "ActiveEnterTimestampMonotonic",
        "Job",
    ];
    assert!(argv[asked].split(',').eq(telling), "{}", argv[asked]);
    assert_eq!(argv[asked + 1..], ["--", "pveproxy.service"]);
    assert!(!argv.iter().any(|word| word == "-a" || word == "--all"));
    // The descriptions of units made by systemd-run are command lines.
    let failed = parse("systemctl list-units --failed").unwrap();
    let line = b"run-1.service loaded failed failed /bin/x --token SECRET\n";
    let shown = failed.columns().unwrap().pass(line);
    assert_eq!(shown, b"run-1.service loaded failed failed\n");
}
