//! The documents that tools read last: context, references and names come from here, without a
//! request.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use serde_json::{Map, Value};

/// More than a conversation speaks of.
const MOST: usize = 200;

/// The outline of a document as it was read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KnownDocument {
    pub(crate) doctype: String,
    pub(crate) name: String,
    /// Party, status, total and such, cleaned.
    pub(crate) facts: Map<String, Value>,
    /// By the site's clock, in milliseconds since 1970.
    pub(crate) read_at: i64,
}

/// The documents read last, the newest first.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    documents: Mutex<VecDeque<KnownDocument>>,
}

impl Memory {
    /// Keeps a document in place of what was known of it.
    pub(crate) fn keep(&self, document: KnownDocument) {
        let mut documents = self
            .documents
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_same =
            |it: &KnownDocument| it.doctype == document.doctype && it.name == document.name;
        documents.retain(|it| !is_same(it));
        documents.push_front(document);
        documents.truncate(MOST);
    }

    pub(crate) fn get(&self, doctype: &str, name: &str) -> Option<KnownDocument> {
        let documents = self
            .documents
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut documents = documents.iter();
        documents
            .find(|it| it.doctype == doctype && it.name == name)
            .cloned()
    }

    /// All of them, the newest first.
    pub(crate) fn all(&self) -> Vec<KnownDocument> {
        let documents = self
            .documents
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        documents.iter().cloned().collect()
    }
}
