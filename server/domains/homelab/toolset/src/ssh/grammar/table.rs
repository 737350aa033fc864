//! The table: every program that can be run on a node, with every word of its command line.
//!
//! Every row must change nothing, terminate on its own, open no file named in the text, start no
//! other program, and print no secrets (no environments, no lists of command lines, no
//! configuration). Paths are those of Proxmox VE 8 and 9.
//!
//! `systemctl status` is missing on purpose: it lists the command line of every process of the
//! unit, and no option turns that off. `show` with its fixed list of properties and `journalctl`
//! cover the rest. Without a unit, `journalctl` shows warnings and worse alone: below them, `sudo`
//! logs the command lines of people, and their own programs log what they do.

use super::placeholder::PlaceholderKind;

/// Effect of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommandAccess {
    /// Reads only.
    Look,
    /// Restarts the unit given as the first value.
    Restart,
}

pub(super) enum CommandPart {
    /// A fixed word of the command.
    Word(&'static str),
    /// Words always passed to the program; the text may leave out all of them.
    Added(&'static [&'static str]),
    Value(PlaceholderKind),
}

pub(super) struct GrammarRow {
    /// Absolute path.
    pub(super) program: &'static str,
    pub(super) parts: &'static [CommandPart],
    /// Description of the output.
    pub(super) about: &'static str,
    pub(super) access: CommandAccess,
    /// Number of columns shown, if not all; the others may hold secrets.
    pub(super) columns: Option<usize>,
}

impl GrammarRow {
    /// The program's name.
    pub(super) fn name(&self) -> &'static str {
        self.program.rsplit('/').next().unwrap_or(self.program)
    }

    /// The form shown to people and the model, such as `journalctl -u UNIT -n N`.
    pub(super) fn form(&self) -> String {
        let mut form = self.name().to_owned();
        for part in self.parts {
            match part {
                CommandPart::Word(word) => {
                    form.push(' ');
                    form.push_str(word);
                }
                CommandPart::Value(placeholder) => {
                    form.push(' ');
                    form.push_str(&placeholder.placeholder());
                }
                CommandPart::Added(_) => {}
            }
        }
        form
    }
}

const fn look(
    program: &'static str,
    parts: &'static [CommandPart],
    about: &'static str,
) -> GrammarRow {
    GrammarRow {
        program,
        parts,
        about,
        access: CommandAccess::Look,
        columns: None,
    }
}

use CommandPart::{Added, Value, Word};

const LINES: CommandPart = Value(PlaceholderKind::Range(1, 500));
const UNIT: CommandPart = Value(PlaceholderKind::Unit);
const DISK: CommandPart = Value(PlaceholderKind::Disk);
const PRIORITY: CommandPart = Value(PlaceholderKind::Enum(&[
    "emerg", "alert", "crit", "err", "warning", "notice", "info",
]));
/// For the whole log of a node, where no unit narrows what is shown.
const WARNING: CommandPart = Value(PlaceholderKind::Enum(&[
    "emerg", "alert", "crit", "err", "warning",
]));
const KERNEL_LEVEL: CommandPart = Value(PlaceholderKind::Enum(&[
    "emerg", "alert", "crit", "err", "warn", "notice", "info",
]));

/// Options of `systemctl show`: the unit's state, without its environment and command line.
const SHOW: CommandPart = Added(&[
    "--no-pager",
    "--timestamp",
    "unix",
    "-p",
    "Id,LoadState,ActiveState,SubState,Result,MainPID,NRestarts,InvocationID,ExecMainStatus,\
     ActiveEnterTimestamp,ActiveEnterTimestampMonotonic,Job",
    "--",
]);

