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

/// A document that a call is about to send, until its outcome is known. A call that was cut off
/// may have made any document of that time that fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenDraft {
    /// Address of the site.
    pub site: String,
    pub doctype: String,
    /// Id of the call; it has one of each type at most.
    pub call: String,
    /// The site's user, who will be the owner.
    pub owner: String,
    /// By the site's clock, in milliseconds since 1970.
    pub since_ms: i64,
    /// The fields and rows asked for, as JSON of the toolset.
    pub content: String,
}

/// The storage failed, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MadeDocumentsError(pub String);

/// Documents with the ids of the calls that made them, beyond the end of the process.
#[async_trait]
pub trait MadeDocuments: Send + Sync + 'static {
    /// Notes a document before it is sent, in place of an earlier one of the call and type. Those that
    /// are more than 30 days older are forgotten.
    ///
    /// # Errors
    /// Nothing was noted.
    async fn open(&self, draft: &OpenDraft) -> Result<(), MadeDocumentsError>;

    /// Forgets it: the site refused it. What is not there is no error.
    ///
    /// # Errors
    /// It is still there.
    async fn close(&self, draft: &OpenDraft) -> Result<(), MadeDocumentsError>;

    /// The open ones of a type at a site, by call.
    ///
    /// # Errors
    /// They cannot be read.
    async fn opened(&self, site: &str, doctype: &str)
    -> Result<Vec<OpenDraft>, MadeDocumentsError>;

    /// Keeps the maker of a document, a new one in place of an old one. What the call had open of that
    /// type is open no more. `at_ms`: now, in milliseconds since 1970.
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
