//! The newest backup of a guest, as a risk of an order.

use std::time::Duration;

use protocol::{RiskReason, RiskWeight};

use super::order::{PowerOrder, Verb};
use crate::{
    cluster_access::{ClusterAccess, NodeEntry},
    rights::Rights,
    texts,
    time::{rfc3339, rough},
    tools::backups,
};

/// Time limit for what is good to know on a card; beyond it, it is unknown.
pub(super) const BACKUP_PATIENCE: Duration = Duration::from_millis(1_500);
/// Hours within which a nightly job has made another one.
const NIGHT: i64 = 26;

/// The newest backup of a guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum GuestBackup {
    None,
    /// The reason, without a full stop.
    Unknown(String),
    At {
        /// Unix seconds.
        time: i64,
        age: String,
        weight: RiskWeight,
    },
}

impl GuestBackup {
    /// The backup as text for the card: its time and age, or why that is unknown.
    pub(super) fn text(&self) -> String {
        match self {
            Self::None => "none".to_owned(),
            Self::Unknown(why) => format!("unknown: {why}"),
            Self::At { time, age, .. } => texts::power::ago(&rfc3339(*time), age),
        }
    }

    /// The risk of stopping a guest with this newest backup.
    pub(super) fn risk(&self) -> RiskReason {
        match self {
            Self::None => RiskReason::new(
                "backup_missing",
                RiskWeight::Warning,
                texts::power::NO_BACKUP,
            )
            .meaning(texts::power::WHAT_IS_LOST_CANNOT_BE_RESTORED),
            Self::Unknown(why) => RiskReason::new(
                "backup_unknown",
                RiskWeight::Note,
                texts::power::BACKUP_UNKNOWN,
            )
            .meaning(format!("{}.", capital(why))),
            Self::At { time, age, weight } => {
                let rule = match weight {
                    RiskWeight::Warning => "backup_old",
                    _ => "backup_there",
                };
                RiskReason::new(rule, *weight, texts::power::backup_is_old(age))
                    .meaning(rfc3339(*time))
            }
        }
    }
}

/// The age of the newest backup; `None` for a start.
pub(super) async fn newest_backup(
    access: &ClusterAccess,
    order: &PowerOrder,
    node: &NodeEntry,
    rights: &Rights,
) -> Option<GuestBackup> {
    if order.verb == Verb::Start {
        return None;
    }
    let look = backups::newest_of(access, node, rights, order.vmid);
    Some(match tokio::time::timeout(BACKUP_PATIENCE, look).await {
        Err(_) => GuestBackup::Unknown(texts::power::STORAGES_DID_NOT_ANSWER_IN_TIME.to_owned()),
        Ok(Err(reason)) => GuestBackup::Unknown(reason),
        Ok(Ok(None)) => GuestBackup::None,
        Ok(Ok(Some(time))) => {
            let age = access.now() - time;
            GuestBackup::At {
                time,
                age: rough(age),
                weight: weight(age, access.config.backup_warning_hours),
            }
        }
    })
}

/// The weight of a backup by its age in seconds: only one of the last night is a good sign, and from
/// `limit` hours on the board warns of it.
fn weight(age: i64, limit: u32) -> RiskWeight {
    match age / 3_600 {
        hours if hours <= NIGHT => RiskWeight::Good,
        hours if hours <= i64::from(limit) => RiskWeight::Note,
        _ => RiskWeight::Warning,
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_backup_of_the_last_night_is_a_good_sign() {
        let weights = [1, 26, 43, 72].map(|hours| weight(hours * 3_600, 48));
        let expect = [
            RiskWeight::Good,
            RiskWeight::Good,
            RiskWeight::Note,
            RiskWeight::Warning,
        ];
        assert_eq!(weights, expect);
    }
}
