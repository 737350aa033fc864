//! The attempts: name, script, and what to put around it outside. Each prints `ESCAPED` if it worked.

pub(super) type ShellAttempt = (&'static str, &'static str, &'static str);

/// Attempts that any shell can make.
pub(super) const ATTEMPTS: &[ShellAttempt] = &[
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
    (
        "home folders",
        "{ ls /root || ls /home; } >/dev/null && echo ESCAPED",
        "",
    ),
    ("state of services", "ls /var/lib && echo ESCAPED", ""),
    // A folder of systemd itself is there in sandbox A, and empty.
    (
        "sockets of services",
        "ls -d /run/[!s]* && echo ESCAPED",
        "",
    ),
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
        "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(PeerAddr => \"127.0.0.1:@PORT@\", Timeout => 3) and print \"ESCAPED\\n\"'",
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
    (
        "temporary folders without a limit",
        "for d in /tmp /var/tmp /dev/shm; do dd if=/dev/zero of=$d/f$$ bs=1M count=2 2>/dev/null && rm $d/f$$ && echo ESCAPED; done",
        "",
    ),
    (
        "another control group",
        "for g in $(find /sys/fs/cgroup -name cgroup.procs 2>/dev/null); do echo $$ > $g && echo ESCAPED && break; done",
        "",
    ),
    (
        "address family vsock",
        "perl -e 'socket(S, 40, 1, 0) and print \"ESCAPED\\n\"'",
        "",
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

/// More of them in sandbox A: against the service manager, and against addresses on a network that sandbox B does
/// not have.
pub(super) const UNDER_SYSTEMD: &[ShellAttempt] = &[
    (
        "state of units",
        "systemctl list-units >/dev/null && echo ESCAPED",
        "",
    ),
    (
        "another unit",
        "systemd-run --quiet --wait true && echo ESCAPED",
        "",
    ),
    (
        "forbidden address by UDP",
        "perl -MIO::Socket::IP -e '$s = IO::Socket::IP->new(Type => 2, PeerHost => \"127.0.0.1\", PeerPort => 9); print \"ESCAPED\\n\" if send($s, \"x\", 0)'",
        "",
    ),
    (
        "forbidden address by IPv6",
        "perl -MIO::Socket::IP -e '$s = IO::Socket::IP->new(Type => 2, PeerHost => \"::1\", PeerPort => 9); print \"ESCAPED\\n\" if send($s, \"x\", 0)'",
        "",
    ),
    (
        "forbidden address in IPv6",
        "perl -MIO::Socket::IP -e '$s = IO::Socket::IP->new(Type => 2, PeerHost => \"::ffff:127.0.0.1\", PeerPort => 9); print \"ESCAPED\\n\" if send($s, \"x\", 0)'",
        "",
    ),
];

/// System calls by their numbers, for x86-64: each returns 0 or more outside.
#[cfg(target_arch = "x86_64")]
pub(super) const CALLS: &[(&str, &str)] = &[
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
pub(super) const LEAST: usize = 50;

/// Attempts whose control may fail outside, each with the reason.
pub(super) const MAY_LACK: &[(&str, &str)] = &[
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
    ("address family vsock", "not in each kernel's configuration"),
    ("another control group", "containers mount them read-only"),
    ("sysctl", "containers mount /proc/sys read-only"),
    (
        "own limits of memory",
        "containers mount /proc/sys read-only",
    ),
];
