//! The parts of a document's page: `document`, `glance`, `ledger`, `links`, `history`. And of the overview:
//! what waits for the person who asks.

use protocol::{FromJson, Known, Offer, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{DocumentCell, DocumentField, DocumentRow, DocumentsPart};

/// Part `document`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct DocumentPage {
    pub doctype: String,
    pub name: String,
    /// Its title, if that is not its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its own status, such as `Overdue`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// `draft`, `submitted`, `cancelled` or `unknown`; none for a type that is never submitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub docstatus: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workflow: Option<WorkflowPlace>,
    /// Party, dates and totals.
    #[serde(default)]
    pub head: Vec<DocumentField>,
    #[serde(default)]
    pub sections: Vec<DocumentSection>,
    #[serde(default)]
    pub tables: Vec<DocumentTable>,
    /// Actions that make sense now. Each input is complete but for what a person has to say.
    #[serde(default)]
    pub offers: Vec<Offer>,
    /// Drafts that were made from it before, of the types that the offers would make.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drafts: Vec<DocumentRow>,
    /// The site's own words that a change is bound to.
    pub modified: String,
    pub modified_at: Known<Timestamp>,
    pub modified_by: String,
    pub owner: String,
    /// True if that is the user of the configured key.
    #[serde(default)]
    pub is_own: bool,
    pub at: Timestamp,
}

/// The place of a document in the workflow that governs its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct WorkflowPlace {
    pub name: String,
    pub state: String,
    /// The steps that the site offers the user of the configured key.
    pub steps: Known<Vec<String>>,
    /// Roles of the ERP that it waits for, where the user who acts can take no step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits_for: Vec<String>,
}

/// Fields under one heading of the site's form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct DocumentSection {
    /// Empty for fields without a heading.
    pub title: String,
    pub fields: Vec<DocumentField>,
}

/// Rows of a document or of a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct DocumentTable {
    pub title: String,
    #[serde(default)]
    pub columns: Vec<DocumentColumn>,
    /// A cell for each column.
    #[serde(default)]
    pub rows: Vec<Vec<DocumentCell>>,
    /// Number of all rows.
    pub of: u32,
    /// Sums, a cell for each column; empty without sums.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foot: Vec<DocumentCell>,
    /// Sentences about the rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct DocumentColumn {
    pub label: String,
    /// Numbers stand at the right.
    #[serde(default)]
    pub is_number: bool,
}

/// Part `glance`: lists that people look for first. Empty for types that have none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct DocumentGlance {
    #[serde(default)]
    pub lists: Vec<GlanceList>,
    pub at: Timestamp,
}

/// One list of a glance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct GlanceList {
    pub title: String,
    pub table: Known<DocumentTable>,
}

/// Part `ledger`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct DocumentLedger {
    /// `draft`: the lines are a preview. `submitted`: they are posted. `cancelled`: they were
    /// taken back. None if documents of this type post nothing. Without a ledger, this one posted nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub docstatus: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accounting: Option<Known<DocumentTable>>,
    /// True if debit equals credit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub balanced: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stock: Option<Known<DocumentTable>>,
    pub at: Timestamp,
}

/// Part `links`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct DocumentLinks {
    /// The documents that it came from.
    #[serde(default)]
    pub before: Vec<DocumentRow>,
    /// Those that the key may not read.
    #[serde(default)]
    pub before_hidden: u32,
    /// The submitted documents that hang on it, over all levels.
    #[serde(default)]
    pub after: Vec<DocumentRow>,
    #[serde(default)]
    pub after_hidden: u32,
    /// Sentences about what is not in it.
    #[serde(default)]
    pub notes: Vec<String>,
    pub at: Timestamp,
}

/// Part `history`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct DocumentHistory {
    /// The newest first.
    #[serde(default)]
    pub entries: Vec<HistoryEntry>,
    #[serde(default)]
    pub notes: Vec<String>,
    pub at: Timestamp,
}

/// Something that happened to a document, as the site recorded it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct HistoryEntry {
    pub at: Known<Timestamp>,
    pub by: String,
    /// `created`, `changed`, `submitted`, `cancelled`, `comment`, `workflow` or `info`.
    pub kind: String,
    /// Plain text; empty for a change.
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub changes: Vec<ChangedField>,
}

/// A field that changed. For rows that were added or removed, one side is empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ChangedField {
    pub label: String,
    pub before: String,
    pub after: String,
}

/// Kind `own`, name `approvals`: what waits for approval by the own key of the person who asks. Empty
/// without one: then the board's list counts, which is that of the site's key.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, FromJson)]
pub struct OwnApprovals {
    /// The ERP user of the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Known<String>>,
    /// None in part `key`, which asks the site nothing; part `list` has it. The steps in it are those of
    /// this key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<DocumentsPart>,
}
