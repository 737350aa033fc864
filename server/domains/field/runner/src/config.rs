//! Configuration: folders, users and programs, each with the place that the Debian package uses.

use std::path::{Path, PathBuf};

use field_package::policy::DeviceVeto;
use serde::Deserialize;

use crate::{error::RunnerError, files, texts};

/// The configuration file of a device.
pub const CONFIG_FILE: &str = "/etc/jarvis-runner/config.toml";
/// Minutes between two requests for a release: at least one, at most a week.
const UPDATE_MINUTES: std::ops::RangeInclusive<u32> = 1..=7 * 24 * 60;

/// All keys of the file. Without a file these are the defaults.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunnerConfig {
    /// Identity, first root document and veto; root's.
    pub settings: PathBuf,
    /// Key and journal; the runner's.
    pub state: PathBuf,
    /// Fence and output of jobs; the launcher's.
    pub fence: PathBuf,
    /// Socket of the launcher.
    pub socket: PathBuf,
    /// User of the runner.
    pub user: String,
    /// User of jobs in sandbox B, when the launcher is root.
    pub job_user: String,
    pub bubblewrap: PathBuf,
    /// One more certificate authority for the server, as PEM.
    pub ca_file: Option<PathBuf>,
    /// Programs that releases brought; the launcher's, and readable to the runner.
    pub programs: PathBuf,
    /// False if no release may be fetched or installed here.
    pub updates: bool,
    /// Minutes between two requests for a release.
    pub update_minutes: u32,
}

impl Default for RunnerConfig {
    fn default() -> Self {
        Self {
            settings: "/etc/jarvis-runner".into(),
            state: "/var/lib/jarvis-runner".into(),
            fence: "/var/lib/jarvis-fence".into(),
            socket: "/run/jarvis-launcher/socket".into(),
            user: "jarvis-runner".to_owned(),
            job_user: "jarvis-job".to_owned(),
            bubblewrap: "/usr/bin/bwrap".into(),
            ca_file: None,
            programs: "/var/lib/jarvis-programs".into(),
            updates: true,
            update_minutes: 6 * 60,
        }
    }
}

impl RunnerConfig {
    /// Reads a file; the default one may be missing.
    ///
    /// # Errors
    /// If the file can't be read, or has an unknown key or an impossible value.
    pub fn load(path: Option<&Path>) -> Result<Self, RunnerError> {
        let file = path.unwrap_or(Path::new(CONFIG_FILE));
        let bytes = files::read(file).map_err(RunnerError::file(file))?;
        let bad = |reason: String| RunnerError::Config {
            path: file.to_owned(),
            reason,
        };
        match bytes {
            None if path.is_none() => Ok(Self::default()),
            None => Err(bad(std::io::ErrorKind::NotFound.to_string())),
            Some(bytes) => {
                let text = String::from_utf8(bytes).map_err(|error| bad(error.to_string()))?;
                let config: Self =
                    toml::from_str(&text).map_err(|error| bad(error.message().to_owned()))?;
                if UPDATE_MINUTES.contains(&config.update_minutes) {
                    Ok(config)
                } else {
                    Err(bad(texts::UPDATE_MINUTES.to_owned()))
                }
            }
        }
    }

    /// Reads what the device's owner forbids; without a file that is nothing.
    ///
    /// # Errors
    /// If the file can't be read or understood: then everything is refused.
    pub(crate) fn veto(&self) -> Result<DeviceVeto, RunnerError> {
        let path = self.settings.join("veto.toml");
        let bytes = files::read(&path).map_err(RunnerError::file(&path))?;
        let Some(bytes) = bytes else {
            return Ok(DeviceVeto::default());
        };
        toml::from_slice(&bytes).map_err(|error| RunnerError::Config {
            path,
            reason: error.message().to_owned(),
        })
    }
}

/// A user of the system, from `/etc/passwd`: users of services are local ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalUser {
    pub uid: u32,
    pub gid: u32,
}

impl LocalUser {
    /// The user of this name, None if there is none.
    pub fn find(name: &str) -> Option<Self> {
        let text = std::fs::read_to_string("/etc/passwd").ok()?;
        text.lines().find_map(|line| {
            let parts: Vec<_> = line.split(':').collect();
            let [found, _, uid, gid, ..] = parts.as_slice() else {
                return None;
            };
            let user = Self {
                uid: uid.parse().ok()?,
                gid: gid.parse().ok()?,
            };
            (*found == name).then_some(user)
        })
    }
}

/// True if this process is root.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<RunnerConfig, RunnerError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        RunnerConfig::load(Some(file.path()))
    }

    #[test]
    fn the_packaged_file_shows_every_key_with_its_default() {
        let text = include_str!("../packaging/config.toml");
        let keys = text.lines().filter_map(|line| line.strip_prefix("# "));
        let keys: Vec<_> = keys.filter(|line| line.contains(" = ")).collect();
        let shown = load(&keys.join("\n")).unwrap();
        let ca_file = shown.ca_file.clone();
        assert!(ca_file.is_some());
        let defaults = RunnerConfig {
            ca_file,
            ..RunnerConfig::default()
        };
        assert_eq!(shown, defaults);
        assert_eq!(load("").unwrap(), RunnerConfig::default());
    }

    #[test]
    fn an_impossible_interval_is_refused() {
        for minutes in ["0", "10081", "-1", "\"often\""] {
            let refused = load(&format!("update_minutes = {minutes}\n"));
            assert_eq!(refused.unwrap_err().code(), "config", "{minutes}");
        }
        let off = load("updates = false\nupdate_minutes = 10080\n").unwrap();
        assert!(!off.updates);
    }
}
