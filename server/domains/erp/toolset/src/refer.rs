//! References to documents: their form, the facts known of them, and their names in texts.

use protocol::{MAX_REFERENCE_BYTES, Name, Reference};
use reqwest::Url;
use serde_json::{Value, json};

use crate::{dates, memory::KnownDocument, site::ErpSite, texts::site as say};

/// The kind of a document's reference. Its id is `Sales Invoice/ACC-SINV-2026-00004`: no type has
/// a slash in its name.
pub(crate) const KIND: &str = "document";

/// Type and name of a reference.
pub(crate) fn parts(reference: &Reference) -> Option<(&str, &str)> {
    if reference.kind != KIND || reference.id.len() > MAX_REFERENCE_BYTES {
        return None;
    }
    let (doctype, name) = reference.id.split_once('/')?;
    // Types are words of letters and digits; names may have any visible sign.
    let is_type = doctype
        .chars()
        .all(|c| c.is_alphanumeric() || " -_&().".contains(c))
        && doctype.starts_with(char::is_alphanumeric);
    let is_name = !name.is_empty() && !name.chars().any(char::is_control) && name.trim() == name;
    (is_type && is_name && name.chars().count() <= 140).then_some((doctype, name))
}

pub(crate) fn refers(reference: &Reference) -> bool {
    parts(reference).is_some()
}

/// The path of a document's page; none if it can have none.
pub(crate) fn path(doctype: &str, name: &str) -> Option<String> {
    let reference = Reference::new(KIND, format!("{doctype}/{name}"));
    // A URL leaves such parts out.
    if !refers(&reference) || matches!(name, "." | "..") {
        return None;
    }
    let mut url = Url::parse("https://localhost/erp").ok()?;
    url.path_segments_mut().ok()?.extend([doctype, name]);
    Some(url.path().to_owned())
}

/// The facts known of a document, from memory: the context of a message makes no request.
pub(crate) fn describe(site: &ErpSite, reference: &Reference) -> Result<Value, String> {
    let (doctype, name) = parts(reference).ok_or(say::NOT_A_DOCUMENT)?;
    let known = site.memory.get(doctype, name);
    let known = known.ok_or(say::NOT_READ_IN_THIS_RUN)?;
    Ok(json!({
        "doctype": known.doctype,
        "name": known.name,
        "facts": known.facts,
        "read_at": dates::utc(known.read_at),
    }))
}

/// The names of the documents read last. None before the first.
pub(crate) fn names(site: &ErpSite) -> Option<Vec<Name>> {
    let known = site.memory.all();
    let name = |document: &KnownDocument| {
        let id = format!("{}/{}", document.doctype, document.name);
        Name {
            note: document.doctype.clone(),
            ..Name::new(&document.name, Reference::new(KIND, id))
        }
    };
    let mut names: Vec<_> = known.iter().map(name).collect();
    names.retain(|name| refers(&name.of));
    (!names.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_one_document() {
        for (name, expect) in [
            (
                "ACC-PAY-2026-00004",
                Some("/erp/Payment%20Entry/ACC-PAY-2026-00004"),
            ),
            (
                "a/../b?c#d",
                Some("/erp/Payment%20Entry/a%2F..%2Fb%3Fc%23d"),
            ),
            ("100% wool", Some("/erp/Payment%20Entry/100%25%20wool")),
            ("..", None),
            (" x", None),
        ] {
            assert_eq!(path("Payment Entry", name).as_deref(), expect, "{name}");
        }
    }

    #[test]
    fn references_have_a_form() {
        for (kind, id, expect) in [
            ("document", "Sales Invoice/ACC-SINV-2026-00004", true),
            ("document", "Item/a/b", true),
            ("document", "Customer/Ünal & Söhne", true),
            ("document", "Sales Invoice", false),
            ("document", "Sales Invoice/", false),
            ("document", "/x", false),
            ("document", "../Sales Invoice/x", false),
            ("document", "Customer/a\nb", false),
            ("document", "Customer/ x", false),
            ("node", "Customer/x", false),
        ] {
            assert_eq!(refers(&Reference::new(kind, id)), expect, "{kind} {id}");
        }
    }
}
