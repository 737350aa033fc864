//! Lists of the board, each with one request.

use std::collections::BTreeMap;

use erp_wire::{DocumentCell, DocumentRow, DocumentsPart, DueWithin};
use jiff::{ToSpan, civil::Date};
use protocol::Known;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::{Value, json};

use super::query::ListedDocuments;
use crate::{
    dates,
    decimal::{are_equal, decimal_or_zero},
    error::ErpError,
    meta::TypeMeta,
    shown,
    site::{Document, ErpSite, ListQuery, ListRows, NEWEST},
    texts::board as say,
    tools::{
        list_approvals::{self, ApprovalInbox},
        outline,
    },
};

/// Documents of a list that are read; sums are of all, or there are none.
const MOST: usize = 500;
/// Documents that a short list shows: of invoices and drafts.
const SHOWN: usize = 5;
/// Documents that a long one shows.
const SHOWN_LONG: usize = 20;
/// Days ahead for which the money that falls due is added up.
const DUE_DAYS: [u32; 2] = [7, 30];
/// Days over which debit and credit are compared.
pub(super) const BALANCE_DAYS: u32 = 30;
/// Days for which a failed submission is shown.
const QUEUE_DAYS: u32 = 7;

/// Invoices of one side.
#[derive(Debug, Clone, Copy)]
pub(super) struct InvoiceSide {
    doctype: &'static str,
    party: &'static str,
}

pub(super) const RECEIVABLES: InvoiceSide = InvoiceSide {
    doctype: "Sales Invoice",
    party: "customer",
};

pub(super) const PAYABLES: InvoiceSide = InvoiceSide {
    doctype: "Purchase Invoice",
    party: "supplier",
};

/// The documents that wait in the workflows of the site. Those of an inbox that is known are not read
/// again.
pub(super) async fn approvals(
    site: &ErpSite,
    known: Option<(ApprovalInbox, DocumentsPart)>,
) -> Result<ListedDocuments, ErpError> {
    let inbox = list_approvals::inbox(site, None, SHOWN_LONG).await?;
    if let Some((before, part)) = known
        && before == inbox
    {
        return Ok(ListedDocuments {
            part,
            inbox: Some(inbox),
        });
    }
    let who = site.identity().await?;
    let found = list_approvals::waiting(site, &inbox, None, &who).await;
    let row = |outline: &Value| {
        let by = outline["made_by"].as_str();
        let since = outline["since"].as_str();
        DocumentRow {
            since: since.and_then(|since| shown::moment(since, &who.time_zone)),
            is_own: by == Some(who.user.as_str()),
            by: by.map(str::to_owned),
            steps: steps(&outline["actions"]),
            ..shown::row(outline)
        }
    };
    let mut lacks = found.not_shown;
    if found.not_readable > 0 {
        lacks.push(say::waiting_but_not_readable(found.not_readable));
    }
    let mut rows: Vec<_> = found.rows.iter().map(row).collect();
    rows.sort_by_key(|row| row.since);
    let count = (!inbox.has_more && lacks.is_empty()).then_some(rows.len());
    Ok(ListedDocuments {
        part: part(rows, count, lacks),
        inbox: Some(inbox),
    })
}

/// The steps that are possible; those that the workflow forbids to the maker are left out.
fn steps(actions: &Value) -> Option<Known<Vec<String>>> {
    if let Some(reason) = actions["unknown"].as_str() {
        return Some(Known::unknown(reason));
    }
    let possible = actions.as_array()?.iter();
    let possible = possible.filter(|step| step["not_possible"].is_null());
    let names = possible.filter_map(|step| String::deserialize(&step["action"]).ok());
    Some(Known::Value(names.collect()))
}

