//! Guest conditions: no recent backup.

use serde_json::Value;

use super::SurveyState;
use crate::{config::NoticeKind, texts};

impl SurveyState<'_> {
    pub(super) fn guests(&mut self) {
        if self.lacks("guests_lack") {
            self.unsure_of_all("guest/");
        }
        // Reads only the fields in use: there may be many guests, and they change often.
        let backups: Vec<(String, String, NewestBackup)> = self
            .parts("guest")
            .filter_map(|(vmid, part)| {
                let kind = part["kind"].as_str().unwrap_or("guest");
                let name = part["name"].as_str().map(|name| format!(" ({name})"));
                let about = format!("{kind} {vmid}{}", name.unwrap_or_default());
                Some((vmid.to_owned(), about, backup(&part["backup"])?))
            })
            .collect();
        for (vmid, about, backup) in backups {
            let key = format!("guest/{vmid}/backup");
            // A listed guest is known, even if other things are not.
            self.survey.unknown.remove(&key);
            let text = match backup {
                NewestBackup::Sound => continue,
                NewestBackup::Unknown => {
                    self.unsure(&key);
                    continue;
                }
                NewestBackup::None => texts::conditions::no_backup(&about),
                NewestBackup::Old(at) => {
                    let days = (self.now.0 - at) / 86_400_000;
                    let age = match days {
                        0 | 1 => format!("{} hours", (self.now.0 - at) / 3_600_000),
                        days => texts::conditions::days(days),
                    };
                    texts::conditions::old_backup(&about, &age)
                }
            };
            self.add(&key, NoticeKind::Backup, false, &about, text);
        }
    }
}

enum NewestBackup {
    Sound,
    Unknown,
    None,
    /// The newest backup was made at this time, in milliseconds.
    Old(i64),
}

/// `None` for guests without backups, such as templates.
fn backup(part: &Value) -> Option<NewestBackup> {
    let backup = part.as_object()?;
    if backup.contains_key("unknown") {
        return Some(NewestBackup::Unknown);
    }
    let gap = part["gap"].as_bool()?;
    Some(match (gap, part["at"].as_i64()) {
        (false, _) => NewestBackup::Sound,
        (true, Some(at)) => NewestBackup::Old(at),
        (true, None) => NewestBackup::None,
    })
}
