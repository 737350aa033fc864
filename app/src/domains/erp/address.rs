//! Addresses of documents: `/erp/Sales%20Invoice/ACC-SINV-2026-00004`.
//!
//! Names of documents are anything that people call something: blanks, slashes, percent signs,
//! letters of any language. Whatever has a meaning in an address is written in its code.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use protocol::Reference;

use super::PATH;
use crate::panel_pieces::decoded;

/// The kind of a document's reference; its id is `Sales Invoice/ACC-SINV-2026-00004`.
pub(super) const KIND: &str = "document";

/// A document with a page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct DocumentAt {
    pub(super) doctype: String,
    pub(super) name: String,
}

/// Characters that an address has as they are.
const HIDDEN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

impl DocumentAt {
    /// Returns the document of a page's path.
    pub(super) fn of(path: &str) -> Option<Self> {
        let rest = path.strip_prefix(PATH)?.strip_prefix('/')?;
        let (doctype, name) = rest.split_once('/')?;
        Self::new(decoded(doctype)?, decoded(name)?)
    }

    /// Returns the document of a reference's id. No type has a slash in its name.
    pub(super) fn of_id(id: &str) -> Option<Self> {
        let (doctype, name) = id.split_once('/')?;
        Self::new(doctype.to_owned(), name.to_owned())
    }

    fn new(doctype: String, name: String) -> Option<Self> {
        let is_type = doctype.starts_with(char::is_alphanumeric)
            && doctype
                .chars()
                .all(|c| c.is_alphanumeric() || " -_&().".contains(c));
        let is_name = !name.is_empty()
            && name.chars().count() <= 140
            && name.trim() == name
            && !name.chars().any(char::is_control);
        (is_type && is_name).then_some(Self { doctype, name })
    }

    /// Returns the address; none for a name that a browser would leave out of it.
    pub(super) fn path(&self) -> Option<String> {
        if matches!(self.name.as_str(), "." | "..") {
            return None;
        }
        let part = |text: &str| utf8_percent_encode(text, HIDDEN).to_string();
        Some(format!(
            "{PATH}/{}/{}",
            part(&self.doctype),
            part(&self.name)
        ))
    }

    pub(super) fn id(&self) -> String {
        format!("{}/{}", self.doctype, self.name)
    }

    pub(super) fn reference(&self) -> Reference {
        Reference::new(KIND, self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_documents_belong_together() {
        for (doctype, name, path) in [
            (
                "Sales Invoice",
                "ACC-SINV-2026-00004",
                "/erp/Sales%20Invoice/ACC-SINV-2026-00004",
            ),
            (
                "Customer",
                "Ünal & Söhne",
                "/erp/Customer/%C3%9Cnal%20%26%20S%C3%B6hne",
            ),
            ("Item", "a/../b", "/erp/Item/a%2F..%2Fb"),
            ("Item", "100% wool", "/erp/Item/100%25%20wool"),
            ("Item", "%2F", "/erp/Item/%252F"),
            ("Item", "a?b#c", "/erp/Item/a%3Fb%23c"),
            ("Item", "<b>\"x\"", "/erp/Item/%3Cb%3E%22x%22"),
            ("Item", "自転車", "/erp/Item/%E8%87%AA%E8%BB%A2%E8%BB%8A"),
        ] {
            let at = DocumentAt::of_id(&format!("{doctype}/{name}")).unwrap();
            assert_eq!(at.path().as_deref(), Some(path));
            assert_eq!(DocumentAt::of(path), Some(at.clone()), "{path}");
            assert_eq!((at.doctype.as_str(), at.name.as_str()), (doctype, name));
        }
        for none in [
            "/erp",
            "/erp/",
            "/erp/Item",
            "/erp/Item/",
            "/erp//x",
            "/erp/Item/%zz",
            "/erp/Item/%FF",
            "/erp/Item/%0A",
            "/erp/Item/%20x",
            "/erp/%2E%2E/x",
            "/erpx/Item/x",
            "/hud",
        ] {
            assert_eq!(DocumentAt::of(none), None, "{none}");
        }
        let dots = DocumentAt::of_id("Item/..").unwrap();
        assert_eq!(dots.path(), None);
    }
}
