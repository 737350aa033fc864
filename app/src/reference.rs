//! Things of a system as the page shows them: what they are called, and where their page is.

use leptos::prelude::*;
use protocol::Reference;

use crate::{
    chart::ChartAt,
    format::{size, upright},
};

/// The page of a thing, if it has one.
pub(crate) fn path_of(Reference { kind, id, .. }: &Reference) -> Option<String> {
    if kind == "chart" {
        return ChartAt::of(id).map(|at| at.path());
    }
    let parts = id.split('/');
    let plain = |part: &str| {
        let mut chars = part.chars();
        !matches!(part, "" | "." | "..")
            && chars.all(|c| c.is_ascii_alphanumeric() || "-_.:@!~+=".contains(c))
    };
    let known = match kind.as_str() {
        "node" | "guest" | "task" => 1..=1,
        "storage" => 1..=2,
        _ => return None,
    };
    (known.contains(&parts.clone().count()) && parts.into_iter().all(plain))
        .then(|| format!("/{kind}/{id}"))
}

/// Whether a word is the identifier of a task: `UPID:NODE:PID:PSTART:STARTTIME:TYPE:ID:USER:`.
pub(crate) fn is_upid(word: &str) -> bool {
    let fields = || word.split(':');
    let hex = |field: &str| field.len() >= 8 && field.bytes().all(|b| b.is_ascii_hexdigit());
    word.starts_with("UPID:")
        && word.ends_with(':')
        && fields().count() == 9
        && fields().skip(2).take(3).all(hex)
        && [1, 5, 7].into_iter().all(|n| fields().nth(n) != Some(""))
}

/// What a thing is called.
pub(crate) fn label(Reference { kind, id, file }: &Reference) -> String {
    if let Some(file) = file {
        return format!("{}, {}", upright(file.name.clone()), size(file.bytes));
    }
    let part = |n| id.split(':').nth(n).unwrap_or_default();
    let text = match kind.as_str() {
        "node" => format!("Node {id}"),
        "guest" => format!("Guest {id}"),
        "storage" => match id.split_once('/') {
            Some((node, name)) => format!("Storage {name} on {node}"),
            None => format!("Storage {id}"),
        },
        "chart" => format!("Chart {}", id.replace('/', " ")),
        "drawing" => format!("Drawing {id}"),
        "task" if is_upid(id) => format!("Task {} {} on {}", part(5), part(6), part(1)),
        _ => format!("{kind} {id}"),
    };
    upright(text)
}

/// A thing as a link to its page.
pub(crate) fn reference_link(reference: &Reference) -> AnyView {
    let label = label(reference);
    match path_of(reference) {
        Some(path) => view! {
            <a class="reference" href=path title=upright(reference.id.clone())>
                {label}
            </a>
        }
        .into_any(),
        None => view! { <span class="reference">{label}</span> }.into_any(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UPID: &str = "UPID:pve:0000C530:001C9BEC:677E934A:vzdump:100:root@pam!token:";

    #[test]
    fn things_have_pages_and_names() {
        for (kind, id, path, name) in [
            ("node", "pve", Some("/node/pve"), "Node pve"),
            ("guest", "101", Some("/guest/101"), "Guest 101"),
            ("storage", "nas", Some("/storage/nas"), "Storage nas"),
            (
                "storage",
                "pve/local-zfs",
                Some("/storage/pve/local-zfs"),
                "Storage local-zfs on pve",
            ),
            ("door", "1", None, "door 1"),
            (
                "chart",
                "EURUSD/D1",
                Some("/chart/EURUSD/D1"),
                "Chart EURUSD D1",
            ),
            ("chart", "EURUSD/../x", None, "Chart EURUSD .. x"),
            ("drawing", "d1", None, "Drawing d1"),
            ("node", "a/b", None, "Node a/b"),
            ("node", "..", None, "Node .."),
            ("node", "", None, "Node "),
            ("storage", "../admin", None, "Storage admin on .."),
            ("guest", "1?x=#", None, "Guest 1?x=#"),
            ("node", "p\u{202e}ve", None, "Node p\\u{202e}ve"),
        ] {
            let reference = Reference::new(kind, id);
            assert_eq!(path_of(&reference).as_deref(), path, "{kind} {id}");
            assert_eq!(label(&reference), name);
        }
        let task = Reference::new("task", UPID);
        assert_eq!(path_of(&task), Some(format!("/task/{UPID}")));
        assert_eq!(label(&task), "Task vzdump 100 on pve");
    }

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
