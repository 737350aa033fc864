//! Attempts to leave both sandboxes. Each prints `ESCAPED` if it worked, and each has a control that works
//! outside: an attempt whose tool is missing proves nothing. Classes are counted, not their variants.

mod attempts;
mod networks;
mod units;

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead as _, BufReader},
    net::UdpSocket,
    process::{Child, ChildStdout, Command},
    thread,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_queue::report::JobEnding;
use field_runner::{
    config::{RunnerConfig, is_root},
    sandbox::{
        bubblewrap::{Bubblewrap, HostNetwork},
        let_begin, start,
    },
    stage::{StageFrame, StagePlan, StagedStep, StepLimits},
};

use self::attempts::{ATTEMPTS, MAY_LACK, ShellAttempt};
#[cfg(target_arch = "x86_64")]
use self::attempts::{CALLS, LEAST};
use crate::device::{bubblewrap, program};

const MIB: u64 = 1024 * 1024;
/// The script of another job: something that the attempts look for, until their end.
const NEIGHBOUR: &str = "touch neighbour; echo up; exec sleep 600";

struct SandboxB {
    folder: tempfile::TempDir,
    wrap: Bubblewrap,
}

impl SandboxB {
    fn new() -> Option<Self> {
        let found = bubblewrap()?;
        let folder = tempfile::tempdir().unwrap();
        let config = RunnerConfig {
            bubblewrap: found,
            job_user: "nobody".to_owned(),
            ..RunnerConfig::default()
        };
        let wrap = Bubblewrap::new(&config, &program(folder.path())).unwrap();
        Some(Self { folder, wrap })
    }

    fn run(&self, network: HostNetwork, script: &str) -> EndedScript {
        EndedScript::of(self.start(network, script, 20))
    }

    fn start(&self, network: HostNetwork, script: &str, seconds: u32) -> Child {
        let limits = StepLimits {
            address_space: Some(64 * MIB),
            file: 8 * MIB,
            tasks: Some(32),
            guard: true,
        };
        let command = self.wrap.any(network, 16 * MIB, &BTreeMap::new());
        start(command, &plan(script, seconds, Some(100), limits)).unwrap()
    }
}

/// The plan of one script.
fn plan(script: &str, seconds: u32, cpu_pct: Option<u32>, limits: StepLimits) -> StagePlan {
    StagePlan {
        steps: vec![StagedStep {
            number: 1,
            run: "sh".to_owned(),
            argv: vec!["/bin/sh".to_owned(), "/job/script".to_owned()],
            seconds,
        }],
        stop_on_failure: true,
        script: Some(script.to_owned()),
        cpu_pct,
        burst_ms: 300,
        limits,
    }
}

/// Output of a script, and its end as its stage tells it: None if the stage did not outlive it.
struct EndedScript {
    text: String,
    how: Option<JobEnding>,
}

impl EndedScript {
    fn of(mut child: Child) -> Self {
        let (mut text, mut how) = (Vec::new(), None);
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            match serde_json::from_str(&line.unwrap()).unwrap() {
                StageFrame::Data { bytes, .. } => {
                    text.extend(BASE64_STANDARD.decode(bytes).unwrap())
                }
                StageFrame::Done { how: end, .. } => how = Some(end),
                StageFrame::Begin { .. } => let_begin(&mut child).unwrap(),
                StageFrame::End { .. } => {}
            }
        }
        child.wait().unwrap();
        let text = String::from_utf8_lossy(&text).into_owned();
        Self { text, how }
    }
}

/// Another job, which runs while attempts are made.
struct NeighbourJob {
    child: Child,
    /// Kept: without a reader it would end.
    _records: BufReader<ChildStdout>,
}

impl NeighbourJob {
    /// Waits until it says that it is up.
    fn of(mut child: Child) -> Self {
        let mut records = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("\"data\"") {
            line.clear();
            let read = records.read_line(&mut line).unwrap();
            assert_ne!(read, 0, "the other job ended");
            if line.contains("\"begin\"") {
                let_begin(&mut child).unwrap();
            }
        }
        Self {
            child,
            _records: records,
        }
    }
}

