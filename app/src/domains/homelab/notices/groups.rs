//! Notices of the same kind as one group.

use std::cmp::Reverse;

use protocol::{Acknowledged, Notice, NoticeId, Reference, Timestamp};

use crate::domains::homelab::texts;

/// Notices of the same kind that are equally grave and equally loud.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NoticeGroup {
    pub(super) kind: String,
    pub(super) grave: bool,
    pub(super) loud: bool,
    /// The newest first.
    pub(super) members: Vec<Notice>,
}

/// The quiet group that a notice was acknowledged into.
#[derive(Clone)]
pub(super) struct AcknowledgedGroup {
    /// The identifier of its element.
    pub(super) id: String,
    pub(super) notice: NoticeId,
}

/// Groups notices: unacknowledged and grave ones first, then the newest.
pub(super) fn groups(notices: Vec<Notice>) -> Vec<NoticeGroup> {
    let order = |notice: &Notice| (!notice.is_loud(), !notice.grave, Reverse(notice.since));
    let mut sorted: Vec<Notice> = Vec::new();
    for notice in notices {
        let at = sorted.partition_point(|other| order(other) <= order(&notice));
        sorted.insert(at, notice);
    }
    let mut groups: Vec<NoticeGroup> = Vec::new();
    for notice in sorted {
        let (grave, loud) = (notice.grave, notice.is_loud());
        let kind = kind(&notice).to_owned();
        let known = groups
            .iter_mut()
            .find(|it| it.kind == kind && it.grave == grave && it.loud == loud);
        match known {
            Some(group) => group.members.push(notice),
            None => groups.push(NoticeGroup {
                kind,
                grave,
                loud,
                members: vec![notice],
            }),
        }
    }
    groups
}

/// Returns what happened, as the end of the condition's key says it: a kind covers several.
fn kind(notice: &Notice) -> &str {
    if notice.kind == "task" {
        return "task";
    }
    match notice.key.rsplit('/').next().unwrap_or_default() {
        "disk" => "full",
        end => end,
    }
}

impl NoticeGroup {
    /// Returns the identifier of its element. A group that is acknowledged becomes another.
    pub(super) fn id(&self, loud: bool) -> String {
        let grave = if self.grave { "-grave" } else { "" };
        let quiet = if loud { "" } else { "-quiet" };
        format!("notices-{}{grave}{quiet}", self.kind)
    }

    /// Returns what it says: the sentence of a single notice, or how many there are of what.
    pub(super) fn title(&self) -> String {
        if let [notice] = self.members.as_slice() {
            return notice.text.clone();
        }
        let count = self.members.len();
        let what = match (self.kind.as_str(), self.grave) {
            ("backup", _) => texts::notices::GUESTS_WITHOUT_BACKUP,
            ("full", true) => texts::notices::ALMOST_FULL,
            ("full", false) => texts::notices::FILLING_UP,
            ("away", _) => texts::notices::STORAGES_NOT_AVAILABLE,
            ("down", _) => texts::notices::NODES_ARE_DOWN,
            ("unsteady", _) => texts::notices::NODES_COME_AND_GO,
            ("hot", _) => texts::notices::NODES_ARE_TOO_HOT,
            ("task", _) => texts::notices::TASKS_FAILED,
            _ => texts::notices::OTHER_NOTICES,
        };
        texts::notices::several(count, what)
    }

    /// Returns the names of the things concerned.
    pub(super) fn names(&self) -> String {
        let names: Vec<&str> = self.members.iter().map(|it| short(&it.about)).collect();
        names.join(", ")
    }

    /// Returns whether it is that quiet group.
    pub(super) fn is(&self, group: &AcknowledgedGroup) -> bool {
        let is_member = |it: &Notice| it.id == group.notice;
        !self.loud && self.id(false) == group.id && self.members.iter().any(is_member)
    }

    /// Returns the newest acknowledgement, if one person acknowledged all of them.
    pub(super) fn known(&self) -> Option<&Acknowledged> {
        let mut all = self
            .members
            .iter()
            .map(|notice| notice.acknowledged.as_ref());
        let first = all.next()??;
        all.all(|it| it.is_some_and(|it| it.by == first.by))
            .then_some(first)
    }

    /// Returns the time since which the newest has been there.
    pub(super) fn since(&self) -> Timestamp {
        let since = self.members.iter().map(|notice| notice.since);
        since.max().unwrap_or_default()
    }
}

/// Returns the name in `VM 113 (windows-11)`, or what follows the kind in `storage nas`.
fn short(about: &str) -> &str {
    let named = about
        .split_once('(')
        .and_then(|(_, rest)| rest.strip_suffix(')'));
    let plain = ["node ", "storage ", "task "];
    let rest = plain.iter().find_map(|kind| about.strip_prefix(kind));
    named.or(rest).unwrap_or(about)
}

/// Returns the thing that a notice is about, if it has a page.
pub(super) fn reference(notice: &Notice) -> Option<Reference> {
    let (kind, rest) = notice.key.split_once('/')?;
    let id = match kind {
        "task" => rest,
        "node" | "guest" | "storage" => rest.rsplit_once('/')?.0,
        _ => return None,
    };
    Some(Reference::new(kind, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(key: &str, about: &str, grave: bool, since: i64) -> Notice {
        Notice {
            id: NoticeId::new(Timestamp(since), 0),
            system: "homelab".to_owned(),
            key: key.to_owned(),
            kind: key.split('/').next().unwrap_or_default().to_owned(),
            grave,
            about: about.to_owned(),
            text: format!("About {about}."),
            since: Timestamp(since),
            seen: Timestamp(since),
            acknowledged: None,
            ended: None,
        }
    }

    #[test]
    fn what_is_alike_is_one_line() {
        let quiet = Notice {
            acknowledged: Some(Acknowledged {
                by: "Operator".to_owned(),
                at: Timestamp(9),
            }),
            ..notice("guest/9/backup", "CT 9", false, 9)
        };
        let groups = groups(vec![
            notice("guest/1/backup", "VM 1 (one)", false, 1),
            quiet,
            notice(
                "storage/pve/local-zfs/full",
                "storage local-zfs on pve",
                true,
                2,
            ),
            notice("guest/2/backup", "CT 2 (two)", false, 3),
            notice("node/pve/disk", "node pve", false, 4),
        ]);
        let told: Vec<_> = groups
            .iter()
            .map(|it| (it.id(it.loud), it.title(), it.names()))
            .collect();
        let told: Vec<_> = told
            .iter()
            .map(|(id, title, names)| (id.as_str(), title.as_str(), names.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                (
                    "notices-full-grave",
                    "About storage local-zfs on pve.",
                    "local-zfs on pve"
                ),
                ("notices-full", "About node pve.", "pve"),
                (
                    "notices-backup",
                    "2 guests have no recent backup",
                    "two, one"
                ),
                ("notices-backup-quiet", "About CT 9.", "CT 9"),
            ]
        );
    }

    #[test]
    fn a_notice_leads_to_its_thing() {
        for (key, expect) in [
            ("guest/101/backup", Some(("guest", "101"))),
            (
                "storage/pve/local-zfs/full",
                Some(("storage", "pve/local-zfs")),
            ),
            ("node/pve/down", Some(("node", "pve"))),
            ("task/UPID:pve:x", Some(("task", "UPID:pve:x"))),
            ("cluster/quorum", None),
        ] {
            let expect = expect.map(|(kind, id)| Reference::new(kind, id));
            assert_eq!(reference(&notice(key, "", false, 0)), expect, "{key}");
        }
    }
}
