//! The parts of the board.
//!
//! A list is rows or the reason why there are none. A list that could not be read again keeps its
//! rows, with the reason in `trouble`.

use protocol::{FromJson, Known, Timestamp};
use serde::{Deserialize, Serialize};

use crate::DocumentCell;

/// A list of documents that need somebody. Keys: `approvals`, `drafts/TYPE`, `receivables`,
/// `payables`, `deliveries`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct DocumentsPart {
    /// The first of them.
    pub rows: Known<Vec<DocumentRow>>,
    /// Number of all; none if it is more than were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Sums over all, one per currency. Empty for lists that are not summed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sums: Vec<DocumentCell>,
    /// Sums of what falls due from today on. Empty for lists that are not of money.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub due: Vec<DueWithin>,
    /// The reasons why some are not in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<String>,
    /// Time of the answer that they come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The reason why there is no newer answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// The money that falls due within some days.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct DueWithin {
    /// Days from today, which counts as well, to the last one that counts.
    pub days: u32,
    /// One sum per currency; empty if nothing falls due.
    pub sums: Known<Vec<DocumentCell>>,
}

/// A document in a list or among links.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, FromJson)]
pub struct DocumentRow {
    pub doctype: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<String>,
    /// Its total, or the outstanding amount in a list of money that is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<DocumentCell>,
    /// Status, or state in its workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The day that counts in its list, such as the due date: `YYYY-MM-DD`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
    /// Whole days since that day, by the site's calendar. None if it is not past.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<u32>,
    /// Time since which it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// The user who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// True if that is the user of the configured key.
    #[serde(default)]
    pub is_own: bool,
    /// The workflow actions open to the user of the configured key; none without a workflow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps: Option<Known<Vec<String>>>,
    /// Roles of the ERP that its workflow waits for, where the user of the configured key can take no step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits_for: Vec<String>,
}

/// Key `shortages`: items of which more is promised than there will be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct ShortagesPart {
    /// The worst first.
    pub rows: Known<Vec<ShortageRow>>,
    /// Number of all; none if it is more than were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The reason why there is no newer answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJson)]
pub struct ShortageRow {
    pub item: String,
    pub warehouse: String,
    pub stock: DocumentCell,
    /// Stock and what is on its way, less what is promised.
    pub projected: DocumentCell,
    /// True if the stock itself is below zero.
    pub is_negative: bool,
}

/// Key `health`: connection, key and ledger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, FromJson)]
pub struct ErpHealthPart {
    /// `host:port`.
    pub site: String,
    /// The user of the configured key.
    pub user: Known<String>,
    /// Time of the last answer; none if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The reason why the site cannot be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// The way out of that, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The site's clock less this server's, in seconds.
    pub clock_offset: Known<i64>,
    /// The newest entry in the ledger: the document that posted it, and its day. Its `name` is
    /// empty if nothing was posted.
    pub last_posting: Known<DocumentRow>,
    /// True if debit equals credit over the days that are checked.
    pub balanced: Known<bool>,
    /// The number of these days.
    pub balance_days: u32,
    /// Documents whose submission failed in the site's queue.
    pub queue_failed: Known<u32>,
    /// Types that the key may not read, of those that the board needs.
    #[serde(default)]
    pub missing: Vec<String>,
    /// Companies that the configuration confines it to; empty for all.
    #[serde(default)]
    pub companies: Vec<String>,
}