impl Drop for NeighbourJob {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// The port of a server for UDP that answers with what it was sent. Without the address it is one where nobody
/// answers, so that the control fails.
fn echo(address: &str) -> u16 {
    let Ok(socket) = UdpSocket::bind((address, 0)) else {
        return 9;
    };
    let port = socket.local_addr().unwrap().port();
    thread::spawn(move || {
        let mut bytes = [0; 512];
        while let Ok((length, from)) = socket.recv_from(&mut bytes) {
            let _answered = socket.send_to(&bytes[..length], from);
        }
    });
    port
}

/// One attempt.
struct EscapeAttempt {
    name: &'static str,
    script: String,
    around: &'static str,
}

impl EscapeAttempt {
    /// All attempts on this architecture, with values in place of their words.
    fn all(more: &[ShellAttempt], values: &[(&str, String)]) -> Vec<Self> {
        let of = |&(name, script, around): &ShellAttempt| Self {
            name,
            script: script.to_owned(),
            around,
        };
        let mut all: Vec<_> = ATTEMPTS.iter().chain(more).map(of).collect();
        #[cfg(target_arch = "x86_64")]
        all.extend(CALLS.iter().map(|&(name, call)| Self {
            name,
            script: format!("perl -e 'print \"ESCAPED\\n\" if {call} >= 0'"),
            around: "",
        }));
        for attempt in &mut all {
            for (word, value) in values {
                attempt.script = attempt.script.replace(word, value);
            }
        }
        all
    }

    /// Its class: variants of one do not count twice.
    fn class(&self) -> &'static str {
        self.name
            .split_once(": ")
            .map_or(self.name, |(class, _)| class)
    }

    fn inside(&self) -> String {
        self.script
            .replace("@OTHERS@", "/proc/1 /proc/2 /proc/3 /proc/$PPID")
    }

    /// True if it works where nothing is in its way.
    fn works_outside(&self, mut shell: Command) -> bool {
        let outside = self.script.replace("@OTHERS@", "/proc/self");
        let around = format!("{} sh -c \"$1\"", self.around);
        let output = shell.args(["-c", &around, "sh", &outside]).output();
        String::from_utf8_lossy(&output.unwrap().stdout).contains("ESCAPED")
    }
}

#[test]
fn nothing_leaves_sandbox_b() {
    let Some(sandbox) = SandboxB::new() else {
        return;
    };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let secret = sandbox.folder.path().join("key");
    let journal = sandbox.folder.path().join("journal");
    std::fs::write(&secret, "secret").unwrap();
    std::fs::write(&journal, "").unwrap();
    let values = [
        ("@SECRET@", secret.display().to_string()),
        ("@JOURNAL@", journal.display().to_string()),
        ("@FOLDER@", sandbox.folder.path().display().to_string()),
        ("@PID@", std::process::id().to_string()),
        ("@PORT@", listener.local_addr().unwrap().port().to_string()),
        ("@ECHO@", echo("127.0.0.1").to_string()),
        ("@ECHO6@", echo("::1").to_string()),
    ];
    let _neighbour = NeighbourJob::of(sandbox.start(HostNetwork::None, NEIGHBOUR, 600));
    if !is_root() {
        eprintln!(
            "\n!!! Without root some controls fail outside as well; those attempts are left out. !!!\n"
        );
    }
    let (mut escaped, mut useless, mut tried) = (Vec::new(), Vec::new(), BTreeSet::new());
    for attempt in EscapeAttempt::all(&[], &values) {
        let name = attempt.name;
        if !attempt.works_outside(Command::new("sh")) {
            useless.push(name);
            continue;
        }
        tried.insert(attempt.class());
        let EndedScript { text, how } = sandbox.run(HostNetwork::None, &attempt.inside());
        if text.contains("ESCAPED") || how.is_none() {
            escaped.push(format!("{name}: {how:?} {text}"));
        }
    }
    eprintln!(
        "{} classes of attempts; without a control here: {useless:?}",
        tried.len()
    );
    assert_eq!(escaped, Vec::<String>::new());
    if is_root() {
        useless.retain(|name| !MAY_LACK.iter().any(|(lacks, _)| lacks == name));
        assert_eq!(useless, [""; 0], "controls must work outside");
        #[cfg(target_arch = "x86_64")]
        assert!(tried.len() >= LEAST, "only {tried:?} have a control");
    }
}

#[test]
fn what_a_job_needs_works_inside() {
    let Some(sandbox) = SandboxB::new() else {
        return;
    };
    for (script, expected) in [
        (
            "echo hello > f; cat f; pwd; echo $HOME $TMPDIR $PATH",
            "hello\n/job\n/job /tmp /usr/sbin:/usr/bin:/sbin:/bin\n",
        ),
        ("cat /proc/self/status | grep -c NoNewPrivs", "1\n"),
        (
            "perl -e 'print join(\",\", map { $_ * 2 } 1..3), \"\\n\"'",
            "2,4,6\n",
        ),
        ("(echo a; sleep 0; echo b) | tr a-z A-Z", "A\nB\n"),
        (
            "[ -e /dev/null ] && echo x > /dev/null && echo fine",
            "fine\n",
        ),
    ] {
        let EndedScript { text, how } = sandbox.run(HostNetwork::None, script);
        assert_eq!(
            (text.as_str(), how),
            (expected, Some(JobEnding::Exit(0))),
            "{script}"
        );
    }
}
