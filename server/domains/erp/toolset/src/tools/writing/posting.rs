//! The ledger lines that a document will post, or that taking it back reverses: as tables of a card,
//! and bound by digests; and the stock before and after them, which is not.

mod closing;
mod day;
mod lines;
mod stock;

use std::collections::BTreeSet;

use futures::join;
use protocol::{CardSection, ErrorBody};
use serde_json::{Value, json};

use self::lines::LedgerColumn;
pub(crate) use self::{
    closing::CLOSING,
    day::PostingDay,
    lines::text_of,
    stock::{StockChange, StockChanges, is_about_stock},
};
use crate::tools::writing::{
    cells::{self, MOST_LINES},
    plan::{ErpSubject, refused},
};
use crate::{
    currency::AmountCurrency,
    decimal::{decimal_or_zero, sane},
    error::ErpError,
    site::{Document, ErpSite},
    texts::{posting as say, readings},
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

/// The way in which lines are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum LineSource {
    /// The ledger, or the ERP's preview of the document.
    #[default]
    Ledger,
    /// The ERP has no stock preview for the type, so the moves are those of the document's own rows.
    OwnRows,
    /// The ERP's previews of so many sales, added up.
    Sales(usize),
}

/// The lines of both ledgers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Posting {
    pub(crate) accounting: Vec<Document>,
    pub(crate) stock: Vec<Document>,
    pub(crate) source: LineSource,
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
        if doctype == CLOSING {
            return Box::pin(closing::read(site, subject)).await;
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
            source: if stock.is_from_own_rows {
                LineSource::OwnRows
            } else {
                LineSource::Ledger
            },
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

    /// Such as `4 accounting lines and 2 stock lines`; None if there are none.
    pub(crate) fn told(&self) -> Option<String> {
        match self.source {
            _ if self.is_empty() => None,
            LineSource::Sales(count) => Some(say::lines_of_sales(count)),
            LineSource::Ledger | LineSource::OwnRows => Some(say::lines(self.counts())),
        }
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
        let [accounting, stock] = match self.source {
            LineSource::Ledger => [say::ACCOUNTING, say::STOCK],
            LineSource::OwnRows => [say::ACCOUNTING, say::STOCK_OF_OWN_ROWS],
            LineSource::Sales(_) => [say::ACCOUNTING_OF_SALES, say::STOCK_OF_SALES],
        };
        let table = |title, ledger: &[Document], columns: &[LedgerColumn]| {
            let columns = lines::shown(ledger, columns);
            let heads: Vec<_> = columns.iter().map(lines::head).collect();
            let cells = |line| lines::cells(line, &columns, &self.currency);
            let rows: Vec<_> = ledger.iter().map(cells).collect();
            cells::table(title, &heads, &rows, MOST_LINES)
        };
        [
            table(accounting, &self.accounting, &lines::ACCOUNTING),
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
            .map(|it| it.get("debit").map(decimal_or_zero).unwrap_or_default());
        match sane(debits.sum()) {
            Some(debit) => cells::money(debit, &self.currency),
            None => readings::TOO_LARGE.to_owned(),
        }
    }
}
