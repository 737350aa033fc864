//! Figures: their names, their ages, and why they are unknown.

pub(crate) const CPU: &str = "CPU";

pub(crate) const MEMORY: &str = "Memory";

pub(crate) const DISK: &str = "Disk";

pub(crate) const ROOT_DISK: &str = "Root disk";

pub(crate) const IO_WAIT: &str = "I/O wait";

pub(crate) const NETWORK: &str = "Network";

pub(crate) const LOAD: &str = "Load";

pub(crate) const TEMPERATURE: &str = "Temperature";

pub(crate) const UPTIME: &str = "Uptime";

pub(crate) const VERSION: &str = "Version";

pub(crate) const KERNEL: &str = "Kernel";

/// The same in a sentence.
pub(crate) mod inline {
    pub(crate) const STATE: &str = "state";

    pub(crate) const CPU: &str = "CPU";

    pub(crate) const MEMORY: &str = "memory";

    pub(crate) const ROOT_DISK: &str = "root disk";

    pub(crate) const LOAD: &str = "load";

    pub(crate) const TEMPERATURE: &str = "temperature";

    pub(crate) const UPTIME: &str = "uptime";

    pub(crate) const VERSION: &str = "version";

    pub(crate) const KERNEL: &str = "kernel";

    pub(crate) const USE: &str = "use";

    pub(crate) const LAST_HOUR: &str = "last hour";
}

pub(crate) fn unknown(names: &str, reason: &str) -> String {
    format!("Unknown {names}: {reason}")
}

pub(crate) const NEVER_SEEN: &str = "never seen";

pub(crate) fn utc(time: &str) -> String {
    format!("{time} UTC")
}

pub(crate) fn at_utc(time: &str) -> String {
    format!("at {time} UTC")
}

pub(crate) fn never_seen(reason: &str) -> String {
    format!("Never seen: {reason}")
}

pub(crate) fn as_of(time: &str, reason: &str) -> String {
    format!("As of {time}: {reason}")
}

pub(crate) fn celsius(degrees: &str) -> String {
    format!("{degrees} °C")
}

pub(crate) fn of(total: &str) -> String {
    format!("– of {total}")
}

pub(crate) fn from_to(name: &str, low: &str, high: &str) -> String {
    format!("{name} {low} to {high}")
}

pub(crate) fn not_seen(name: &str) -> String {
    format!("{name} not seen")
}

/// The names of its lines follow.
pub(crate) fn last_minutes(minutes: u64) -> String {
    format!("Last {minutes} min: ")
}

pub(crate) fn in_last_week(course: &str) -> String {
    format!("In the last week: {course}")
}
