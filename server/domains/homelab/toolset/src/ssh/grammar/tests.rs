use std::process::Command as Process;

use proptest::{prelude::*, sample::select, strategy::ValueTree, test_runner::TestRunner};

use super::*;

mod hostile;
mod processes;

/// Generates any value that a placeholder takes.
fn value(placeholder: PlaceholderKind) -> BoxedStrategy<String> {
    match placeholder {
        PlaceholderKind::Unit => "[A-Za-z0-9][A-Za-z0-9@_.:-]{0,127}\\.service"
            .prop_filter("the sessions of a person", |unit| {
                !unit.to_ascii_lowercase().starts_with("user@")
            })
            .boxed(),
        PlaceholderKind::Range(least, most) => (least..=most).prop_map(|n| n.to_string()).boxed(),
        PlaceholderKind::Enum(words) => select(words).prop_map(str::to_owned).boxed(),
        PlaceholderKind::Disk => "/dev/(sd[a-z]{1,2}|nvme[0-9]{1,2}n[0-9]{1,2})".boxed(),
    }
}

/// Generates any text that a row accepts, with or without its added words, and the row's index.
fn text() -> impl Strategy<Value = (usize, String)> {
    (0..ROWS.len()).prop_flat_map(|index| {
        let row = &ROWS[index];
        let parts: Vec<BoxedStrategy<Vec<String>>> = row
            .parts
            .iter()
            .map(|part| match part {
                CommandPart::Word(word) => Just(vec![(*word).to_owned()]).boxed(),
                CommandPart::Added(words) => {
                    let words: Vec<_> = words.iter().map(|word| (*word).to_owned()).collect();
                    prop_oneof![Just(Vec::new()), Just(words)].boxed()
                }
                CommandPart::Value(placeholder) => {
                    value(*placeholder).prop_map(|word| vec![word]).boxed()
                }
            })
            .collect();
        let program = prop_oneof![Just(row.name()), Just(row.program)];
        (program, parts).prop_map(move |(program, parts)| {
            let mut words = vec![program.to_owned()];
            words.extend(parts.into_iter().flatten());
            (index, words.join(" "))
        })
    })
}

/// The words that a POSIX shell reads in a text.
fn shell(text: &[u8]) -> Vec<String> {
    use std::os::unix::ffi::OsStrExt;
    let mut script = b"printf '%s\\0' ".to_vec();
    script.extend_from_slice(text);
    let output = Process::new("/bin/sh")
        .arg("-c")
        .arg(std::ffi::OsStr::from_bytes(&script))
        .env_clear()
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut words: Vec<String> = text.split('\0').map(str::to_owned).collect();
    assert_eq!(words.pop().as_deref(), Some(""));
    words
}

