//! The plan of a change of an order's status: what is still open, and what becomes of it.

use agent::ports::Preview;
use protocol::{Assurance, CardSection, ErrorBody, Fact, RiskReason, RiskWeight};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    SetOrderStatusInput,
    work_order::{self, WorkOrderCard},
};
use crate::tools::writing::{
    acting,
    cells::{CardCell, CardColumn, MOST_LINES, table},
    plan::{ErpSubject, refused},
    posting::text_of,
};
use crate::{
    client::OrderMethod,
    decimal::decimal,
    meta::TypeRight,
    site::{Document, ErpSite},
    texts::order as say,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub(crate) enum OrderType {
    #[serde(rename = "Sales Order")]
    SalesOrder,
    #[serde(rename = "Purchase Order")]
    PurchaseOrder,
    #[serde(rename = "Material Request")]
    MaterialRequest,
    #[serde(rename = "Delivery Note")]
    DeliveryNote,
    #[serde(rename = "Purchase Receipt")]
    PurchaseReceipt,
    // No input of this tool names it: that is for the tool of a pack. As documentation it would be in the
    // schema of the others.
    #[serde(skip)]
    WorkOrder,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum OrderChange {
    Close,
    Hold,
    Stop,
    Reopen,
}

impl OrderType {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::SalesOrder => "Sales Order",
            Self::PurchaseOrder => "Purchase Order",
            Self::MaterialRequest => "Material Request",
            Self::DeliveryNote => "Delivery Note",
            Self::PurchaseReceipt => "Purchase Receipt",
            Self::WorkOrder => "Work Order",
        }
    }

    pub(super) const fn method(self, change: OrderChange) -> OrderMethod {
        match (self, change) {
            (Self::SalesOrder, _) => OrderMethod::SalesOrder,
            (Self::PurchaseOrder, _) => OrderMethod::PurchaseOrder,
            (Self::MaterialRequest, _) => OrderMethod::MaterialRequest,
            (Self::DeliveryNote, _) => OrderMethod::DeliveryNote,
            (Self::PurchaseReceipt, _) => OrderMethod::PurchaseReceipt,
            (Self::WorkOrder, OrderChange::Close) => OrderMethod::CloseWorkOrder,
            (Self::WorkOrder, _) => OrderMethod::StopWorkOrder,
        }
    }

    /// The fields of a row with what was ordered and what is done of it; for notes and receipts
    /// that is what was billed.
    const fn measures(self) -> (&'static str, &'static str) {
        match self {
            Self::SalesOrder => ("qty", "delivered_qty"),
            Self::PurchaseOrder => ("qty", "received_qty"),
            Self::MaterialRequest => ("qty", "ordered_qty"),
            Self::DeliveryNote | Self::PurchaseReceipt => ("amount", "billed_amt"),
            Self::WorkOrder => ("qty", "produced_qty"),
        }
    }

    /// The rows of an order, and the field of their item. A work order makes one item: it is its row.
    fn rows(self, order: &Document) -> (Vec<&Document>, &'static str) {
        if self == Self::WorkOrder {
            return (vec![order], "production_item");
        }
        let rows = order.get("items").and_then(Value::as_array);
        let rows = rows.into_iter().flatten().filter_map(Value::as_object);
        (rows.collect(), "item_code")
    }

    const fn allows(self, change: OrderChange) -> bool {
        match change {
            OrderChange::Reopen => true,
            OrderChange::Close => !matches!(self, Self::MaterialRequest),
            OrderChange::Hold => matches!(self, Self::SalesOrder | Self::PurchaseOrder),
            OrderChange::Stop => matches!(self, Self::MaterialRequest | Self::WorkOrder),
        }
    }
}

impl OrderChange {
    const fn verb(self, of: OrderType) -> &'static str {
        match (self, of) {
            (Self::Close, _) => say::CLOSE,
            (Self::Hold, _) => say::HOLD,
            (Self::Stop, _) => say::STOP,
            (Self::Reopen, OrderType::WorkOrder) => say::RESUME,
            (Self::Reopen, _) => say::REOPEN,
        }
    }

    /// The ERP's word for the status. To reopen, it takes a word that stands for none, and finds
    /// the status by what is done.
    const fn status(self, of: OrderType) -> &'static str {
        match (self, of) {
            (Self::Close, _) => "Closed",
            (Self::Hold, _) => "On Hold",
            (Self::Stop, _) => "Stopped",
            (Self::Reopen, OrderType::SalesOrder | OrderType::DeliveryNote) => "Draft",
            (Self::Reopen, OrderType::WorkOrder) => "Resumed",
            (Self::Reopen, _) => "Submitted",
        }
    }

    /// True if a document has the status.
    pub(super) fn is_in(self, subject: &ErpSubject) -> bool {
        let status = subject.raw("status").unwrap_or_default();
        match self {
            Self::Close => status == "Closed",
            Self::Hold => status == "On Hold",
            Self::Stop => status == "Stopped",
            Self::Reopen => !["Closed", "On Hold", "Stopped"].contains(&status),
        }
    }
}

/// A row that is not done.
struct UndeliveredRow {
    item: String,
    ordered: Decimal,
    done: Decimal,
}

/// A change that makes sense for the order as it is.
pub(super) struct OrderPlan {
    pub(super) subject: ErpSubject,
    of: OrderType,
    change: OrderChange,
    rows: usize,
    open: Vec<UndeliveredRow>,
}

