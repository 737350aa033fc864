//! Tasks from before the simulation began, besides backups: a handful of ordinary ones.

use super::{NewTask, SimWorld};
use crate::access::{ROOT, SimCaller, USER};
use crate::calendar::{DAY, HOUR};

/// Hours ago, node, type, id, user, seconds, exit status.
type Past = (
    f64,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    f64,
    &'static str,
);

const PAST: &[Past] = &[
    (0.4, "pve", "vncproxy", "112", ROOT, 214.0, "OK"),
    (1.6, "agent", "srvreload", "networking", ROOT, 3.0, "OK"),
    (3.1, "pve", "imgcopy", "", ROOT, 96.0, "OK"),
    (5.2, "agent", "vzstart", "232", USER, 3.0, "WARNINGS: 1"),
    (5.7, "agent", "vzstop", "232", USER, 2.0, "OK"),
    (
        26.0,
        "pve",
        "qmshutdown",
        "113",
        USER,
        60.0,
        "VM quit/powerdown failed - got timeout",
    ),
    (26.1, "pve", "qmstop", "113", USER, 2.0, "OK"),
    (62.4, "agent", "qmstart", "130", ROOT, 2.0, "OK"),
    (100.8, "pve", "qmstart", "112", USER, 4.0, "OK"),
    (146.4, "agent1", "vzreboot", "220", USER, 4.0, "OK"),
    (146.5, "agent1", "vzstart", "220", ROOT, 3.0, "OK"),
    (328.8, "Home", "vzstart", "201", ROOT, 3.0, "OK"),
];

impl SimWorld {
    /// Fills the task archive.
    pub(super) fn remember(&mut self, now: f64) {
        for (hours, node, kind, id, user, seconds, exit) in PAST {
            let user = SimCaller {
                user: (*user).to_owned(),
                token: None,
            };
            let begin = now - hours * HOUR as f64;
            let mut new = NewTask::new(node, kind, *id, &user, begin, *seconds);
            new.exit = (*exit).to_owned();
            if exit.starts_with("WARNINGS") {
                new.log
                    .push((begin, "WARN: old systemd (< v232) detected".to_owned()));
            }
            self.start_task(new);
        }
        let root = Self::root();
        for day in 0..7 {
            let midnight = now - now.rem_euclid(DAY as f64) - f64::from(day) * DAY as f64;
            for (node, minute) in [
                ("Home", 17.0),
                ("pve", 41.0),
                ("agent1", 8.0),
                ("agent", 53.0),
            ] {
                let begin = midnight + 3.0 * HOUR as f64 + minute * 60.0;
                if begin < now {
                    let mut new = NewTask::new(node, "aptupdate", "", &root, begin, 6.0);
                    new.log.push((begin, "starting apt-get update".to_owned()));
                    self.start_task(new);
                }
            }
        }
    }
}
