//! The table of a report's answer: columns and rows come in several forms.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::{
    cell,
    decimal::{decimal, money},
    plain_text::plain,
    texts::readings as say,
    tools::{amounts, unknown},
};

/// A report as rows of cells in the order of its columns.
pub(super) struct ReportTable {
    /// Each with `field` and `label`; one of amounts also with its `currency`.
    pub(super) columns: Vec<Value>,
    pub(super) rows: Vec<Value>,
    /// The total row that the ERP adds, by field.
    pub(super) totals: Option<Map<String, Value>>,
    /// Places of the columns that hold money.
    money: Vec<usize>,
}

/// Columns whose sums tell most of a report.
const TELLING: [&str; 9] = [
    "outstanding",
    "selling_amount",
    "closing_debit",
    "closing_credit",
    "gross_profit",
    "balance",
    "debit",
    "credit",
    "total",
];

/// The most figures of a summary.
const MOST_FIGURES: usize = 2;

impl ReportTable {
    /// None if the answer is of no known form. `own`: the currency of amounts whose rows name none.
    pub(super) fn read(answer: &Value, own: Option<&str>) -> Option<Self> {
        let columns: Vec<ReportColumn> = match &answer["columns"] {
            Value::Array(columns) => columns.iter().map(ReportColumn::read).collect(),
            // A report without data may have none.
            Value::Null => Vec::new(),
            _ => return None,
        };
        let mut rows: Vec<&Value> = match &answer["result"] {
            Value::Array(rows) => rows.iter().filter(|row| !is_empty(row)).collect(),
            Value::Null => Vec::new(),
            _ => return None,
        };
        let has_total = answer["add_total_row"] == true || answer["add_total_row"] == 1;
        let totals = if has_total { rows.pop() } else { None };
        let currencies: Vec<_> = columns
            .iter()
            .map(|column| column.currencies(&columns, &rows))
            .collect();
        let totals = totals.map(|row| {
            let cells = columns.iter().zip(&currencies).enumerate();
            let cells = cells.filter_map(|(at, (column, currencies))| {
                let value = shown(column.value(at, row))?;
                // The ERP adds up whatever a column has.
                let is_mixed = column.is_money && currencies.len() > 1;
                let value = if is_mixed {
                    unknown(say::SEVERAL_CURRENCIES)
                } else {
                    value
                };
                Some((column.field.clone(), value))
            });
            cells.collect()
        });
        let heads = columns.iter().zip(&currencies);
        let heads = heads.map(|(column, currencies)| column.head(&columns, currencies, own));
        let cells = |row: &&Value| {
            let cells = columns.iter().enumerate();
            let cells = cells.map(|(at, column)| shown(column.value(at, row)).unwrap_or_default());
            Value::Array(cells.collect())
        };
        let money = columns.iter().enumerate();
        let money = money.filter(|(_, column)| column.is_money);
        Some(Self {
            money: money.map(|(at, _)| at).collect(),
            rows: rows.iter().map(cells).collect(),
            totals,
            columns: heads.collect(),
        })
    }

    /// Figures of the report's own last line or total, such as `Total: Outstanding 35.00 EUR`. Nothing
    /// is added up here: rows may be subtotals of each other.
    pub(super) fn figures(&self) -> Vec<String> {
        let field = |at: usize| self.columns.get(at).and_then(|it| it["field"].as_str());
        let last = self.rows.last().and_then(Value::as_array);
        let cell = |at: usize| match &self.totals {
            Some(totals) => totals.get(field(at)?),
            None => last?.get(at),
        };
        let texts = (0..self.columns.len()).filter_map(|at| cell(at)?.as_str());
        let mut names = texts
            .map(|text| text.trim_matches('\''))
            .filter(|it| !it.is_empty());
        let name = match (&self.totals, names.next()) {
            (Some(_), name) => name.unwrap_or_default(),
            // A line that is no sum of others says nothing of the whole.
            (None, Some(name)) if is_of_all(name) => name,
            (None, _) => return Vec::new(),
        };
        let label = |at: usize| self.columns.get(at).and_then(|it| it["label"].as_str());
        let told = TELLING.iter().filter_map(|wanted| {
            let at = self.money.iter().find(|at| field(**at) == Some(wanted))?;
            let amount = decimal(cell(*at)?)?;
            let currency = self.columns.get(*at)?["currency"].as_str()?;
            let label = label(*at).unwrap_or_default();
            Some((label, money(amount, currency)))
        });
        told.take(MOST_FIGURES)
            .map(|(label, amount)| say::figure(name, label, &amount))
            .collect()
    }
}

struct ReportColumn {
    field: String,
    label: String,
    is_money: bool,
    /// The field of the rows with the currency of its amounts.
    currency_field: Option<String>,
}

/// True for the name of a line that sums up the report.
fn is_of_all(name: &str) -> bool {
    let name = name.to_lowercase();
    ["total", "profit", "closing"]
        .iter()
        .any(|it| name.starts_with(it))
}

