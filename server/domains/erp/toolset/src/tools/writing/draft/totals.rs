//! Taxes and totals on a card as the ERP computed them, and an estimate of rows that it has not seen yet.

use protocol::{CardSection, Fact, RiskReason, RiskWeight};
use rust_decimal::Decimal;
use serde_json::Value;

use super::{changes::ChangedTable, rows_in};
use crate::tools::writing::{
    acting::{field_label, label},
    cells::{CardColumn, CardValues, table},
};
use crate::{
    decimal::{decimal, number},
    meta::{MetaField, TypeMeta},
    site::Document,
    texts::{draft, totals as say},
};

/// Totals as the ERP computes them.
pub(super) const TOTALS: [&str; 14] = [
    "net_total",
    "total_taxes_and_charges",
    "discount_amount",
    "grand_total",
    "rounded_total",
    "base_grand_total",
    "paid_amount",
    "received_amount",
    "base_paid_amount",
    "total_allocated_amount",
    "difference_amount",
    "total_debit",
    "total_credit",
    CURRENCY,
];
const CURRENCY: &str = "currency";
/// Those of which a zero says that the document does without.
const OPTIONAL: [&str; 2] = ["discount_amount", "rounded_total"];
const TAXES: &str = "taxes";
/// Columns of a tax, and the value of each that says nothing. The last is that of a till's closing.
const COLUMNS: [(&str, &str); 7] = [
    ("account_head", ""),
    // Taxes that are only valued count in no total.
    ("category", "Total"),
    ("add_deduct_tax", "Add"),
    ("rate", ""),
    ("tax_amount", ""),
    (AFTER_DISCOUNT, ""),
    ("amount", ""),
];
const AFTER_DISCOUNT: &str = "tax_amount_after_discount_amount";
/// Amounts of a row that the ERP computes from its quantity and rate.
const AMOUNTS: [&str; 6] = [
    "amount",
    "base_amount",
    "net_amount",
    "base_net_amount",
    "net_rate",
    "base_net_rate",
];
const ITEMS: &str = "items";
/// Values of a row from which the ERP sets its rate anew.
const RATE_SOURCES: [&str; 9] = [
    "conversion_factor",
    "discount_amount",
    "discount_percentage",
    "item_code",
    "margin_rate_or_amount",
    "margin_type",
    "price_list_rate",
    "pricing_rules",
    "uom",
];

/// The document whose taxes and totals a card shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TotalsOf {
    /// The one that the call makes or acts on, as the ERP computed it.
    Document,
    /// The one before the call's changes.
    BeforeChange,
    /// A new one as the ERP maps it from its source, before it has the fields of the call.
    WithoutFields,
    /// The cancelled one that a copy is made of.
    Cancelled,
}

impl TotalsOf {
    fn title(self, title: &str) -> String {
        match self {
            Self::Document => title.to_owned(),
            Self::BeforeChange => say::before_change(title),
            Self::WithoutFields => say::without_fields(title),
            Self::Cancelled => say::of_cancelled(title),
        }
    }
}

/// The taxes of a document, and its totals.
pub(crate) fn taxes_and_totals(values: CardValues<'_>, of: TotalsOf) -> Vec<CardSection> {
    let both = [taxes(values, of), totals(values, of)];
    both.into_iter().flatten().collect()
}

/// The totals that a document has.
pub(crate) fn totals(values: CardValues<'_>, of: TotalsOf) -> Option<CardSection> {
    let shown = TOTALS.iter().filter_map(|name| {
        let value = values.document.get(*name)?;
        let is_without = OPTIONAL.contains(name) && decimal(value) == Some(Decimal::ZERO);
        let cell = values.own(name, value);
        (!is_without && !cell.is_nothing()).then_some((*name, cell))
    });
    let shown: Vec<_> = shown.collect();
    // A currency alone is no total.
    shown.iter().find(|(name, _)| *name != CURRENCY)?;
    let fields = shown.iter().map(|(name, cell)| Fact {
        label: label(values.meta, name),
        value: cell.whole(),
    });
    Some(CardSection::Fields {
        title: of.title(draft::TOTALS),
        fields: fields.collect(),
    })
}

