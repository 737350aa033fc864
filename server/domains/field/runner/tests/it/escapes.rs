//! Attempts to leave sandbox B. Each prints `ESCAPED` if it worked, and each has a control that works outside:
//! an attempt whose tool is missing proves nothing.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader},
    process::Command,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use field_queue::report::JobEnding;
use field_runner::{
    config::{RunnerConfig, is_root},
    sandbox::{
        bubblewrap::{Bubblewrap, HostNetwork},
        start,
    },
    stage::{StageFrame, StagePlan, StagedStep, StepLimits},
};

use crate::device::{bubblewrap, program};

const MIB: u64 = 1024 * 1024;

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

    fn run(&self, network: HostNetwork, script: &str) -> (String, Option<JobEnding>) {
        let plan = StagePlan {
            steps: vec![StagedStep {
                number: 1,
                run: "sh".to_owned(),
                argv: vec!["/bin/sh".to_owned(), "/job/script".to_owned()],
                seconds: 20,
            }],
            stop_on_failure: true,
            script: Some(script.to_owned()),
            cpu_pct: Some(100),
            limits: StepLimits {
                address_space: Some(64 * MIB),
                file: 8 * MIB,
                tasks: Some(32),
                guard: true,
            },
        };
        let mut child = start(self.wrap.any(network, 16 * MIB, &BTreeMap::new()), &plan).unwrap();
        let (mut text, mut how) = (Vec::new(), None);
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            match serde_json::from_str(&line.unwrap()).unwrap() {
                StageFrame::Data { bytes, .. } => {
                    text.extend(BASE64_STANDARD.decode(bytes).unwrap())
                }
                StageFrame::Done { how: end, .. } => how = Some(end),
                StageFrame::Begin { .. } | StageFrame::End { .. } => {}
            }
        }
        child.wait().unwrap();
        (String::from_utf8_lossy(&text).into_owned(), how)
    }
}

