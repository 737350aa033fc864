//! Scripts as sh and back, and what shells make of them.

use std::process::Command;

use proptest::{prelude::*, strategy::ValueTree as _};

use super::{
    FreeScript, FreeScriptRefusal, PayloadError, ProbeScript, ScriptRefusal, StepsPayload,
};
use crate::{
    steps::{ProbeStep, RowName, StepSlot, accept, any_step},
    strict::StrictError,
};

fn steps() -> Vec<ProbeStep> {
    let json = r#"[{"run":"ping","target":"192.0.2.1"},{"run":"http_timing","url":"https://example.org/a?b=c&d=e"},
        {"run":"capture","interface":"eth0","filter":"tcp_syn"},{"run":"dig","name":"example.org"}]"#;
    serde_json::from_str(json).expect("steps")
}

fn script(stop: bool) -> ProbeScript {
    ProbeScript::new(&steps(), stop).expect("a script")
}

#[test]
fn a_script_reads_well() {
    let rendered = script(true).render();
    let expected = "\
#!/bin/sh
set -e
/usr/bin/ping -n -c 4 -i 1 -W 2 -- 192.0.2.1  # Echo requests to a host; a size is sent in one piece; at most 8 s
/usr/bin/curl -q -g -sS -o /dev/null --proto =http,https --max-redirs 0 -m 10 --max-filesize 1048576 -w \
'code=%{http_code} name=%{time_namelookup} connect=%{time_connect} tls=%{time_appconnect} \
first=%{time_starttransfer} total=%{time_total} bytes=%{size_download} rate=%{speed_download} \
address=%{remote_ip} verify=%{ssl_verify_result}' -- 'https://example.org/a?b=c&d=e'  # Name, connection, TLS \
and answer of one web request; at most 11 s
/usr/bin/timeout --signal=INT 20 /usr/bin/tcpdump -i eth0 -nn -q -p -l -s 64 -c 50 'tcp[tcpflags] & tcp-syn \
!= 0'  # Headers of packets, without their contents; at most 23 s
/usr/bin/dig -r +time=2 +tries=1 +noall +answer +comments +stats -t A -q example.org  # Looks up a name in DNS; \
at most 8 s
";
    assert_eq!(rendered.text, expected);
    let place = rendered.steps[1].place(Some(StepSlot::Url));
    assert_eq!(&rendered.text[place], "'https://example.org/a?b=c&d=e'");
    assert!(rendered.text[rendered.steps[3].place(None)].starts_with("/usr/bin/dig"));
}

#[test]
fn a_rendered_text_is_the_same_script() {
    for stop in [true, false] {
        let script = script(stop);
        assert_eq!(
            ProbeScript::parse(&script.render().text).as_ref(),
            Ok(&script)
        );
        assert_eq!(
            StepsPayload::read(&StepsPayload::bytes(&script)).as_ref(),
            Ok(&script)
        );
    }
}

#[test]
fn any_other_text_is_no_script() {
    let good = "/usr/bin/ping -n -c 4 -i 1 -W 2 -- 192.0.2.1";
    assert!(ProbeScript::parse(good).is_ok());
    for bad in [
        "ping -n -c 4 -i 1 -W 2 -- 192.0.2.1".to_owned(),
        format!("{good}; id"),
        format!("{good} && id"),
        format!("{good} | sh"),
        format!("{good} > /etc/passwd"),
        format!("{good} &"),
        format!("{good} $(id)"),
        format!("{good} `id`"),
        format!("{good}\\"),
        format!("{good}\r"),
        format!("{good}  # a\rb"),
        format!("{good}#x"),
        format!("{good}\tx"),
        format!("{good} x"),
        format!("X=1 {good}"),
        format!("{good}\nset -e"),
        format!("{good}\n#!/bin/sh\nid"),
        "/usr/bin/ping -n -c 4 -i 1 -W 2 -- '192.0.2.1'x".to_owned(),
        "/usr/bin/ping -n -c 4 -i 1 -W 2 -- \"192.0.2.1\"".to_owned(),
        "/usr/bin/ping -n -c 4 -f -i 1 -W 2 -- 192.0.2.1".to_owned(),
        "/usr/bin/ping -n -c 4 -i 1 -W 2 -- 192.0.2.1 192.0.2.2".to_owned(),
        "/usr/bin/ping -n -c 400 -i 1 -W 2 -- 192.0.2.1".to_owned(),
        "/usr/bin/curl -q https://example.org/".to_owned(),
        String::new(),
    ] {
        assert!(ProbeScript::parse(&bad).is_err(), "{bad:?}");
    }
}