/// Its taxes. They have no sum of their own: some are deducted or only valued, and the ERP's is among the
/// totals.
fn taxes(values: CardValues<'_>, of: TotalsOf) -> Option<CardSection> {
    let field = values.meta.table_fields().find(|it| it.name == TAXES)?;
    let columns = values.meta.rows_of(field)?;
    let rows: Vec<_> = rows_in(values.document, TAXES)
        .iter()
        .filter_map(Value::as_object)
        .collect();
    let used: Vec<&MetaField> = COLUMNS
        .iter()
        .filter(|(name, silent)| rows.iter().any(|row| says(row, name, silent)))
        .filter_map(|(name, _)| columns.iter().find(|it| it.name == *name))
        .collect();
    let heads: Vec<_> = used
        .iter()
        .map(|it| CardColumn::new(field_label(it), it.kind.is_number()))
        .collect();
    let lines: Vec<Vec<_>> = rows
        .iter()
        .map(|row| {
            let cells = used.iter().map(|it| values.of_row(row, columns, it));
            cells.collect()
        })
        .collect();
    table(&of.title(&field_label(field)), &heads, &lines, usize::MAX)
}

/// True if a row says more in a column than others that are shown.
fn says(row: &Document, name: &str, silent: &str) -> bool {
    let Some(value) = row.get(name).filter(|it| !it.is_null()) else {
        return false;
    };
    let same_as = |other: &str| row.get(other).and_then(decimal) == decimal(value);
    match value.as_str() {
        Some(text) => text != silent && !text.is_empty(),
        None => name != AFTER_DISCOUNT || !same_as("tax_amount"),
    }
}

/// A row of another quantity or rate, without the amounts that the ERP computes of both. Those of a request
/// are computed by its form alone.
pub(crate) fn amounts_anew(meta: &TypeMeta, columns: &[MetaField], mut row: Document) -> Document {
    row.retain(|name, _| {
        let is_computed = |it: &MetaField| it.name == *name && it.is_read_only;
        !(AMOUNTS.contains(&&**name) && columns.iter().any(is_computed))
    });
    let of = |name: &str| decimal(row.get(name)?);
    let amount = of("qty").zip(of("rate"));
    let amount = amount.and_then(|(qty, rate)| qty.checked_mul(rate));
    if let Some(amount) = amount.filter(|_| meta.name == "Material Request") {
        row.insert("amount".to_owned(), number(amount));
    }
    row
}

/// Leaves out of a document the amounts of its taxes, but for those that are given as amounts.
pub(super) fn without_tax_amounts(document: &mut Document) {
    let taxes = document.get_mut(TAXES).and_then(Value::as_array_mut);
    for row in taxes.into_iter().flatten().filter_map(Value::as_object_mut) {
        if row.get("charge_type").is_none_or(|it| it != "Actual") {
            row.retain(|name, _| !name.contains("tax_amount") && !name.ends_with("total"));
        }
    }
}

