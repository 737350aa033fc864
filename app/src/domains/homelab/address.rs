//! Addresses of things: a node, a guest, a storage, a task. Every mention of a thing leads to the
//! same address.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::panel_pieces::decoded;

/// Something of the cluster that has a page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ClusterObject {
    Node(String),
    Guest(u64),
    /// `NODE/NAME`, or `NAME` for one that all nodes share.
    Storage(String),
    /// A task, by its UPID.
    Task(String),
}

impl ClusterObject {
    /// Returns the thing of a page's path.
    pub(crate) fn of(path: &str) -> Option<Self> {
        let (kind, name) = path.strip_prefix('/')?.split_once('/')?;
        let name = decoded(name).filter(|name| !name.is_empty())?;
        match kind {
            "node" if !name.contains('/') => Some(Self::Node(name)),
            "guest" => name.parse().ok().map(Self::Guest),
            "storage" => Some(Self::Storage(name)),
            "task" if name.starts_with("UPID:") => Some(Self::Task(name)),
            _ => None,
        }
    }

    pub(crate) fn path(&self) -> String {
        format!("/{}/{}", self.kind(), encoded(&self.name()))
    }

    /// Returns the word for its kind, as the server knows it.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Node(_) => "node",
            Self::Guest(_) => "guest",
            Self::Storage(_) => "storage",
            Self::Task(_) => "task",
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Self::Node(name) | Self::Storage(name) | Self::Task(name) => name.clone(),
            Self::Guest(vmid) => vmid.to_string(),
        }
    }
}

/// Characters that a part of a path has to escape.
const HIDDEN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'-')
    .remove(b'.')
    .remove(b'/')
    .remove(b':')
    .remove(b'@')
    .remove(b'_')
    .remove(b'~');

/// Encodes a name as a part of a path: characters with a meaning there are written as `%2F`.
fn encoded(name: &str) -> String {
    utf8_percent_encode(name, HIDDEN).to_string()
}

/// True for the identifier of a task: `UPID:NODE:PID:PSTART:STARTTIME:TYPE:ID:USER:`.
pub(super) fn is_upid(word: &str) -> bool {
    let fields = || word.split(':');
    let hex = |field: &str| field.len() >= 8 && field.bytes().all(|b| b.is_ascii_hexdigit());
    word.starts_with("UPID:")
        && word.ends_with(':')
        && fields().count() == 9
        && fields().skip(2).take(3).all(hex)
        && [1, 5, 7].into_iter().all(|n| fields().nth(n) != Some(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_things_belong_together() {
        let upid = "UPID:pve:0000C530:001C9BEC:677E934A:vzdump:100:jarvis@pve!console:";
        for (path, thing) in [
            ("/node/pve", Some(ClusterObject::Node("pve".to_owned()))),
            ("/node/a%2Fb", None),
            ("/node/", None),
            ("/node", None),
            ("/guest/100", Some(ClusterObject::Guest(100))),
            ("/guest/x", None),
            (
                "/storage/nas",
                Some(ClusterObject::Storage("nas".to_owned())),
            ),
            (
                "/storage/pve/local-zfs",
                Some(ClusterObject::Storage("pve/local-zfs".to_owned())),
            ),
            ("/task/other", None),
            (
                "/node/%C3%BCber%20%3Cb%3E",
                Some(ClusterObject::Node("über <b>".to_owned())),
            ),
            ("/node/%zz", None),
            ("/node/%FF", None),
            ("/node/%F", None),
            ("/elsewhere/x", None),
            ("node/pve", None),
        ] {
            assert_eq!(ClusterObject::of(path), thing, "{path}");
            if let Some(thing) = thing {
                assert_eq!(thing.path(), path);
            }
        }
        let task = ClusterObject::Task(upid.to_owned());
        assert_eq!(task.path(), format!("/task/{upid}"));
        assert_eq!(ClusterObject::of(&task.path()), Some(task));
        // A service's user may contain anything but a colon.
        let odd = ClusterObject::Task("UPID:a:0:0:0:x:y/z:ö?#:".to_owned());
        assert_eq!(ClusterObject::of(&odd.path()), Some(odd));
    }

    const UPID: &str = "UPID:pve:0000C530:001C9BEC:677E934A:vzdump:100:root@pam!token:";

    #[test]
    fn tasks_are_known_by_the_form_of_their_identifier() {
        for (word, expect) in [
            (UPID, true),
            (
                "UPID:pve:0000C530:001C9BEC:677E934A:aptupdate::root@pam:",
                true,
            ),
            (
                "UPID:pve:0000C530:001C9BEC:677E934A:vzdump:100:root@pam",
                false,
            ),
            ("UPID:pve:0000C530:001C9BEC:677E934A:vzdump:100::", false),
            (
                "UPID::0000C530:001C9BEC:677E934A:vzdump:100:root@pam:",
                false,
            ),
            (
                "UPID:pve:0000C53X:001C9BEC:677E934A:vzdump:100:root@pam:",
                false,
            ),
            (
                "xUPID:pve:0000C530:001C9BEC:677E934A:vzdump:100:root@pam:",
                false,
            ),
            ("UPID:", false),
        ] {
            assert_eq!(is_upid(word), expect, "{word}");
        }
    }
}
