//! The attempts: name, script, and what to put around it outside. Each prints `ESCAPED` if it worked. A name is a
//! class, or a class and one of its variants: `class: variant`.

pub(super) type ShellAttempt = (&'static str, &'static str, &'static str);

/// Attempts that any shell can make.
pub(super) const ATTEMPTS: &[ShellAttempt] = &[
    (
        "read shadow",
        "head -c1 /etc/shadow >/dev/null && echo ESCAPED",
        "",
    ),
    (
        "read shadow: through a link",
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
        "write other folders: /dev",
        "touch /dev/jarvis-escape && rm /dev/jarvis-escape && echo ESCAPED",
        "",
    ),
    (
        "write other folders: the root",
        "mkdir /jarvis-escape && rmdir /jarvis-escape && echo ESCAPED",
        "",
    ),
    (
        "sysctl",
        "h=$(cat /proc/sys/kernel/hostname); echo \"$h\" > /proc/sys/kernel/hostname && echo ESCAPED",
        "",
    ),
    (
        "sysctl: of memory",
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
        "bind mount: a new tmpfs",
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
        "setns: its own",
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
        "forbidden address by TCP",
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
        "byte fill: one file",
        "dd if=/dev/zero of=${TMPDIR:-/tmp}/f$$ bs=1M count=9 2>/dev/null && rm ${TMPDIR:-/tmp}/f$$ && echo ESCAPED",
        "",
    ),
    (
        "byte fill: the workspace",
        "for i in 1 2 3; do dd if=/dev/zero of=f$i$$ bs=1M count=7 2>/dev/null || exit; done; rm f?$$; echo ESCAPED",
        "env -C /tmp",
    ),
    (
        "byte fill: temporary folders",
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
    ("raised limits", "ulimit -n 512 && echo ESCAPED", ""),
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
    (
        "write the journal",
        "printf x >> @JOURNAL@ && echo ESCAPED",
        "",
    ),
    (
        "process of the launcher",
        "ls /proc/@PID@/fd/ >/dev/null && echo ESCAPED",
        "",
    ),
    (
        "another job's workspace",
        "for p in /proc/[0-9]*; do [ -e $p/root/job/neighbour ] && echo ESCAPED && break; done",
        "",
    ),
    (
        "setns: of process 1",
        "nsenter --mount=/proc/1/ns/mnt --uts=/proc/1/ns/uts true && echo ESCAPED",
        "",
    ),
    (
        "setns: of the launcher",
        "nsenter --mount=/proc/@PID@/ns/mnt --uts=/proc/@PID@/ns/uts true && echo ESCAPED",
        "",
    ),
    (
        "pivot_root",
        "pivot_root . . && echo ESCAPED",
        "unshare -m sh -c 'mount -t tmpfs none /mnt && cd /mnt && exec \"$@\"' --",
    ),
    (
        "/dev/mem",
        "f=/dev/mem; [ -e $f ] || { f=${TMPDIR:-/tmp}/mem$$; mknod $f c 1 1; }; head -c1 $f >/dev/null && echo ESCAPED",
        "",
    ),
    (
        "/dev/mem: as a core",
        "head -c1 /proc/kcore >/dev/null && echo ESCAPED",
        "",
    ),
    (
        "hard link",
        "for to in @FOLDER@/h$$ \"${TMPDIR:-/tmp}/h$$\"; do ln @SECRET@ $to && rm $to && echo ESCAPED && break; done",
        "",
    ),
    (
        "hard link: to a program",
        "for to in /usr/bin/h$$ \"${TMPDIR:-/tmp}/h$$\"; do ln /usr/bin/env $to && rm $to && echo ESCAPED && break; done",
        "",
    ),
    // The name that was a folder of the job's own when somebody looked is the launcher's when it is opened.
    (
        "symlink swap",
        "d=${TMPDIR:-/tmp}/d$$; mkdir $d && touch $d/x && rm -r $d && ln -s @FOLDER@ $d && touch $d/swapped && rm $d && echo ESCAPED",
        "",
    ),
    (
        "TIOCSTI",
        "perl -e 'open(T, \"+<\", \"/dev/tty\") and ioctl(T, 0x5412, $c = \"x\") and print \"ESCAPED\\n\"'",
        WITH_TERMINAL,
    ),
    (
        "inode fill",
        "mkdir i$$ && perl -e 'for (1..50000) { open(my $f, \">\", \"i$ARGV[0]/$_\") or exit } print \"ESCAPED\\n\"' $$; rm -r i$$",
        "env -C /tmp",
    ),
    (
        "forbidden address by UDP",
        "perl -MIO::Socket::IP -e '$s = IO::Socket::IP->new(Type => 2, PeerHost => \"127.0.0.1\", PeerPort => @ECHO@) or exit; send($s, \"x\", 0) or exit; $r = \"\"; vec($r, fileno($s), 1) = 1; select($r, undef, undef, 2) and sysread($s, $b, 9) and print \"ESCAPED\\n\"'",
        "",
    ),
    (
        "forbidden address by IPv6",
        "perl -MIO::Socket::IP -e '$s = IO::Socket::IP->new(Type => 2, PeerHost => \"::1\", PeerPort => @ECHO6@) or exit; send($s, \"x\", 0) or exit; $r = \"\"; vec($r, fileno($s), 1) = 1; select($r, undef, undef, 2) and sysread($s, $b, 9) and print \"ESCAPED\\n\"'",
        "",
    ),
    (
        "forbidden address in IPv6",
        "perl -MIO::Socket::IP -e '$s = IO::Socket::IP->new(Type => 2, PeerHost => \"::ffff:127.0.0.1\", PeerPort => @ECHO@) or exit; send($s, \"x\", 0) or exit; $r = \"\"; vec($r, fileno($s), 1) = 1; select($r, undef, undef, 2) and sysread($s, $b, 9) and print \"ESCAPED\\n\"'",
        "",
    ),
    // A question whose name carries data, to a resolver that is not the device's.
    (
        "forbidden resolver",
        "perl -MIO::Socket::IP -e '$s = IO::Socket::IP->new(Type => 2, PeerHost => \"127.0.0.1\", PeerPort => @ECHO@) or exit; $q = pack(\"n6\", 4711, 256, 1, 0, 0, 0) . pack(\"(C/a)*\", \"stolen\", \"example\", \"org\") . pack(\"Cnn\", 0, 16, 1); send($s, $q, 0) or exit; $r = \"\"; vec($r, fileno($s), 1) = 1; select($r, undef, undef, 2) and sysread($s, $b, 512) and unpack(\"n\", $b) == 4711 and print \"ESCAPED\\n\"'",
        "",
    ),
    (
        "forbidden address by ICMP",
        "perl -MSocket -e 'socket(S, 2, 3, 1) or socket(S, 2, 2, 1) or exit; send(S, pack(\"n4\", 0x800, 0xf7fd, 1, 1), 0, sockaddr_in(0, inet_aton(\"127.0.0.1\"))) or exit; $r = \"\"; vec($r, fileno(S), 1) = 1; select($r, undef, undef, 2) and sysread(S, $b, 99) and print \"ESCAPED\\n\"'",
        "",
    ),
    // What a step leaves behind would write into the output of the next one.
    (
        "daemon",
        "setsid sh -c 'sleep 1; echo ESCAPED' & exit 0",
        "",
    ),
    (
        "double fork",
        "perl -MPOSIX=setsid -e 'fork and exit; setsid; fork and exit; sleep 1; syswrite STDOUT, \"ESCAPED\\n\"'",
        "",
    ),
    (
        "ignored signals",
        "(trap '' TERM HUP INT; sleep 1; echo ESCAPED) & exit 0",
        "",
    ),
];

/// A terminal of its own around an attempt outside.
const WITH_TERMINAL: &str = "perl -MPOSIX=setsid -e '$^F = 99; if (fork) { wait; exit } setsid; open($m, \"+<\", \"/dev/ptmx\") or exit; $n = pack(\"i\", 0); ioctl($m, 0x40045431, $n); ioctl($m, 0x80045430, $n); open($s, \"+<\", \"/dev/pts/\" . unpack(\"i\", $n)) or exit; exec @ARGV'";

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
        "forbidden address by UDP: without an answer",
        "perl -MIO::Socket::IP -e '$s = IO::Socket::IP->new(Type => 2, PeerHost => \"127.0.0.1\", PeerPort => 9); print \"ESCAPED\\n\" if send($s, \"x\", 0)'",
        "",
    ),
    (
        "forbidden address by IPv6: without an answer",
        "perl -MIO::Socket::IP -e '$s = IO::Socket::IP->new(Type => 2, PeerHost => \"::1\", PeerPort => 9); print \"ESCAPED\\n\" if send($s, \"x\", 0)'",
        "",
    ),
    (
        "forbidden address in IPv6: without an answer",
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
        "keyctl: add_key",
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
    ("new mount namespace", "syscall(272, 0x20000)"),
    (
        "nested user namespace: clone3",
        "syscall(435, $c = pack(\"Q8\", 0x10000000, 0, 0, 0, 17, 0, 0, 0), 64)",
    ),
    (
        "open_by_handle_at",
        "syscall(303, -100, $p = \"/etc/passwd\", $h = pack(\"LL\", 128, 0) . \"\\0\" x 128, $m = \"\\0\" x 8, 0)",
    ),
    ("personality", "syscall(135, 0)"),
    ("/dev/mem: ports of the machine", "syscall(173, 0x80, 1, 1)"),
    // The permission to use packet sockets, for whoever starts the file.
    (
        "file capability",
        "do { open(my $h, \">\", $f = ($ENV{TMPDIR} || \"/tmp\") . \"/c$$\"); my $r = syscall(188, $f, $n = \"security.capability\", $v = pack(\"L5\", 0x2000001, 8192, 0, 0, 0), 20, 0); unlink $f; $r }",
    ),
    // Its rate is set to what it is.
    (
        "clock set",
        "do { my $t = \"\\0\" x 208; syscall(159, $t); substr($t, 0, 4) = pack(\"L\", 2); syscall(159, $t) }",
    ),
];

/// Classes of attempts with a working control, at least.
#[cfg(target_arch = "x86_64")]
pub(super) const LEAST: usize = 50;

/// Attempts whose control may fail outside, each with the reason.
pub(super) const MAY_LACK: &[(&str, &str)] = &[
    ("kernel log", "containers have no /dev/kmsg"),
    (
        "/dev/mem",
        "kernels without CONFIG_DEVMEM, and containers without CAP_MKNOD",
    ),
    ("/dev/mem: as a core", "not in each kernel's configuration"),
    (
        "/dev/mem: ports of the machine",
        "containers without CAP_SYS_RAWIO",
    ),
    (
        "clock set",
        "machines whose process 1 has no CAP_SYS_TIME: no test may change this machine's clock",
    ),
    (
        "setns: of process 1",
        "containers whose process 1 may do more than root in them",
    ),
    (
        "pivot_root",
        "machines whose root is the kernel's first file system",
    ),
    (
        "TIOCSTI",
        "dev.tty.legacy_tiocsti is 0, and older kernels then refuse root too",
    ),
    (
        "file capability",
        "file systems without extended attributes",
    ),
    ("forbidden address by IPv6", "machines without IPv6"),
    ("forbidden address in IPv6", "machines without IPv6"),
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
    ("keyctl: add_key", "containers refuse keyrings"),
    ("open_by_handle_at", "overlay file systems have no handles"),
    ("device node", "containers without CAP_MKNOD"),
    ("address family vsock", "not in each kernel's configuration"),
    ("another control group", "containers mount them read-only"),
    ("sysctl", "containers mount /proc/sys read-only"),
    ("sysctl: of memory", "containers mount /proc/sys read-only"),
];