/// The rows, grouped by program.
pub(super) static ROWS: &[GrammarRow] = &[
    look("/usr/bin/uptime", &[], "time since start, load"),
    look("/usr/bin/uname", &[Word("-a")], "kernel"),
    look("/usr/bin/nproc", &[], "number of processors"),
    look("/usr/bin/lscpu", &[], "processors"),
    look("/usr/bin/df", &[Word("-h")], "space on file systems"),
    look("/usr/bin/df", &[Word("-i")], "inodes of file systems"),
    look("/usr/bin/free", &[Word("-m")], "memory in MiB"),
    look("/usr/bin/free", &[Word("-h")], "memory"),
    look("/usr/bin/lsblk", &[], "disks and partitions"),
    look(
        "/usr/bin/sensors",
        &[Word("-j")],
        "temperatures, fans, voltages",
    ),
    look(
        "/usr/bin/ps",
        &[
            Word("-eo"),
            Word("pid,user,pcpu,pmem,rss,etime,comm"),
            Word("--sort"),
            Word("-pcpu"),
        ],
        "processes by processor time",
    ),
    look(
        "/usr/bin/ps",
        &[
            Word("-eo"),
            Word("pid,user,pcpu,pmem,rss,etime,comm"),
            Word("--sort"),
            Word("-rss"),
        ],
        "processes by memory",
    ),
    look(
        "/usr/bin/systemctl",
        &[Word("is-active"), Added(&["--"]), UNIT],
        "whether a service runs",
    ),
    look(
        "/usr/bin/systemctl",
        &[Word("show"), SHOW, UNIT],
        "state of a service as fields",
    ),
    GrammarRow {
        // The fifth column is the description, which systemd-run copies from the command line.
        columns: Some(4),
        ..look(
            "/usr/bin/systemctl",
            &[
                Word("list-units"),
                Word("--failed"),
                Added(&["--no-pager", "--plain"]),
            ],
            "units that failed",
        )
    },
    GrammarRow {
        program: "/usr/bin/systemctl",
        parts: &[Word("restart"), Added(&["--"]), UNIT],
        about: "restarts a service",
        access: CommandAccess::Restart,
        columns: None,
    },
    look(
        "/usr/bin/journalctl",
        &[Word("-u"), UNIT, Word("-n"), LINES, Added(&["--no-pager"])],
        "last log lines of a service",
    ),
    look(
        "/usr/bin/journalctl",
        &[
            Word("-u"),
            UNIT,
            Word("-p"),
            PRIORITY,
            Word("-n"),
            LINES,
            Added(&["--no-pager"]),
        ],
        "the same, of this priority and above",
    ),
    look(
        "/usr/bin/journalctl",
        &[
            Word("-p"),
            WARNING,
            Word("-n"),
            LINES,
            Added(&["--no-pager"]),
        ],
        "last log lines of this priority and above",
    ),
    look(
        "/usr/bin/journalctl",
        &[Word("-k"), Word("-n"), LINES, Added(&["--no-pager"])],
        "last log lines of the kernel",
    ),
    look(
        "/usr/bin/dmesg",
        &[Word("-T"), Word("-l"), KERNEL_LEVEL, Added(&["-P"])],
        "messages of the kernel of one level",
    ),
    look("/usr/bin/ip", &[Word("-br"), Word("addr")], "addresses"),
    look(
        "/usr/bin/ip",
        &[Word("-br"), Word("link")],
        "network interfaces",
    ),
    look("/usr/bin/ip", &[Word("route"), Word("show")], "routes"),
    look("/usr/bin/ss", &[Word("-tln")], "listening TCP ports"),
    look(
        "/usr/bin/ss",
        &[Word("-tlnp")],
        "listening TCP ports with programs",
    ),
    look("/usr/bin/ss", &[Word("-s")], "number of connections"),
    look("/usr/sbin/zpool", &[Word("status")], "health of ZFS pools"),
    look("/usr/sbin/zpool", &[Word("list")], "space in ZFS pools"),
    look("/usr/sbin/zfs", &[Word("list")], "ZFS file systems"),
    look(
        "/usr/sbin/smartctl",
        &[Word("-H"), DISK],
        "whether a disk says that it is healthy",
    ),
    look(
        "/usr/sbin/smartctl",
        &[Word("-A"), DISK],
        "wear and errors of a disk",
    ),
    look("/usr/sbin/pvesm", &[Word("status")], "storages of Proxmox"),
    look("/usr/bin/pveversion", &[], "version of Proxmox"),
    look(
        "/usr/bin/chronyc",
        &[Word("-n"), Word("tracking")],
        "how exact the clock is",
    ),
];