/// Attempts that any shell can make: name, script, and what to put around it outside.
const ATTEMPTS: &[(&str, &str, &str)] = &[
    (
        "read shadow",
        "head -c1 /etc/shadow >/dev/null && echo ESCAPED",
        "",
    ),
    (
        "read shadow through a link",
        "ln -s /etc/shadow \"${TMPDIR:-/tmp}/l$$\"; head -c1 \"${TMPDIR:-/tmp}/l$$\" >/dev/null && echo ESCAPED",
        "",
    ),
    (
        "read the device's key",
        "cat @SECRET@ >/dev/null && echo ESCAPED",
        "",
    ),
    (
        "write the fence",
        "touch @FOLDER@/fence && echo ESCAPED",
        "",
    ),
    (
        "environment of the launcher",
        "head -c1 /proc/@PID@/environ >/dev/null && echo ESCAPED",
        "",
    ),
    ("signal the launcher", "kill -0 @PID@ && echo ESCAPED", ""),
    (
        "files of process 1",
        "ls /proc/1/root/etc/passwd && echo ESCAPED",
        "",
    ),
    ("home folders", "ls -d /root /home && echo ESCAPED", ""),
    ("state of services", "ls /var/lib && echo ESCAPED", ""),
    ("sockets of services", "ls /run && echo ESCAPED", ""),
    (
        "write /usr",
        "touch /usr/jarvis-escape && rm /usr/jarvis-escape && echo ESCAPED",
        "",
    ),
    (
        "write /etc",
        "touch /etc/jarvis-escape && rm /etc/jarvis-escape && echo ESCAPED",
        "",
    ),
    (
        "write /dev",
        "touch /dev/jarvis-escape && rm /dev/jarvis-escape && echo ESCAPED",
        "",
    ),
    (
        "write /",
        "mkdir /jarvis-escape && rmdir /jarvis-escape && echo ESCAPED",
        "",
    ),
    (
        "sysctl",
        "h=$(cat /proc/sys/kernel/hostname); echo \"$h\" > /proc/sys/kernel/hostname && echo ESCAPED",
        "",
    ),
    (
        "own limits of memory",
        "echo 0 > /proc/sys/vm/overcommit_memory && echo ESCAPED",
        "unshare -p -f",
    ),
    ("kernel log", "[ -r /dev/kmsg ] && echo ESCAPED", ""),
    (
        "host name",
        "hostname \"$(hostname)\" && echo ESCAPED",
        "unshare -u",
    ),
    (
        "device node",
        "d=${TMPDIR:-/tmp}/n$$; mknod $d b 7 0 && rm $d && echo ESCAPED",
        "",
    ),
    (
        "remount",
        "mount -o remount,bind,rw /usr && echo ESCAPED",
        "unshare -m sh -c 'mount --bind /usr /usr; exec \"$@\"' --",
    ),
    (
        "bind mount",
        "mount --bind /etc /tmp && echo ESCAPED",
        "unshare -m",
    ),
    (
        "new tmpfs",
        "mount -t tmpfs none /tmp && echo ESCAPED",
        "unshare -m",
    ),
    ("chroot", "chroot / /bin/true && echo ESCAPED", ""),
    (
        "nested user namespace",
        "unshare -U true && echo ESCAPED",
        "",
    ),
    (
        "new network namespace",
        "unshare -n true && echo ESCAPED",
        "",
    ),
    (
        "join a namespace",
        "nsenter -t $$ -n true && echo ESCAPED",
        "",
    ),
    (
        "become root",
        "perl -e '$( = $) = 0; $< = $> = 0; print \"ESCAPED\\n\" if $> == 0'",
        "",
    ),
    ("interfaces", "ls /sys/class/net && echo ESCAPED", ""),
    (
        "address family unix",
        "perl -e 'socket(S, 1, 1, 0) and print \"ESCAPED\\n\"'",
        "",
    ),
    (
        "address family packet",
        "perl -e 'socket(S, 17, 3, 768) and print \"ESCAPED\\n\"'",
        "",
    ),
    (
        "raw sockets",
        "perl -e 'socket(S, 2, 3, 1) and print \"ESCAPED\\n\"'",
        "",
    ),
    (
        "reach a port",
        "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(\"127.0.0.1:@PORT@\") and print \"ESCAPED\\n\"'",
        "",
    ),
    (
        "memory",
        "perl -e '$x = \"a\" x (200 << 20); print \"ESCAPED\\n\"'",
        "",
    ),
    (
        "many processes",
        "perl -e 'for (1..64) { my $p = fork; exit unless defined $p; if (!$p) { sleep 2; exit } push @p, $p } print \"ESCAPED\\n\"; kill 9, @p'",
        "",
    ),
    (
        "large file",
        "dd if=/dev/zero of=${TMPDIR:-/tmp}/f$$ bs=1M count=9 2>/dev/null && rm ${TMPDIR:-/tmp}/f$$ && echo ESCAPED",
        "",
    ),
    (
        "full workspace",
        "for i in 1 2 3; do dd if=/dev/zero of=f$i$$ bs=1M count=7 2>/dev/null || exit; done; rm f?$$; echo ESCAPED",
        "env -C /tmp",
    ),
    // Below the usual limit, so that the control needs no capability, and above that of a job.
    ("more descriptors", "ulimit -n 512 && echo ESCAPED", ""),
    ("core dumps", "ulimit -Hc 4096 && echo ESCAPED", ""),
    (
        "inherited descriptors",
        "[ \"$(ls /proc/self/fd | wc -l)\" -gt 4 ] && echo ESCAPED",
        "sh -c 'exec 5</dev/null 6</dev/null; exec \"$@\"' --",
    ),
    (
        "environment",
        "[ -n \"$CARGO_MANIFEST_DIR\" ] && echo ESCAPED",
        "",
    ),
    (
        "records of the stage",
        "for p in @OTHERS@; do (: >> $p/fd/1) 2>/dev/null && echo ESCAPED && break; done",
        "",
    ),
    (
        "set-user-id file",
        "cp /bin/sh s$$ && chown 0 s$$ && chmod 4755 s$$ && rm s$$ && echo ESCAPED",
        "env -C /tmp",
    ),
];

/// System calls by their numbers, for x86-64: each returns 0 or more outside.
#[cfg(target_arch = "x86_64")]
const CALLS: &[(&str, &str)] = &[
    ("ptrace", "syscall(101, 0, 0, 0, 0)"),
    ("process_vm_readv", "syscall(310, $$, 0, 0, 0, 0, 0)"),
    ("keyctl", "syscall(250, 0, -2, 1)"),
    (
        "add_key",
        "syscall(248, $u = \"user\", $n = \"jarvis\", $v = \"x\", 1, -2)",
    ),
    (
        "bpf",
        "syscall(321, 0, $a = pack(\"L4\", 2, 4, 4, 1) . \"\\0\" x 56, 72)",
    ),
    (
        "perf_event_open",
        "syscall(298, $a = pack(\"LLQ\", 1, 112, 0) . \"\\0\" x 96, 0, -1, -1, 0)",
    ),
    ("io_uring_setup", "syscall(425, 1, $p = \"\\0\" x 120)"),
    ("userfaultfd", "syscall(323, 1)"),
    ("unshare by number", "syscall(272, 0x20000)"),
    (
        "clone3 with a user namespace",
        "syscall(435, $c = pack(\"Q8\", 0x10000000, 0, 0, 0, 17, 0, 0, 0), 64)",
    ),
    (
        "open_by_handle_at",
        "syscall(303, -100, $p = \"/etc/passwd\", $h = pack(\"LL\", 128, 0) . \"\\0\" x 128, $m = \"\\0\" x 8, 0)",
    ),
    ("personality", "syscall(135, 0)"),
];

