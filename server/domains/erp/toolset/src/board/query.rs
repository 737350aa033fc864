//! Queries of the board: one list each, with its own interval.

use erp_wire::{DocumentRow, DocumentsPart, ShortagesPart};

/// Types whose drafts are shown.
const DRAFTED: [&str; 8] = [
    "Sales Order",
    "Delivery Note",
    "Sales Invoice",
    "Purchase Order",
    "Purchase Receipt",
    "Purchase Invoice",
    "Payment Entry",
    "Journal Entry",
];

/// A query of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ErpBoardQuery {
    Approvals,
    LastPosting,
    Receivables,
    Payables,
    Deliveries,
    Shortages,
    Queue,
    Drafts(&'static str),
    /// The sums of the ledger.
    Balance,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum ErpBoardAnswer {
    Documents(ListedDocuments),
    Shortages(ShortagesPart),
    Posting(DocumentRow),
    Balanced(bool),
    Failed(u32),
}

/// Documents of a list, and for the approvals the inbox that they come from.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ListedDocuments {
    pub(super) part: DocumentsPart,
    pub(super) inbox: Option<crate::tools::list_approvals::ApprovalInbox>,
}

impl ErpBoardQuery {
    /// All of them, in the order in which they are asked.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let first = [
            Self::Approvals,
            Self::Receivables,
            Self::Payables,
            Self::Deliveries,
            Self::Shortages,
            Self::LastPosting,
            Self::Queue,
            Self::Balance,
        ];
        first.into_iter().chain(DRAFTED.map(Self::Drafts))
    }

    /// Intervals between two answers.
    pub(super) const fn paces(self) -> u32 {
        match self {
            Self::Approvals | Self::LastPosting => 1,
            Self::Receivables | Self::Payables | Self::Deliveries | Self::Shortages => 2,
            Self::Queue | Self::Drafts(_) => 4,
            // The site adds up all entries of a month.
            Self::Balance => 20,
        }
    }

    /// True if it is read again at once after a write of our own. The sums of the ledger are not: the
    /// site adds up a month for them, and they compare, so that one posting more says nothing new.
    pub(super) const fn follows_writes(self) -> bool {
        !matches!(self, Self::Balance)
    }

    /// True if a notice depends on it, so that it is also read while nobody watches.
    pub(super) const fn is_guarded(self) -> bool {
        matches!(
            self,
            Self::Approvals | Self::Receivables | Self::Payables | Self::Shortages | Self::Queue
        )
    }

    /// The key of its part; none if it is a figure of the part `health`.
    pub(super) fn key(self) -> Option<String> {
        Some(match self {
            Self::Approvals => "approvals".to_owned(),
            Self::Receivables => "receivables".to_owned(),
            Self::Payables => "payables".to_owned(),
            Self::Deliveries => "deliveries".to_owned(),
            Self::Shortages => "shortages".to_owned(),
            Self::Drafts(doctype) => format!("drafts/{doctype}"),
            Self::LastPosting | Self::Queue | Self::Balance => return None,
        })
    }

    /// The type that the key must be able to read for it.
    pub(super) const fn doctype(self) -> &'static str {
        match self {
            Self::Approvals => "Workflow Action",
            Self::Receivables => "Sales Invoice",
            Self::Payables => "Purchase Invoice",
            Self::Deliveries => "Sales Order",
            Self::Shortages => "Bin",
            Self::Queue => "Submission Queue",
            Self::Drafts(doctype) => doctype,
            Self::LastPosting | Self::Balance => "GL Entry",
        }
    }
}
