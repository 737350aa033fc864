//! Limits that a device cannot enforce, each with its remedy.

pub(crate) const NO_SANDBOX: &str =
    "No sandbox works on this device. Run `jarvis-runner check` there to see why.";
pub(crate) const MEMORY: &str = "Memory limits are not enforced. Add `cgroup_enable=memory` to the end of cmdline.txt and restart the device.";
pub(crate) const CPU: &str = "CPU limits are not enforced. Enable the cpu controller of cgroup v2.";
pub(crate) const TASKS: &str =
    "The number of processes is not limited. Enable the pids controller of cgroup v2.";
pub(crate) const WORKSPACE: &str =
    "The size of the working folder is not limited. Install bubblewrap 0.8 or later.";
pub(crate) const NO_NETWORK: &str =
    "Scripts cannot run without a network. Allow user namespaces or install the launcher.";
pub(crate) const LISTED_NETWORK: &str =
    "Scripts cannot be limited to the listed destinations. Install the launcher for systemd.";
pub(crate) const RAW: &str =
    "Captures and sweeps are not available. Install the launcher for systemd.";