/// Asserts the guarantees for every accepted text, whatever its source.
fn accepted(text: &[u8], command: &GrammarCommand) {
    let written = String::from_utf8(text.to_vec()).unwrap();
    let words: Vec<&str> = written.split(' ').collect();
    // A shell reads the same words in the text, and the program's exact arguments in the sent text.
    assert_eq!(shell(text), words);
    let sent = command.render();
    assert_eq!(shell(sent.as_bytes()), command.argv);
    // So does the guard.
    assert_eq!(parse_with_restart(&sent).as_ref(), Ok(command));
    assert_eq!(
        parse_with_restart(&sent).map(|command| command.render()),
        Ok(sent)
    );
    // The program gets the words of the text in order, plus only those that the row adds.
    assert_eq!(command.argv[0], command.row.program);
    let added: Vec<&str> = command
        .row
        .parts
        .iter()
        .flat_map(|part| match part {
            CommandPart::Added(words) => *words,
            _ => &[],
        })
        .copied()
        .collect();
    let mut words = words.into_iter().skip(1).peekable();
    for argument in &command.argv[1..] {
        if words.peek() == Some(&argument.as_str()) {
            words.next();
        } else {
            assert!(
                added.contains(&argument.as_str()),
                "{argument} in {command:?}"
            );
        }
    }
    assert_eq!(words.next(), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_the_table_has_is_accepted_and_means_the_same_everywhere((index, text) in text()) {
        let command = parse_with_restart(&text).unwrap();
        prop_assert!(std::ptr::eq(command.row, &raw const ROWS[index]), "{text}");
        accepted(text.as_bytes(), &command);
        let looks = ROWS[index].access == CommandAccess::Look;
        prop_assert_eq!(parse(&text).is_ok(), looks);
        prop_assert_eq!(command.restarts().is_none(), looks);
    }

    #[test]
    fn a_changed_byte_is_refused_or_makes_another_command_of_the_table(
        (_, text) in text(),
        at in any::<prop::sample::Index>(),
        byte in prop_oneof![any::<u8>(), select(b" -=/;|&$`'\"\\\n\0*?~#!.".to_vec())],
        edit in 0..3_u8,
    ) {
        let mut bytes = text.into_bytes();
        let at = at.index(bytes.len());
        match edit {
            0 => bytes[at] = byte,
            1 => bytes.insert(at, byte),
            _ => { bytes.remove(at); }
        }
        if let Ok(command) = parse_with_restart(&bytes) {
            accepted(&bytes, &command);
        }
    }

    #[test]
    fn words_of_the_table_in_any_order_are_one_of_its_rows_or_refused(
        words in prop::collection::vec(word(), 1..8),
    ) {
        let text = words.join(" ");
        if let Ok(command) = parse_with_restart(&text) {
            accepted(text.as_bytes(), &command);
        }
    }

    #[test]
    fn any_bytes_are_refused_or_mean_the_same_everywhere(bytes in any::<Vec<u8>>()) {
        if let Ok(command) = parse_with_restart(&bytes) {
            accepted(&bytes, &command);
        }
    }

    #[test]
    fn a_quoted_word_is_one_word_for_a_shell(word in "[^\0]{0,40}") {
        prop_assert_eq!(shell(quote(&word).as_bytes()), [word]);
    }
}

/// Any word of the table.
fn word() -> impl Strategy<Value = String> {
    let mut words = Vec::new();
    let mut runner = TestRunner::deterministic();
    for row in ROWS {
        words.extend([row.name().to_owned(), row.program.to_owned()]);
        for part in row.parts {
            match part {
                CommandPart::Word(word) => words.push((*word).to_owned()),
                CommandPart::Added(added) => {
                    words.extend(added.iter().map(|word| (*word).to_owned()))
                }
                CommandPart::Value(placeholder) => {
                    words.push(value(*placeholder).new_tree(&mut runner).unwrap().current());
                }
            }
        }
    }
    select(words)
}

#[test]
fn the_table_keeps_its_own_rules() {
    let mut forms = Vec::new();
    for row in ROWS {
        assert!(row.program.starts_with("/usr/"), "{}", row.program);
        assert!(!row.program.contains(".."), "{}", row.program);
        forms.push(row.form());
        for pair in row.parts.windows(2) {
            // Otherwise it would be ambiguous whether the text has the added words.
            if let [CommandPart::Added(added), next] = pair {
                match next {
                    CommandPart::Word(word) => assert_ne!(&added[0], word),
                    CommandPart::Value(placeholder) => assert!(!placeholder.accepts(added[0])),
                    CommandPart::Added(_) => panic!("two groups in a row: {}", row.form()),
                }
            }
        }
        for part in row.parts {
            match part {
                CommandPart::Word(word) => assert_eq!(quote(word), *word),
                CommandPart::Added(words) => {
                    assert!(words.iter().all(|word| quote(word) == **word))
                }
                CommandPart::Value(_) => {}
            }
        }
    }
    let total = forms.len();
    forms.sort();
    forms.dedup();
    assert_eq!(forms.len(), total, "two rows of the same form");
}

#[test]
fn commands_become_what_runs() {
    for (text, expect) in [
        ("uptime", "/usr/bin/uptime"),
        ("/usr/bin/uptime", "/usr/bin/uptime"),
        ("df -h", "/usr/bin/df -h"),
        ("sensors -j", "/usr/bin/sensors -j"),
        (
            "systemctl is-active getty@tty1.service",
            "/usr/bin/systemctl is-active -- getty@tty1.service",
        ),
        (
            "systemctl list-units --failed",
            "/usr/bin/systemctl list-units --failed --no-pager --plain",
        ),
        (
            "journalctl -u ssh.service -n 50",
            "/usr/bin/journalctl -u ssh.service -n 50 --no-pager",
        ),
        (
            "journalctl -u ssh.service -n 50 --no-pager",
            "/usr/bin/journalctl -u ssh.service -n 50 --no-pager",
        ),
        ("dmesg -T -l err", "/usr/bin/dmesg -T -l err -P"),
        (
            "smartctl -H /dev/nvme0n1",
            "/usr/sbin/smartctl -H /dev/nvme0n1",
        ),
        ("zpool status", "/usr/sbin/zpool status"),
    ] {
        assert_eq!(
            parse(text).map(|command| command.render()).as_deref(),
            Ok(expect)
        );
    }
}

#[test]
fn a_refusal_says_what_is_wrong_and_what_is_possible() {
    for (text, expect) in [
        ("", "there is no command"),
        (
            "uptime; id",
            "byte 7 (;) cannot be part of a command: no shell reads it, there are no quotes, \
             variables, patterns, pipes or redirections, only plain words and spaces",
        ),
        (
            "df  -h",
            "words are separated by exactly one space, with none before the first or after the last",
        ),
        (
            "/tmp/df -h",
            "\"/tmp/df\" is another path than /usr/bin/df: give the program's name alone",
        ),
        (
            "journalctl -u ssh.service -n 501",
            "\"501\" is no number in the range: expected a whole number from 1 to 500",
        ),
        (
            "systemctl is-active ssh",
            "\"ssh\" is no unit: expected the full name of a system service, such as \
             pveproxy.service",
        ),
        (
            "journalctl -u user@0.service -n 5",
            "\"user@0.service\" is no unit: expected the full name of a system service, such as \
             pveproxy.service",
        ),
        (
            "systemctl status pveproxy.service",
            "\"status\" is not possible here; possible are: systemctl is-active UNIT; systemctl \
             show UNIT; systemctl list-units --failed",
        ),
        (
            "free --mebi",
            "the option \"--mebi\" is not possible here: options stand exactly as in the list, not \
             shortened, joined or moved; possible are: free -m; free -h",
        ),
        (
            "df -h -h",
            "the option \"-h\" is not possible here: it is given already; possible are: df -h",
        ),
        (
            "dmesg -T -l=err",
            "the option \"-l=err\" is not possible here: values stand in a word of their own, not \
             after an equals sign; possible are: dmesg -T -l \
             emerg|alert|crit|err|warn|notice|info",
        ),
        (
            "zpool destroy tank",
            "\"destroy\" is not possible here; possible are: zpool status; zpool list",
        ),
        (
            "smartctl -H",
            "something is missing at the end; possible are: smartctl -H DISK",
        ),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), expect);
    }
    let unknown = parse("rm -rf /").unwrap_err().to_string();
    assert!(
        unknown
            .starts_with("\"rm\" is not one of the programs that can be run; they are: uptime, "),
        "{unknown}"
    );
    let long = "a".repeat(MAX_BYTES + 1);
    assert_eq!(parse(long), Err(CommandRefusal::TooLong { bytes: 513 }));
}

#[test]
fn a_restart_is_for_the_guard_alone() {
    let text = "systemctl restart nginx.service";
    assert!(matches!(parse(text), Err(CommandRefusal::Word { .. })));
    let command = parse_with_restart(text).unwrap();
    assert_eq!(command.restarts(), Some("nginx.service"));
    assert_eq!(GrammarCommand::restart("nginx.service"), Ok(command));
    assert!(GrammarCommand::restart("nginx.service other.service").is_err());
    assert!(GrammarCommand::show("--help").is_err());
}
