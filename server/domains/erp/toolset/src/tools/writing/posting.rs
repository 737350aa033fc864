//! The ledger lines that a document will post, or that taking it back reverses: as tables of a card,
//! and bound by digests.

mod day;
mod lines;

use std::collections::BTreeSet;

use futures::join;
use protocol::{CardSection, ErrorBody};
use serde_json::{Value, json};

use self::lines::LedgerColumn;
pub(crate) use self::{day::PostingDay, lines::text_of};
use crate::tools::writing::{
    cells::{self, MOST_LINES},
    plan::{ErpSubject, refused},
};
use crate::{
    currency::AmountCurrency,
    decimal::decimal,
    error::ErpError,
    site::{Document, ErpSite},
    texts::posting as say,
    tools::get_ledger::{DraftRows, LedgerKind, draft_rows, has_preview, posted_rows},
};

/// Types that are submitted and post to no ledger.
const POSTS_NOTHING: [&str; 17] = [
    "Blanket Order",
    "BOM",
    "Hotel Room Reservation",
    "Job Card",
    "Material Request",
    "Packing Slip",
    "Pick List",
    "POS Opening Entry",
    "Production Plan",
    "Project Update",
    "Purchase Order",
    "Quotation",
    "Request for Quotation",
    "Sales Order",
    "Supplier Quotation",
    "Timesheet",
    "Work Order",
];

/// The lines of both ledgers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Posting {
    pub(crate) accounting: Vec<Document>,
    pub(crate) stock: Vec<Document>,
    /// True if the ERP has no stock preview for the type, so that the moves are those of the
    /// document's own rows.
    pub(crate) is_from_own_rows: bool,
    /// True if the ledgers have more lines than were read.
    pub(crate) has_more: bool,
    /// The ERP's words, which came with a preview.
    pub(crate) warnings: Vec<String>,
    /// That of the company, in which its ledgers are kept.
    pub(crate) currency: AmountCurrency,
}

/// True if documents of the type post to no ledger.
pub(crate) fn posts_nothing(doctype: &str) -> bool {
    POSTS_NOTHING.contains(&doctype)
}

impl Posting {
    /// The lines that a draft would post, by the ERP's own posting run.
    ///
    /// # Errors
    /// They cannot be read, so that the submit cannot be shown: also if the ERP would refuse it.
    pub(crate) async fn of_draft(site: &ErpSite, subject: &ErpSubject) -> Result<Self, ErrorBody> {
        let doctype = &subject.meta.name;
        if posts_nothing(doctype) {
            return Ok(Self::default());
        }
        if !has_preview(doctype) {
            return Err(refused(say::cannot_be_shown(doctype)));
        }
        let of = |kind| draft_rows(site, &subject.meta, &subject.document, kind);
        let (accounting, stock) = join!(of(LedgerKind::Accounting), of(LedgerKind::Stock));
        let DraftRows { rows, warnings, .. } = accounting?;
        let stock = match lines::counted(doctype, &subject.document) {
            // The ERP previews no stock lines of a count.
            Some(rows) => DraftRows {
                rows,
                is_from_own_rows: true,
                ..DraftRows::default()
            },
            None => stock?,
        };
        Ok(Self {
            accounting: rows,
            is_from_own_rows: stock.is_from_own_rows,
            stock: stock.rows,
            has_more: false,
            warnings,
            currency: subject.values().company_currency(),
        })
    }

    /// The lines that a submitted document has posted, as taking it back reverses them.
    pub(crate) async fn of_reversal(
        site: &ErpSite,
        subject: &ErpSubject,
    ) -> Result<Self, ErpError> {
        if posts_nothing(&subject.meta.name) {
            return Ok(Self::default());
        }
        let of = |kind| posted_rows(site, &subject.meta, &subject.name, kind);
        let (accounting, stock) = join!(of(LedgerKind::Accounting), of(LedgerKind::Stock));
        let (accounting, stock) = (accounting?, stock?);
        Ok(Self {
            has_more: accounting.has_more || stock.has_more,
            accounting: accounting.rows.into_iter().map(lines::swapped).collect(),
            stock: stock.rows.into_iter().map(lines::negated).collect(),
            currency: subject.values().company_currency(),
            ..Self::default()
        })
    }

    /// Lines of the accounting and of the stock ledger.
    pub(crate) fn counts(&self) -> [usize; 2] {
        [self.accounting.len(), self.stock.len()]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.counts() == [0, 0]
    }

    /// True if a card cannot show all of it.
    pub(crate) fn is_cut(&self) -> bool {
        self.has_more || self.counts().iter().any(|count| *count > MOST_LINES)
    }

    /// The day of the lines, if the preview says one.
    pub(crate) fn day(&self) -> Option<&str> {
        self.accounting.first()?.get("posting_date")?.as_str()
    }

    pub(crate) fn sections(&self) -> Vec<CardSection> {
        let stock = if self.is_from_own_rows {
            say::STOCK_OF_OWN_ROWS
        } else {
            say::STOCK
        };
        let table = |title, ledger: &[Document], columns: &[LedgerColumn]| {
            let heads: Vec<_> = columns.iter().map(lines::head).collect();
            let cells = |line| lines::cells(line, columns, &self.currency);
            let rows: Vec<_> = ledger.iter().map(cells).collect();
            cells::table(title, &heads, &rows, MOST_LINES)
        };
        [
            table(say::ACCOUNTING, &self.accounting, &lines::ACCOUNTING),
            table(stock, &self.stock, &lines::STOCK),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Digests of what all lines do. Balances and rates are left out: they change without anybody's
    /// doing.
    pub(crate) fn bound(&self) -> Value {
        json!({
            "accounting": lines::digest(&self.accounting, &lines::ACCOUNTING),
            "stock": lines::digest(&self.stock, &lines::STOCK),
        })
    }

    /// The accounts, parties and warehouses of the lines.
    pub(crate) fn objects(&self) -> BTreeSet<String> {
        let mut objects = BTreeSet::new();
        for line in self.accounting.iter().chain(&self.stock) {
            let text = |field: &str| line.get(field).and_then(Value::as_str);
            let mut add = |kind: Option<&str>, name: Option<&str>| {
                if let (Some(kind), Some(name)) = (kind, name)
                    && !kind.is_empty()
                    && !name.is_empty()
                {
                    objects.insert(format!("{kind}/{name}").to_lowercase());
                }
            };
            add(Some("account"), text("account"));
            add(text("party_type"), text("party"));
            add(Some("warehouse"), text("warehouse"));
        }
        objects
    }

    /// The sum of all debits, with its currency.
    pub(crate) fn debit(&self) -> String {
        let debits = self
            .accounting
            .iter()
            .filter_map(|it| decimal(it.get("debit")?));
        cells::money(debits.sum(), &self.currency)
    }
}