/// Invoices that are not paid: those that were due before today, the oldest first, and the sums of
/// the amounts due from today on.
pub(super) async fn owed(site: &ErpSite, side: InvoiceSide) -> Result<ListedDocuments, ErpError> {
    let meta = site.readable_type(side.doctype).await?;
    let today = today(site).await?;
    let end = |days: u32| today.saturating_add(i64::from(days).days());
    let columns = [
        "name",
        side.party,
        "due_date",
        "outstanding_amount",
        "party_account_currency",
        "currency",
        "status",
    ];
    let last = DUE_DAYS.map(end).into_iter().max().unwrap_or(today);
    let filters = vec![
        json!(["docstatus", "=", 1]),
        json!(["outstanding_amount", ">", 0]),
        json!(["due_date", "<=", last.to_string()]),
    ];
    let found = read(site, &meta, &columns, filters, "due_date asc, name asc").await?;
    let day = |row: &Document| text(row, "due_date").as_deref().and_then(dates::day);
    let (overdue, ahead): (Vec<_>, Vec<_>) = found
        .rows
        .iter()
        .partition(|row| day(row).is_none_or(|day| day < today));
    // A list that was cut has all of the days before its last.
    let read_to = found.rows.last().and_then(day);
    let is_whole = |end: Date| !found.has_more || read_to.is_some_and(|last| end < last);
    let rows = overdue.iter().take(SHOWN).map(|row| {
        let (amount, currency) = outstanding(row);
        DocumentRow {
            party: text(row, side.party),
            amount: Some(shown::amount(amount, currency.as_deref())),
            state: text(row, "status"),
            ..dated(&meta, row, "due_date", today)
        }
    });
    let are_all = is_whole(today.saturating_sub(1.days()));
    let count = are_all.then_some(overdue.len());
    let mut part = part(rows.collect(), count, Vec::new());
    if are_all {
        part.sums = sums(&overdue);
    } else {
        part.lacks = vec![say::more_than_summed(MOST)];
    }
    let due = DUE_DAYS.map(|days| {
        let end = end(days);
        let until_then = ahead.iter().copied();
        let until_then = until_then.filter(|row| day(row).is_some_and(|day| day <= end));
        let until_then: Vec<_> = until_then.collect();
        let sums = is_whole(end).then(|| sums(&until_then));
        DueWithin {
            days,
            sums: Known::or(sums, &say::more_than_read(MOST)),
        }
    });
    part.due = due.into();
    Ok(part.into())
}

/// The amount of an invoice that is not paid, and its currency.
fn outstanding(row: &Document) -> (Decimal, Option<String>) {
    let amount = row.get("outstanding_amount").map(decimal_or_zero);
    let of_account = text(row, "party_account_currency");
    let currency = of_account.or_else(|| text(row, "currency"));
    (amount.unwrap_or_default(), currency)
}

/// Outstanding amounts of these invoices by currency.
fn sums(invoices: &[&Document]) -> Vec<DocumentCell> {
    let mut sums: BTreeMap<Option<String>, Decimal> = BTreeMap::new();
    for invoice in invoices {
        let (amount, currency) = outstanding(invoice);
        *sums.entry(currency).or_default() += amount;
    }
    let sums = sums.into_iter();
    sums.map(|(currency, sum)| shown::amount(sum, currency.as_deref()))
        .collect()
}

/// Submitted orders of customers whose delivery date is past.
pub(super) async fn deliveries(site: &ErpSite) -> Result<ListedDocuments, ErpError> {
    let meta = site.readable_type("Sales Order").await?;
    let today = today(site).await?;
    let columns = [
        "name",
        "customer",
        "delivery_date",
        "grand_total",
        "currency",
        "status",
    ];
    let filters = vec![
        json!(["docstatus", "=", 1]),
        json!(["status", "in", ["To Deliver and Bill", "To Deliver"]]),
        json!(["delivery_date", "<", today.to_string()]),
    ];
    let found = read(
        site,
        &meta,
        &columns,
        filters,
        "delivery_date asc, name asc",
    )
    .await?;
    let rows = found.rows.iter().take(SHOWN_LONG).map(|row| {
        let total = row.get("grand_total").map(decimal_or_zero);
        DocumentRow {
            party: text(row, "customer"),
            amount: total.map(|it| shown::amount(it, text(row, "currency").as_deref())),
            state: text(row, "status"),
            ..dated(&meta, row, "delivery_date", today)
        }
    });
    Ok(part(rows.collect(), count(&found), Vec::new()).into())
}

/// Drafts of a type, the newest first.
pub(super) async fn drafts(site: &ErpSite, doctype: &str) -> Result<ListedDocuments, ErpError> {
    let meta = site.readable_type(doctype).await?;
    let who = site.identity().await?;
    let mut columns = outline::columns(&meta);
    columns.push("creation");
    let found = read(
        site,
        &meta,
        &columns,
        vec![json!(["docstatus", "=", 0])],
        NEWEST,
    )
    .await?;
    let state_field = meta.workflow.as_ref().map(|it| it.state_field.as_str());
    let currencies = site.known_currencies().await;
    let rows = found.rows.iter().take(SHOWN).map(|row| {
        let by = text(row, "owner");
        let since = text(row, "creation");
        let outlined = shown::row(&outline::with_currency(&meta, row, &currencies));
        let state = state_field.and_then(|field| text(row, field));
        let is_own = by.as_deref() == Some(who.user.as_str());
        let waits_for = match (&meta.workflow, &state, &who.roles) {
            (Some(workflow), Some(state), Some(roles)) => workflow.waits_for(state, roles, is_own),
            _ => Vec::new(),
        };
        DocumentRow {
            waits_for: waits_for.into_iter().map(str::to_owned).collect(),
            state: state.or(outlined.state),
            since: since.and_then(|since| shown::moment(&since, &who.time_zone)),
            is_own,
            by,
            ..outlined
        }
    });
    Ok(part(rows.collect(), count(&found), Vec::new()).into())
}

