//! Settings of the notices.

use serde::Deserialize;

/// Kind of a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErpNoticeKind {
    /// The site does not answer, or refuses what the board needs.
    Erp,
    /// A document waits for approval in the ERP.
    Approval,
    /// Customers owe more than the limit, or suppliers are owed more.
    Overdue,
    /// A stock is below zero.
    Stock,
    /// Documents failed in the site's queue.
    Queue,
}

impl ErpNoticeKind {
    pub const ALL: [Self; 5] = [
        Self::Erp,
        Self::Approval,
        Self::Overdue,
        Self::Stock,
        Self::Queue,
    ];

    /// The words of all kinds.
    pub const WORDS: [&'static str; 5] = {
        let mut words = [""; 5];
        let mut n = 0;
        while n < words.len() {
            words[n] = Self::ALL[n].word();
            n += 1;
        }
        words
    };

    /// The kind's word in the configuration.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Erp => "erp",
            Self::Approval => "approval",
            Self::Overdue => "overdue",
            Self::Stock => "stock",
            Self::Queue => "queue",
        }
    }
}

/// Conditions that are raised, and their limits.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ErpNotices {
    /// If false, the site is watched only while a page is open.
    pub enabled: bool,
    /// Disabled kinds.
    pub off: Vec<ErpNoticeKind>,
    /// Hours after which an approval is raised.
    pub approval_hours: u32,
    /// Sum of overdue invoices, in each currency, above which they are raised.
    pub overdue_amount: u32,
}

impl Default for ErpNotices {
    fn default() -> Self {
        Self {
            enabled: true,
            off: Vec::new(),
            approval_hours: 24,
            overdue_amount: 10_000,
        }
    }
}