#[test]
fn counts_and_times_are_bounded() {
    assert_eq!(
        ProbeScript::new(&[], false),
        Err(ScriptRefusal::Count { steps: 0 })
    );
    let wait = ProbeStep::new(RowName::Wait).with(StepSlot::Seconds, "1");
    let many = vec![wait.clone(); 21];
    assert_eq!(
        ProbeScript::new(&many, false),
        Err(ScriptRefusal::Count { steps: 21 })
    );
    let long = vec![wait.clone().with(StepSlot::Seconds, "60"); 15];
    assert_eq!(
        ProbeScript::new(&long, false),
        Err(ScriptRefusal::Seconds { seconds: 915 })
    );
    let second = ProbeScript::new(&[wait, ProbeStep::new(RowName::Ping)], false);
    assert!(matches!(second, Err(ScriptRefusal::Step { at: 2, .. })));
}

#[test]
fn a_payload_has_one_form() {
    let bytes = StepsPayload::bytes(&script(true));
    let text = String::from_utf8(bytes).expect("text");
    for other in [
        text.replace("true", " true"),
        text.replace("\"count\":50,", ""),
        text.replace("\"count\":50,", "\"count\":50,\"count\":50,"),
        text.replace("\"count\":50,", "\"count\":50,\"size\":null,"),
        text.replace("\"count\":50,", "\"count\":50.0,"),
        text.replace("\"count\":50,", "\"count\":NaN,"),
        text.replace("\"count\":50,", "\"count\":1e400,"),
        text.replace("\"count\":50,", "\"count\":18446744073709551616,"),
        text.replace("eth0", "\\u0065th0"),
        text.replace(
            "\"stop_on_failure\":true",
            "\"stop_on_failure\":true,\"sh\":\"id\"",
        ),
    ] {
        assert_ne!(other, text);
        assert!(StepsPayload::read(other.as_bytes()).is_err(), "{other}");
    }
    let large = vec![b' '; 40_000];
    let refusal = StepsPayload::read(&large);
    assert!(matches!(
        refusal,
        Err(PayloadError::Form(StrictError::TooLarge { .. }))
    ));
}

#[test]
fn free_sh_is_a_persons_text_without_hidden_characters() {
    assert!(FreeScript::by_person("echo hi\n\tid\n", "anna").is_ok());
    assert_eq!(
        FreeScript::by_person("id", " "),
        Err(FreeScriptRefusal::Author)
    );
    for text in [
        "",
        " \n",
        "id\r\n",
        "id \u{202e}",
        "a\u{200b}b",
        "a\u{1b}[2J",
        "a\0b",
        "a\u{feff}",
    ] {
        assert!(FreeScript::by_person(text, "anna").is_err(), "{text:?}");
    }
    let hidden = FreeScript::by_person("a\nb\u{2066}", "anna");
    assert_eq!(
        hidden,
        Err(FreeScriptRefusal::Hidden {
            line: 2,
            sign: '\u{2066}'
        })
    );
}

/// Words of a rendered line as a shell reads them, each ended by a line break.
fn words_by(shell: &str, line: &str) -> Option<Vec<String>> {
    let output = Command::new(shell)
        .args(["-c", &format!("printf '%s\\n' {line}")])
        .env_clear()
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{shell}: {line}");
    Some(text.lines().map(str::to_owned).collect())
}

#[test]
fn shells_read_the_arguments_that_run() {
    let mut lines = Vec::new();
    for script in [script(false), script(true)] {
        let rendered = script.render();
        for (step, place) in script.steps().iter().zip(&rendered.steps) {
            // To the end of the line: the comment is the shell's to pass over.
            let line = rendered.text[place.span.start..]
                .lines()
                .next()
                .expect("a line");
            lines.push((line.to_owned(), step.argv()));
        }
    }
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..400 {
        let step = any_step().new_tree(&mut runner).expect("a step").current();
        let Ok(accepted) = accept(&step) else {
            continue;
        };
        let script = ProbeScript::new(&[accepted.step().clone()], false).expect("one step");
        let text = script.render().text;
        lines.push((
            text.lines().nth(1).expect("a line").to_owned(),
            accepted.argv(),
        ));
    }
    lines.sort();
    lines.dedup();
    assert!(lines.len() > 30, "{} lines", lines.len());
    for shell in ["dash", "bash"] {
        if words_by(shell, "a").is_none() {
            eprintln!("\n!!! SKIPPED: no {shell}, so nothing else checks what it reads. !!!\n");
            continue;
        }
        for (line, argv) in &lines {
            assert_eq!(
                words_by(shell, line).as_ref(),
                Some(argv),
                "{shell}: {line}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn rendering_and_reading_are_inverse(steps in prop::collection::vec(any_step(), 1..6), stop in any::<bool>()) {
        let steps: Vec<_> = steps.into_iter().filter(|step| accept(step).is_ok()).collect();
        let Ok(script) = ProbeScript::new(&steps, stop) else { return Ok(()) };
        let text = script.render().text;
        prop_assert_eq!(ProbeScript::parse(&text), Ok(script.clone()));
        prop_assert_eq!(StepsPayload::read(&StepsPayload::bytes(&script)), Ok(script));
    }
}