impl OrderPlan {
    pub(super) async fn read(
        site: &ErpSite,
        input: &SetOrderStatusInput,
    ) -> Result<Self, ErrorBody> {
        let (of, change) = (input.doctype, input.status);
        if !of.allows(change) {
            return Err(refused(say::not_for_type(change.verb(of), of.name())));
        }
        let subject = ErpSubject::read(site, of.name(), &input.name).await?;
        let status = subject.docstatus();
        if status != "submitted" {
            return Err(refused(say::is_not_submitted(&input.name, status)));
        }
        // Older releases check no right here.
        let who = site.identity().await?;
        acting::demand(&who, &subject.meta, TypeRight::Submit)?;
        subject.demand_copy(site, &input.modified).await?;
        let now = subject.raw("status").unwrap_or_default();
        let is_closed = now == "Closed" && change != OrderChange::Reopen;
        if change.is_in(&subject) || is_closed {
            return Err(refused(say::is_already(&input.name, now)));
        }
        if of == OrderType::WorkOrder {
            work_order::demand(change, &subject)?;
        }
        let (rows, item) = of.rows(&subject.document);
        let (wanted, done) = of.measures();
        let open = rows.iter().filter_map(|row| {
            let amount = |field: &str| row.get(field).and_then(decimal).unwrap_or_default();
            let (ordered, done) = (amount(wanted), amount(done));
            (ordered.abs() > done.abs()).then(|| UndeliveredRow {
                item: text_of(row, item),
                ordered,
                done,
            })
        });
        let (open, rows): (Vec<_>, _) = (open.collect(), rows.len());
        Ok(Self {
            of,
            change,
            rows,
            open,
            subject,
        })
    }

    pub(super) fn body(&self) -> Value {
        let status = self.change.status(self.of);
        match self.of {
            OrderType::DeliveryNote | OrderType::PurchaseReceipt => {
                json!({ "docname": self.subject.name, "status": status })
            }
            OrderType::WorkOrder => json!({ "work_order": self.subject.name, "status": status }),
            _ => json!({ "name": self.subject.name, "status": status }),
        }
    }

    pub(super) fn card(&self, reason: Option<String>) -> Preview {
        let subject = &self.subject;
        let facts = subject.facts();
        let reason = reason.map(|value| Fact {
            label: say::REASON.to_owned(),
            value,
        });
        let mut sections = vec![subject.section(reason)];
        sections.extend(self.table());
        let (weight, sentence, detail) = match (self.change, self.open.is_empty()) {
            (OrderChange::Reopen, _) => (RiskWeight::Warning, say::REOPENS, say::REOPENS_DETAIL),
            (_, true) => (
                RiskWeight::Note,
                say::NOTHING_OPEN,
                say::NOTHING_OPEN_DETAIL,
            ),
            (OrderChange::Hold, _) => (RiskWeight::Note, say::HOLDS, say::HOLDS_DETAIL),
            (OrderChange::Close | OrderChange::Stop, _) => {
                (RiskWeight::Warning, say::DROPS, say::DROPS_DETAIL)
            }
        };
        let sentence_of_card = say::change(
            self.change.verb(self.of),
            &subject.target(),
            subject.party().as_deref(),
            say::OrderRows {
                open: self.open.len(),
                all: self.rows,
            },
            self.of.measures().1,
        );
        let open: Vec<_> = self
            .open
            .iter()
            .map(|it| {
                json!([
                    it.item,
                    it.ordered.normalize().to_string(),
                    it.done.normalize().to_string()
                ])
            })
            .collect();
        let card = Preview {
            facts,
            sections,
            risks: vec![RiskReason::new("open_rows", weight, sentence).meaning(detail)],
            said: &["doctype", "name", "modified", "status", "reason"],
            objects: subject.objects(),
            assurance: Assurance::Hold,
            state: json!({
                "document": subject.bound(),
                "status": subject.raw("status"),
                "open": open,
            }),
            ..Preview::new(sentence_of_card, subject.target())
        };
        if self.of != OrderType::WorkOrder {
            return card;
        }
        let (change, verb) = (self.change, self.change.verb(self.of));
        let order = subject;
        WorkOrderCard {
            order,
            change,
            verb,
        }
        .lay_over(card)
    }

    fn table(&self) -> Option<CardSection> {
        let subject = &self.subject;
        let values = subject.values();
        let (wanted, _) = self.of.measures();
        let rows = subject.meta.field("items");
        let columns = rows.and_then(|it| subject.meta.rows_of(it));
        let columns = columns.unwrap_or_default();
        let measure = columns.iter().find(|it| it.name == wanted);
        // Of notes and receipts it is the amount that is open.
        let cell = |number: Decimal| match measure {
            Some(field) => values.of_rows(number, columns, field),
            None => CardCell::Number(number),
        };
        let row = |it: &UndeliveredRow| {
            vec![
                CardCell::Text(it.item.clone()),
                cell(it.ordered),
                cell(it.done),
                cell(it.ordered.saturating_sub(it.done)),
            ]
        };
        let heads = [
            CardColumn::new(say::ITEM, false),
            CardColumn::new(say::ORDERED, true),
            CardColumn::new(say::IS_DONE, true),
            CardColumn::new(say::OPEN, true),
        ];
        let rows: Vec<_> = self.open.iter().map(row).collect();
        table(say::OPEN_ROWS, &heads, &rows, MOST_LINES)
    }
}