/// An estimate of what the rows come to, for types with totals: the ERP computes those only when it saves
/// the document. It is a reason, and no decision is bound to it. `changes` are those of a stored document.
pub(crate) fn estimate(values: CardValues<'_>, changes: &[ChangedTable]) -> Option<RiskReason> {
    values.meta.field("grand_total")?;
    let field = values.meta.table_fields().find(|it| it.name == ITEMS)?;
    let columns = values.meta.rows_of(field)?;
    let rate = columns.iter().find(|it| it.name == "rate")?;
    let rows = rows_in(values.document, ITEMS);
    if rows.is_empty() {
        return None;
    }
    let asked = changes.iter().find(|it| it.table == ITEMS);
    let asked = |at: usize| asked.and_then(|it| it.asked.get(at));
    let amounts: Vec<_> = rows
        .iter()
        .enumerate()
        .map(|(at, row)| amount(row, asked(at)))
        .collect();
    let without = amounts.iter().filter(|it| it.is_none()).count();
    let sentence = if without > 0 {
        say::rate_of_erp(without, rows.len())
    } else {
        let mut amounts = amounts.into_iter().flatten();
        let sum = amounts.try_fold(Decimal::ZERO, |sum, [qty, rate]| {
            sum.checked_add(qty.checked_mul(rate)?)
        });
        sum.map_or_else(
            || say::TOO_LARGE.to_owned(),
            |sum| say::estimate(&values.of_rows(sum.round_dp(2), columns, rate).whole()),
        )
    };
    let reason = RiskReason::new("estimate", RiskWeight::Note, sentence);
    Some(reason.meaning(say::ESTIMATE_DETAIL))
}