impl ReportColumn {
    /// An object, or a text as `Label:Type/Options:Width`.
    fn read(column: &Value) -> Self {
        let text = |field: &str| column.get(field).and_then(Value::as_str);
        let label = match column {
            Value::String(text) => text.split(':').next().unwrap_or_default(),
            _ => text("label")
                .or_else(|| text("fieldname"))
                .unwrap_or_default(),
        };
        let label = plain(label, 80);
        let kind = match column {
            Value::String(text) => text.split(':').nth(1),
            _ => text("fieldtype"),
        };
        let options = match column {
            Value::String(_) => kind.and_then(|kind| kind.split_once('/')).map(|it| it.1),
            _ => text("options"),
        };
        // Others lead to the currency over a link, which is that of the company.
        let currency_field = options.filter(|it| !it.is_empty() && !it.contains(':'));
        let field = text("fieldname").map(str::to_owned);
        Self {
            // Frappe's own name for such a column.
            field: field.unwrap_or_else(|| label.to_lowercase().replace([' ', '-'], "_")),
            label,
            is_money: kind.is_some_and(|kind| kind.starts_with("Currency")),
            currency_field: currency_field.map(str::to_owned),
        }
    }

    /// The currencies that the rows name for its amounts.
    fn currencies<'a>(&self, columns: &[Self], rows: &[&'a Value]) -> BTreeSet<&'a str> {
        let Some(field) = self.currency_field.as_deref() else {
            return BTreeSet::new();
        };
        let at = columns.iter().position(|it| it.field == field);
        let named = rows.iter().filter_map(|row| match row {
            Value::Array(cells) => cells.get(at?)?.as_str(),
            row => row.get(field)?.as_str(),
        });
        named.filter(|it| !it.is_empty()).collect()
    }

    /// The column for a result. `own`: the currency of amounts whose rows name none.
    fn head(&self, columns: &[Self], currencies: &BTreeSet<&str>, own: Option<&str>) -> Value {
        let mut head = json!({ "field": self.field, "label": self.label });
        if !self.is_money {
            return head;
        }
        let mut named = currencies.iter().copied();
        head["currency"] = match (named.next(), named.next(), &self.currency_field) {
            (first, None, _) => amounts::currency(first.or(own)),
            (_, _, Some(field)) if columns.iter().any(|it| it.field == *field) => {
                json!({ "by_row": field })
            }
            _ => unknown(say::SEVERAL_CURRENCIES),
        };
        head
    }

    fn value<'a>(&self, at: usize, row: &'a Value) -> &'a Value {
        match row {
            Value::Array(cells) => cells.get(at).unwrap_or(&Value::Null),
            row => row.get(&self.field).unwrap_or(&Value::Null),
        }
    }
}

fn shown(value: &Value) -> Option<Value> {
    cell::cell(None, value, cell::IN_LIST)
}

fn is_empty(row: &Value) -> bool {
    match row {
        Value::Array(cells) => cells.is_empty(),
        Value::Object(cells) => cells.is_empty(),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_rows_come_in_several_forms() {
        let answer = json!({
            "columns": ["Item Code:Link/Item:120", {"fieldname": "qty", "label": "<b>Qty</b>", "fieldtype": "Float"}],
            "result": [["FRAME-M", 5.0], {"item_code": "<i>x</i>", "qty": null}, {}, ["Total", 5.0]],
            "add_total_row": 1,
        });
        let table = ReportTable::read(&answer, None).unwrap();
        assert_eq!(
            table.columns,
            [
                json!({"field": "item_code", "label": "Item Code"}),
                json!({"field": "qty", "label": "Qty"})
            ]
        );
        assert_eq!(table.rows, [json!(["FRAME-M", 5]), json!(["x", null])]);
        assert_eq!(json!(table.totals), json!({"item_code": "Total", "qty": 5}));
        assert!(ReportTable::read(&json!({"columns": "x"}), None).is_none());
        assert!(ReportTable::read(&json!({}), None).unwrap().rows.is_empty());
    }

    #[test]
    fn columns_of_amounts_have_their_currency_and_no_total_of_several() {
        let answer = |columns: Value, second: &str| {
            json!({
                "columns": columns,
                "result": [{"due": 5, "of": "EUR"}, {"due": 7, "of": second}, {"due": 12, "of": ""}],
                "add_total_row": 1,
            })
        };
        let due = || json!({"fieldname": "due", "label": "Due", "fieldtype": "Currency", "options": "of"});
        let of = || json!({"fieldname": "of", "label": "Currency", "fieldtype": "Link"});
        let read = |columns: Value, second: &str, own: Option<&str>| {
            let table = ReportTable::read(&answer(columns, second), own).unwrap();
            (
                table.columns[0]["currency"].clone(),
                table.totals.unwrap()["due"].clone(),
            )
        };
        let one = read(json!([due(), of()]), "EUR", Some("USD"));
        assert_eq!(one, (json!("EUR"), json!(12)));
        let several = read(json!([due(), of()]), "USD", Some("EUR"));
        assert_eq!(several.0, json!({"by_row": "of"}));
        assert!(several.1["unknown"].is_string());
        // The rows have more than the columns show.
        assert!(read(json!([due()]), "USD", None).0["unknown"].is_string());
        let plain = || json!(["Due:Currency:120"]);
        assert_eq!(read(plain(), "USD", Some("CHF")).0, "CHF");
        assert!(read(plain(), "USD", None).0["unknown"].is_string());
    }
}
