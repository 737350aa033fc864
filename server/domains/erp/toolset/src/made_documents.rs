//! Storage of the documents that calls have made, as a port.

use async_trait::async_trait;

/// A document of a site. A name may be given once more after its document was deleted, so the time of
/// the creation is part of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MadeDocument {
    /// Address of the site.
    pub site: String,
    pub doctype: String,
    pub name: String,
    /// `creation`, as the site writes it.
    pub creation: String,
}

/// The storage failed, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MadeDocumentsError(pub String);

/// Documents with the ids of the calls that made them, beyond the end of the process.
#[async_trait]
pub trait MadeDocuments: Send + Sync + 'static {
    /// Keeps the maker of a document, a new one in place of an old one. `at_ms`: now, in milliseconds
    /// since 1970.
    ///
    /// # Errors
    /// Nothing was kept.
    async fn keep(
        &self,
        made: &MadeDocument,
        call: &str,
        at_ms: i64,
    ) -> Result<(), MadeDocumentsError>;

    /// The call that made a document; none if it was no call, or one of more than 30 days before
    /// another one that was kept.
    ///
    /// # Errors
    /// It cannot be read.
    async fn maker(&self, made: &MadeDocument) -> Result<Option<String>, MadeDocumentsError>;
}
