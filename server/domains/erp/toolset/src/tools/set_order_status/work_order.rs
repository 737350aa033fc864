//! Work orders among the orders: what is made, what is under way, and what comes back never.

use agent::ports::Preview;
use protocol::{CardSection, ErrorBody, RiskReason, RiskWeight};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::change::OrderChange;
use crate::tools::writing::{
    cells::{CardCell, CardColumn, MOST_LINES, table},
    plan::{ErpSubject, refused},
    posting::text_of,
};
use crate::{
    decimal::{decimal, number},
    site::Document,
    texts::order as say,
};

/// Refuses what the ERP would refuse, or take without an effect.
pub(super) fn demand(change: OrderChange, order: &ErpSubject) -> Result<(), ErrorBody> {
    match (change, order.raw("status")) {
        (OrderChange::Reopen, Some("Closed")) => Err(refused(say::stays_closed(&order.name))),
        (OrderChange::Stop, Some("Completed")) => Err(refused(say::is_made(&order.name))),
        _ => Ok(()),
    }
}

/// A material that was taken for the order and is not used.
struct MaterialUnderWay {
    item: String,
    taken: Decimal,
    used: Decimal,
}

/// A work order that is to be stopped, resumed or closed.
pub(super) struct WorkOrderCard<'a> {
    pub(super) order: &'a ErpSubject,
    pub(super) change: OrderChange,
    pub(super) verb: &'static str,
}

impl WorkOrderCard<'_> {
    /// The card of an order, in the words for a work order.
    pub(super) fn lay_over(&self, card: Preview) -> Preview {
        let document = &self.order.document;
        let under_way = under_way(document);
        let mut sections = card.sections;
        sections.extend(section(&under_way));
        let mut risks = vec![self.effect()];
        if !under_way.is_empty() && self.change != OrderChange::Reopen {
            let sentence = say::under_way(under_way.len());
            let reason = RiskReason::new("under_way", RiskWeight::Warning, sentence);
            risks.push(reason.meaning(say::UNDER_WAY_DETAIL));
        }
        let bound: Vec<_> = under_way
            .iter()
            .map(|it| json!([it.item, it.taken.to_string(), it.used.to_string()]))
            .collect();
        let mut state = card.state;
        if let Some(state) = state.as_object_mut() {
            state.insert("under_way".to_owned(), bound.into());
        }
        let sentence = say::change_work_order(
            self.verb,
            &self.order.target(),
            &text_of(document, "production_item"),
            &shown(amount(document, "produced_qty")),
            &shown(amount(document, "qty")),
        );
        Preview {
            sentence,
            sections,
            risks,
            state,
            ..card
        }
    }

    fn effect(&self) -> RiskReason {
        let (weight, sentence, detail) = match self.change {
            OrderChange::Reopen => (
                RiskWeight::Warning,
                say::RESUMES_WORK,
                say::RESUMES_WORK_DETAIL,
            ),
            OrderChange::Close => (RiskWeight::Grave, say::CLOSES_WORK, say::CLOSES_WORK_DETAIL),
            OrderChange::Stop | OrderChange::Hold => {
                (RiskWeight::Warning, say::STOPS_WORK, say::STOPS_WORK_DETAIL)
            }
        };
        RiskReason::new("work_order", weight, sentence).meaning(detail)
    }
}

fn amount(row: &Document, field: &str) -> Decimal {
    row.get(field).and_then(decimal).unwrap_or_default()
}

fn shown(amount: Decimal) -> String {
    number(amount).to_string()
}

fn under_way(order: &Document) -> Vec<MaterialUnderWay> {
    let rows = order.get("required_items").and_then(Value::as_array);
    let rows = rows.into_iter().flatten().filter_map(Value::as_object);
    let rows = rows.map(|row| MaterialUnderWay {
        item: text_of(row, "item_code"),
        taken: amount(row, "transferred_qty"),
        used: amount(row, "consumed_qty"),
    });
    rows.filter(|it| it.taken > it.used).collect()
}

fn section(materials: &[MaterialUnderWay]) -> Option<CardSection> {
    let row = |it: &MaterialUnderWay| {
        vec![
            CardCell::Text(it.item.clone()),
            CardCell::Number(it.taken),
            CardCell::Number(it.used),
            CardCell::Number(it.taken.saturating_sub(it.used)),
        ]
    };
    let columns = [
        CardColumn::new(say::ITEM, false),
        CardColumn::new(say::TAKEN, true),
        CardColumn::new(say::USED, true),
        CardColumn::new(say::LEFT, true),
    ];
    let rows: Vec<_> = materials.iter().map(row).collect();
    table(say::MATERIALS_UNDER_WAY, &columns, &rows, MOST_LINES)
}