/// The document that posted last; without a name if nothing was posted.
pub(super) async fn last_posting(site: &ErpSite) -> Result<DocumentRow, ErpError> {
    let meta = site.readable_type("GL Entry").await?;
    let who = site.identity().await?;
    let query = ListQuery {
        doctype: "GL Entry",
        fields: ["voucher_type", "voucher_no", "posting_date", "creation"]
            .map(|it| json!(it))
            .into(),
        order: "creation desc, name asc".to_owned(),
        limit: 1,
        ..ListQuery::default()
    };
    let found = site.list(&meta, query).await?;
    let row = found.rows.into_iter().next().unwrap_or_default();
    let since = text(&row, "creation");
    Ok(DocumentRow {
        doctype: text(&row, "voucher_type").unwrap_or_default(),
        name: text(&row, "voucher_no").unwrap_or_default(),
        day: text(&row, "posting_date"),
        since: since.and_then(|since| shown::moment(&since, &who.time_zone)),
        ..DocumentRow::default()
    })
}

/// True if debit equals credit over the last days.
pub(super) async fn is_balanced(site: &ErpSite) -> Result<bool, ErpError> {
    let meta = site.readable_type("GL Entry").await?;
    let from = today(site)
        .await?
        .saturating_sub(i64::from(BALANCE_DAYS).days());
    let filters = vec![
        json!(["is_cancelled", "=", 0]),
        json!(["posting_date", ">=", from.to_string()]),
    ];
    let sums = site.sums(&meta, &["debit", "credit"], filters).await?;
    let sum = |field: &str| sums.get(field).map(decimal_or_zero).unwrap_or_default();
    // The site adds up binary numbers, so a sum may be off behind the last digit of money.
    let [debit, credit] = ["debit", "credit"].map(|it| sum(it).round_dp(2));
    are_equal(debit, credit).ok_or_else(|| site.unusable("debit"))
}

/// Documents whose submission failed in the site's queue in the last days.
pub(super) async fn failed_in_queue(site: &ErpSite) -> Result<u32, ErpError> {
    let meta = site.readable_type("Submission Queue").await?;
    let from = today(site)
        .await?
        .saturating_sub(i64::from(QUEUE_DAYS).days());
    let filters = vec![
        json!(["status", "=", "Failed"]),
        json!(["creation", ">=", from.to_string()]),
    ];
    let found = read(site, &meta, &["name"], filters, NEWEST).await?;
    Ok(u32::try_from(found.rows.len()).unwrap_or(u32::MAX))
}

async fn today(site: &ErpSite) -> Result<Date, ErpError> {
    let who = site.identity().await?;
    Ok(dates::today(site.client.now(), &who.time_zone))
}

/// Rows with the columns that the type has.
async fn read(
    site: &ErpSite,
    meta: &TypeMeta,
    columns: &[&str],
    filters: Vec<Value>,
    order: &str,
) -> Result<ListRows, ErpError> {
    let query = ListQuery {
        filters,
        order: order.to_owned(),
        limit: MOST,
        ..ListQuery::of(meta, columns)
    };
    site.list(meta, query).await
}

fn text(row: &Document, field: &str) -> Option<String> {
    let text = row.get(field)?.as_str()?;
    (!text.is_empty()).then(|| text.to_owned())
}

/// A row with its day and how long that is past.
fn dated(meta: &TypeMeta, row: &Document, field: &str, today: Date) -> DocumentRow {
    let day = text(row, field);
    let past = day.as_deref().and_then(dates::day);
    let past = past.and_then(|day| (today - day).get_days().try_into().ok());
    DocumentRow {
        doctype: meta.name.clone(),
        name: text(row, "name").unwrap_or_default(),
        late: past.filter(|days| *days > 0),
        day,
        ..DocumentRow::default()
    }
}

fn count(found: &ListRows) -> Option<usize> {
    (!found.has_more).then_some(found.rows.len())
}

fn part(rows: Vec<DocumentRow>, count: Option<usize>, lacks: Vec<String>) -> DocumentsPart {
    DocumentsPart {
        rows: Known::Value(rows),
        count: count.and_then(|count| u32::try_from(count).ok()),
        sums: Vec::new(),
        due: Vec::new(),
        lacks,
        at: None,
        trouble: None,
    }
}

impl From<DocumentsPart> for ListedDocuments {
    fn from(part: DocumentsPart) -> Self {
        Self { part, inbox: None }
    }
}