/// Attempts with a working control, at least.
#[cfg(target_arch = "x86_64")]
const LEAST: usize = 50;

/// Attempts whose control may fail outside, each with the reason.
const MAY_LACK: &[(&str, &str)] = &[
    ("kernel log", "containers have no /dev/kmsg"),
    (
        "files of process 1",
        "containers whose process 1 may do more than root in them",
    ),
    ("bpf", "containers and locked kernels refuse it"),
    (
        "perf_event_open",
        "kernel.perf_event_paranoid, or no counters",
    ),
    ("io_uring_setup", "kernel.io_uring_disabled"),
    ("userfaultfd", "not in each kernel's configuration"),
    ("keyctl", "containers refuse keyrings"),
    ("add_key", "containers refuse keyrings"),
    ("open_by_handle_at", "overlay file systems have no handles"),
    ("device node", "containers without CAP_MKNOD"),
    ("sysctl", "containers mount /proc/sys read-only"),
    (
        "own limits of memory",
        "containers mount /proc/sys read-only",
    ),
];

#[test]
fn nothing_leaves_sandbox_b() {
    let Some(sandbox) = SandboxB::new() else {
        return;
    };
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let secret = sandbox.folder.path().join("key");
    std::fs::write(&secret, "secret").unwrap();
    let values = [
        ("@SECRET@", secret.display().to_string()),
        ("@FOLDER@", sandbox.folder.path().display().to_string()),
        ("@PID@", std::process::id().to_string()),
        ("@PORT@", listener.local_addr().unwrap().port().to_string()),
    ];
    let mut all: Vec<(String, String, String)> = ATTEMPTS
        .iter()
        .map(|(name, script, around)| {
            (
                (*name).to_owned(),
                (*script).to_owned(),
                (*around).to_owned(),
            )
        })
        .collect();
    #[cfg(target_arch = "x86_64")]
    all.extend(CALLS.iter().map(|(name, call)| {
        let script = format!("perl -e 'print \"ESCAPED\\n\" if {call} >= 0'");
        ((*name).to_owned(), script, String::new())
    }));
    if !is_root() {
        eprintln!(
            "\n!!! Without root some controls fail outside as well; those attempts are left out. !!!\n"
        );
    }
    let (mut escaped, mut useless, mut tried) = (Vec::new(), Vec::new(), 0);
    for (name, mut script, around) in all {
        for (word, value) in &values {
            script = script.replace(word, value);
        }
        let inside = script.replace("@OTHERS@", "/proc/1 /proc/2 /proc/3");
        let outside = script.replace("@OTHERS@", "/proc/self");
        let around = format!("{around} sh -c \"$1\"");
        if !worked(Command::new("sh").args(["-c", &around, "sh", &outside])) {
            useless.push(name);
            continue;
        }
        tried += 1;
        let (text, how) = sandbox.run(HostNetwork::None, &inside);
        if text.contains("ESCAPED") || how.is_none() {
            escaped.push(format!("{name}: {how:?} {text}"));
        }
    }
    eprintln!("{tried} attempts; without a control here: {useless:?}");
    assert_eq!(escaped, Vec::<String>::new());
    if is_root() {
        useless.retain(|name| !MAY_LACK.iter().any(|(lacks, _)| lacks == name));
        assert_eq!(useless, Vec::<String>::new(), "controls must work outside");
        #[cfg(target_arch = "x86_64")]
        assert!(tried >= LEAST, "{tried} attempts with a control");
    }
}

fn worked(command: &mut Command) -> bool {
    let output = command.output().unwrap();
    String::from_utf8_lossy(&output.stdout).contains("ESCAPED")
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
        let (text, how) = sandbox.run(HostNetwork::None, script);
        assert_eq!(
            (text.as_str(), how),
            (expected, Some(JobEnding::Exit(0))),
            "{script}"
        );
    }
}
