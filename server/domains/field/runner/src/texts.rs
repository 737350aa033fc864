//! Sentences for people: errors, their help, and the table of `check`.

pub(crate) const NOT_ENROLLED: &str = "This device is not enrolled.";
pub(crate) const NOT_ENROLLED_HELP: &str =
    "Create an enrolment in Jarvis, then run: jarvis-runner enrol --server URL TOKEN";
pub(crate) const ENROLLED: &str = "This device is enrolled already.";
pub(crate) const ENROLLED_HELP: &str = "To enrol it again as a new device, stop the services and remove device.json from the settings folder.";
pub(crate) const TOKEN: &str = "This is not an enrolment token.";
pub(crate) const TOKEN_HELP: &str =
    "Copy the whole token; it begins with jarvis-enrol-1 and can be used once.";
pub(crate) const ADDRESS: &str = "The server's address must be an https:// URL.";
pub(crate) const ADDRESS_HELP: &str =
    "Plain http:// is accepted for a server on this machine only.";
pub(crate) const CONFIG_HELP: &str = "Correct the file; packaging/config.toml shows every key.";
pub(crate) const SERVER_HELP: &str =
    "The server's page of this device says more. Requests that may succeed later are repeated.";
pub(crate) const NO_ANSWER_HELP: &str =
    "Check the network and the server's address; the runner keeps trying.";
pub(crate) const CLOCK_HELP: &str =
    "Set the device's clock, or start time synchronisation; no job runs until then.";
pub(crate) const ANSWER_HELP: &str = "Runner and server may be of different versions: update both.";
pub(crate) const ROOT_HELP: &str = "Don't continue: someone may be between this device and its server. Enrol again with a new token.";
pub(crate) const RELEASE_HELP: &str =
    "The installed version goes on. Ask whoever released it for one that fits this device.";
pub(crate) const TRIAL: &str = "The installed version has not reported to the server yet.";
pub(crate) const TRIAL_HELP: &str =
    "Wait some minutes: it reports, or the version before it comes back.";
pub(crate) const RETRY_LATER: &str =
    "This version did not report to the server in time. It is tried again later.";
pub(crate) const RETRY_LATER_HELP: &str =
    "Wait for the next try, or release a higher version, which is tried at once.";
pub(crate) const UPDATE_MINUTES: &str = "update_minutes must be between 1 and 10080 (a week).";
pub(crate) const UPDATES_OFF: &str = "Nothing is installed here: updates are switched off, or the service was not started by jarvis-runner start.";
pub(crate) const OTHER_PROGRAM: &str = "The launcher runs another version of the program.";
pub(crate) const JOURNAL_HELP: &str = "No job runs until someone has looked at it. Keep the file, retire this device and enrol it again.";
pub(crate) const FILE_HELP: &str = "Check the owner and mode of the file, and the free space.";
pub(crate) const LAUNCHER_HELP: &str =
    "Check the launcher: systemctl status jarvis-launcher. No job runs without it.";
pub(crate) const REFUSED_HELP: &str =
    "The job was not run. Propose it again if it is still wanted.";
pub(crate) const SANDBOX_HELP: &str =
    "Run jarvis-runner check on the device to see what is missing.";

pub(crate) const BUSY: &str = "Another job is running.";
pub(crate) const ALREADY_STARTED: &str = "This job was started once already.";
pub(crate) const STRANGER: &str = "This user may not ask the launcher.";
pub(crate) const BAD_ASK: &str = "This is not a request that the launcher knows.";
pub(crate) const UNPRIVILEGED: &str =
    "Jobs never run as root. Create the user that job_user names.";

pub(crate) const WORKS: &str = "works";
pub(crate) const NO_USER_NAMESPACES: &str =
    "Install bubblewrap, and allow user namespaces: sysctl kernel.unprivileged_userns_clone=1";
pub(crate) const NO_SYSTEMD: &str = "Sandbox A needs systemd as the first process, and root.";
pub(crate) const NO_MEMORY_CONTROLLER: &str =
    "Add cgroup_enable=memory to the kernel's command line for limits of a whole job's memory.";
pub(crate) const NO_LANDLOCK: &str =
    "The kernel has no Landlock: one layer less, no boundary is lost.";
pub(crate) const NO_SECCOMP: &str = "The kernel does not load the filter of system calls.";
pub(crate) const NO_PING: &str =
    "For ping without rights: sysctl net.ipv4.ping_group_range=\"0 2147483647\"";
pub(crate) const NO_RESOLVER: &str = "No DNS server is in /etc/resolv.conf.";
pub(crate) const NO_SPACE: &str = "The state folder can't be written and synced.";
pub(crate) const NOT_KEPT: &str = "Not kept here; jobs that need it are refused.";
pub(crate) const NETWORK_LEFT: &str = "the network is still there";
pub(crate) const PACKETS_LEFT: &str = "a job without packet sockets could open one";
pub(crate) const PROBE_LOST: &str = "a probe ended without an answer";
pub(crate) const NO_PACKETS: &str =
    "Units of systemd get no CAP_NET_RAW here; captures and sweeps are refused.";
pub(crate) const CLOCK_UNSET: &str = "It was never set: start time synchronisation.";
pub(crate) const NO_PROGRAM: &str = "Not installed; jobs that use it are refused by their steps.";

/// The line in a stream where its middle was left out.
pub(crate) fn gap(bytes: u64) -> String {
    format!("\n[{bytes} bytes left out]\n")
}