/// Quantity and rate of a row; None if the ERP sets its rate. `asked` are the values that a call gives.
fn amount(row: &Value, asked: Option<&Value>) -> Option<[Decimal; 2]> {
    let asked = asked.and_then(Value::as_object);
    let is_set_anew = asked.is_some_and(|asked| {
        !asked.contains_key("rate") && RATE_SOURCES.iter().any(|it| asked.contains_key(*it))
    });
    let number = |name: &str| decimal(&row[name]);
    // A rate of zero is one that the ERP sets, unless its price list has none either.
    let has_no_price = number("price_list_rate") == Some(Decimal::ZERO);
    let rate = number("rate").filter(|it| !it.is_zero() || has_no_price)?;
    (!is_set_anew).then_some([number("qty")?, rate])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::currency::Currencies;

    fn meta() -> TypeMeta {
        let field = |name: &str, kind: &str, options: &str| json!({"fieldname": name, "fieldtype": kind, "options": options, "label": name, "read_only": i32::from(name == "amount")});
        let docs = json!([
            {"name": "Purchase Order", "fields": [
                field("currency", "Link", "Currency"), field("items", "Table", "Row"),
                field("taxes", "Table", "Tax"), field("grand_total", "Currency", "currency"),
                field("rounded_total", "Currency", "currency"),
            ]},
            {"name": "Row", "fields": [
                field("item_code", "Link", "Item"), field("qty", "Float", ""),
                field("rate", "Currency", "currency"), field("amount", "Currency", "currency"),
            ]},
            {"name": "Tax", "fields": [
                field("account_head", "Link", "Account"), field("category", "Select", ""),
                field("add_deduct_tax", "Select", ""), field("rate", "Float", ""),
                field("tax_amount", "Currency", "currency"), field(AFTER_DISCOUNT, "Currency", "currency"),
            ]},
        ]);
        TypeMeta::of(&docs).unwrap()
    }

    #[test]
    fn an_estimate_is_whole_or_says_why_not() {
        let meta = meta();
        let currencies = Currencies::new();
        let shown = |rows: Value, changes: &[ChangedTable]| {
            let document = json!({"currency": "EUR", "items": rows});
            let values = CardValues {
                meta: &meta,
                document: document.as_object().unwrap(),
                currencies: &currencies,
            };
            estimate(values, changes).map(|it| it.sentence)
        };
        let row = |qty: Value, rate: Value| json!({"item_code": "PUMP", "qty": qty, "rate": rate});
        let changed = |asked: Value| {
            let table = ITEMS.to_owned();
            let asked = vec![asked, json!({})];
            [ChangedTable {
                table,
                rows: Vec::new(),
                asked,
            }]
        };
        let two = || json!([row(json!(3), json!(12.005)), row(json!("0.5"), json!(-1))]);
        let sum = "Estimate: 35.52 EUR";
        let unknown = "No estimate: the ERP sets the rate of";
        for (rows, changes, expect) in [
            (two(), None, sum.to_owned()),
            (two(), Some(json!({"qty": 3})), sum.to_owned()),
            (
                two(),
                Some(json!({"rate": 12, "uom": "Box"})),
                sum.to_owned(),
            ),
            (
                two(),
                Some(json!({"discount_percentage": 5})),
                format!("{unknown} 1 of 2 rows"),
            ),
            (
                json!([row(json!(1), json!(0))]),
                None,
                format!("{unknown} its one row"),
            ),
            (
                json!([row(json!(1), json!(null))]),
                None,
                format!("{unknown} its one row"),
            ),
            (
                json!([{"qty": 2, "rate": 0, "price_list_rate": 0}]),
                None,
                "Estimate: 0.00 EUR".to_owned(),
            ),
            (
                json!([row(json!(1e28), json!(1e28))]),
                None,
                say::TOO_LARGE.to_owned(),
            ),
        ] {
            let changes = changes.map(changed);
            let told = shown(rows, changes.as_ref().map_or(&[][..], |it| &it[..])).unwrap();
            assert!(told.starts_with(&expect), "{told}: {expect}");
        }
        assert_eq!(shown(json!([]), &[]), None);
    }

    #[test]
    fn taxes_show_what_differs() {
        let meta = meta();
        let shown = |taxes: Value| {
            let document =
                json!({"currency": "EUR", "grand_total": 119, "rounded_total": 0, "taxes": taxes});
            let values = CardValues {
                meta: &meta,
                document: document.as_object().unwrap(),
                currencies: &Currencies::new(),
            };
            json!(taxes_and_totals(values, TotalsOf::BeforeChange))
        };
        let tax = |kind: &str, after: f64| {
            json!({"account_head": "VAT", "category": "Total", "add_deduct_tax": kind, "rate": 19,
                "tax_amount": 19, AFTER_DISCOUNT: after})
        };
        let names = |shown: &Value| {
            let columns = shown[0]["columns"].as_array().unwrap().iter();
            columns.map(|it| it["name"].clone()).collect::<Vec<_>>()
        };
        let plain = shown(json!([tax("Add", 19.0)]));
        assert_eq!(plain[0]["title"], "taxes before the change");
        assert_eq!(names(&plain), ["account_head", "rate", "tax_amount (EUR)"]);
        let totals = json!([{"label": "grand_total", "value": "119.00 EUR"}, {"label": "currency", "value": "EUR"}]);
        assert_eq!(plain[1]["fields"], totals);
        let both = shown(json!([tax("Add", 19.0), tax("Deduct", 17.1)]));
        assert_eq!(names(&both)[1], "add_deduct_tax");
        assert_eq!(both[0]["rows"][1][4], "17.10");
        assert_eq!(both[0]["sums"], Value::Null);
    }

    #[test]
    fn amounts_of_another_quantity_are_left_out() {
        let meta = meta();
        let columns = meta.rows_of(meta.field(ITEMS).unwrap()).unwrap();
        let row = json!({"item_code": "PUMP", "qty": 2, "amount": 36, "net_amount": 36});
        // Only what the ERP computes; a column that people fill stays.
        let row = amounts_anew(&meta, columns, row.as_object().unwrap().clone());
        assert_eq!(
            json!(row),
            json!({"item_code": "PUMP", "qty": 2, "net_amount": 36})
        );
        let mut document = json!({"taxes": [
            {"charge_type": "Actual", "tax_amount": 5, "total": 41},
            {"charge_type": "On Net Total", "rate": 19, "tax_amount": 6.84, "total": 47.84},
        ]});
        without_tax_amounts(document.as_object_mut().unwrap());
        let left = json!({"charge_type": "On Net Total", "rate": 19});
        assert_eq!(document["taxes"][1], left);
        assert_eq!(document["taxes"][0]["tax_amount"], 5);
    }
}
