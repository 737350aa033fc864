//! Things of a system on the page: their names, and the links to their pages.

use kit::format::{size, upright};
use leptos::prelude::*;
use protocol::Reference;

use crate::panel;

/// Returns the path of a thing's page, if it has one.
pub(crate) fn path_of(Reference { kind, id, .. }: &Reference) -> Option<String> {
    (panel::kind(kind)?.path)(id)
}

/// Returns whether an identifier has at most `most` parts and each can be in an address unchanged.
pub(crate) fn is_plain(id: &str, most: usize) -> bool {
    let plain = |part: &str| {
        let mut chars = part.chars();
        !matches!(part, "" | "." | "..")
            && chars.all(|c| c.is_ascii_alphanumeric() || "-_.:@!~+=".contains(c))
    };
    id.split('/').count() <= most && id.split('/').all(plain)
}

/// Returns the name of a thing.
pub(crate) fn label(Reference { kind, id, file }: &Reference) -> String {
    if let Some(file) = file {
        return format!("{}, {}", upright(file.name.clone()), size(file.bytes));
    }
    let known = panel::kind(kind).map(|kind| (kind.label)(id));
    upright(known.unwrap_or_else(|| format!("{kind} {id}")))
}

/// Draws a thing as a link to its page.
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
        panel::install(crate::domains::PANELS);
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
}
