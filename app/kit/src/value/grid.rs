//! A table that a result gives as its columns and rows, with totals and units.

use leptos::prelude::*;
use serde_json::{Map, Number, Value};

use super::{scalar::scalar, text};
use crate::{
    format::{field_name, grouped, upright},
    texts,
};

/// The most rows drawn; further ones are only counted.
const MOST_ROWS: usize = 200;

/// The members of a result that the table shows.
const MEMBERS: [&str; 4] = ["columns", "rows", "totals", "of"];

/// The members of an object like this one:
/// `{"columns": ["day", {"field": "due", "label": "Due", "currency": "EUR"}], "rows": [["2026-11-30", 5]]}`.
///
/// A column is its name, or has a `label` and perhaps a `field` and the `currency` of its numbers:
/// `{"by_row": FIELD}` if another column has it, `{"unknown": REASON}` if nobody knows. Beside the rows
/// there may be `totals`, which are cells by field, and `of`, the number of all rows.
#[derive(Debug)]
pub(super) struct ValueGrid<'a> {
    columns: Vec<GridColumn<'a>>,
    rows: Vec<&'a Vec<Value>>,
    totals: Option<&'a Map<String, Value>>,
    /// The number of all rows, of which these are the first.
    of: usize,
}

#[derive(Debug)]
struct GridColumn<'a> {
    /// The name that totals and other columns have for it; it may contain the unit.
    field: &'a str,
    head: String,
    unit: GridUnit,
    is_number: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GridUnit {
    /// None, or one in the field's name.
    Plain,
    /// A currency, which the head says.
    Money,
    /// A currency, which the cell at this place of the row says.
    MoneyOfRow(usize),
}

impl<'a> ValueGrid<'a> {
    /// Returns the table that is in an object; none if it has no table of this form.
    pub(super) fn of(map: &'a Map<String, Value>) -> Option<Self> {
        let given = map.get("columns")?.as_array()?;
        let rows = map.get("rows")?.as_array()?.iter();
        let rows: Vec<_> = rows.map(Value::as_array).collect::<Option<_>>()?;
        let fits = |row: &&Vec<Value>| row.len() <= given.len() && row.iter().all(is_cell);
        if rows.is_empty() || !rows.iter().all(fits) {
            return None;
        }
        let totals = match map.get("totals") {
            None | Some(Value::Null) => None,
            Some(totals) => Some(totals.as_object()?),
        };
        let fields: Vec<_> = given.iter().map(field).collect::<Option<_>>()?;
        // A total that belongs to no column, or to several, would be lost or said twice.
        let is_of_one = |(name, cell): (&String, &Value)| {
            let columns = fields.iter().filter(|field| **field == name.as_str());
            columns.count() == 1 && is_cell(cell)
        };
        if !totals.is_none_or(|totals| totals.iter().all(is_of_one)) {
            return None;
        }
        let columns = given.iter().enumerate();
        let columns = columns.map(|(at, column)| GridColumn::of(at, column, &fields, &rows));
        let of = match map.get("of") {
            None => 0,
            Some(of) => usize::try_from(of.as_u64()?).ok()?,
        };
        Some(Self {
            columns: columns.collect::<Option<_>>()?,
            of,
            rows,
            totals,
        })
    }

    /// Returns whether the table shows a member of its object.
    pub(super) fn shows(name: &str) -> bool {
        MEMBERS.contains(&name)
    }

    /// Returns the text of a cell. Blank if the row has nothing there, which is neither zero nor unknown.
    fn cell(&self, at: usize, row: &[Value], value: &Value) -> Option<String> {
        let column = self.columns.get(at)?;
        match (value, column.unit) {
            (Value::Null, _) => None,
            (Value::Number(number), GridUnit::Money) => Some(amount(number)),
            (Value::Number(number), GridUnit::MoneyOfRow(place)) => {
                let currency = row.get(place).and_then(Value::as_str);
                Some(match currency.filter(|it| !it.is_empty()) {
                    Some(currency) => {
                        format!("{} {}", amount(number), upright(currency.to_owned()))
                    }
                    None => amount(number),
                })
            }
            (Value::Object(_), _) => Some(texts::unknown_because(&reason(value)?)),
            (value, _) => Some(scalar(column.field, value)),
        }
    }

    fn class(&self, at: usize) -> Option<&'static str> {
        self.columns.get(at)?.is_number.then_some("right")
    }

    /// Draws the table. It scrolls sideways where it has no room.
    pub(super) fn view(&self) -> AnyView {
        let heads = self.columns.iter().enumerate().map(|(at, column)| {
            let head = column.head.clone();
            view! { <th scope="col" class=self.class(at)>{head}</th> }.into_any()
        });
        let heads: Vec<_> = heads.collect();
        let rows = self.rows.iter().take(MOST_ROWS).map(|row| self.row(row));
        let rows: Vec<_> = rows.collect();
        let drawn = rows.len();
        let hidden = self.of.max(self.rows.len()).saturating_sub(drawn);
        let hidden = (hidden > 0)
            .then(|| view! { <p class="value-more">{texts::and_more(hidden)}</p> }.into_any());
        view! {
            <div class="table-scroll value-grid" tabindex="0" role="group" aria-label=texts::TABLE_OF_THE_RESULT>
                <table>
                    <thead>
                        <tr>{heads}</tr>
                    </thead>
                    <tbody>{rows}</tbody>
                    {self.foot()}
                </table>
            </div>
            {hidden}
        }
        .into_any()
    }

    fn row(&self, row: &[Value]) -> AnyView {
        let cells = (0..self.columns.len()).map(|at| {
            let value = row.get(at).unwrap_or(&Value::Null);
            let shown = match (value, self.columns.get(at)) {
                // A name of a thing is a link to its page.
                (Value::String(_), Some(column)) => text(column.field, value),
                _ => self.cell(at, row, value).into_any(),
            };
            self.place(at, shown)
        });
        let cells: Vec<_> = cells.collect();
        view! { <tr>{cells}</tr> }.into_any()
    }

    /// Draws the totals; a first column that has none says that they are.
    fn foot(&self) -> Option<AnyView> {
        let totals = self.totals.filter(|totals| !totals.is_empty())?;
        let cells = self.columns.iter().enumerate().map(|(at, column)| {
            let shown = totals.get(column.field);
            let shown = shown.and_then(|value| self.cell(at, &[], value));
            let shown = shown.or_else(|| (at == 0).then(|| texts::TOTAL.to_owned()));
            self.place(at, shown.into_any())
        });
        let cells: Vec<_> = cells.collect();
        let foot = view! {
            <tfoot>
                <tr>{cells}</tr>
            </tfoot>
        };
        Some(foot.into_any())
    }

    /// Draws a cell: the first one is the head of its row.
    fn place(&self, at: usize, shown: AnyView) -> AnyView {
        let class = self.class(at);
        match at {
            0 => view! { <th scope="row" class=class>{shown}</th> }.into_any(),
            _ => view! { <td class=class>{shown}</td> }.into_any(),
        }
    }
}

impl<'a> GridColumn<'a> {
    fn of(at: usize, column: &'a Value, fields: &[&str], rows: &[&Vec<Value>]) -> Option<Self> {
        let label = match column["label"].as_str() {
            Some(label) => label.to_owned(),
            None => field_name(field(column)?),
        };
        let label = upright(label);
        let (head, unit) = match &column["currency"] {
            Value::Null => (label, GridUnit::Plain),
            Value::String(currency) => {
                let head = texts::amounts_in(&label, &upright(currency.clone()));
                (head, GridUnit::Money)
            }
            given => match given["by_row"].as_str() {
                Some(by) => {
                    let place = fields.iter().position(|field| *field == by)?;
                    (label, GridUnit::MoneyOfRow(place))
                }
                None => {
                    let head = texts::amounts_in_unknown(&label, &reason(given)?);
                    (head, GridUnit::Money)
                }
            },
        };
        let mut cells = rows.iter().filter_map(|row| row.get(at));
        let are_numbers = cells.clone().all(|cell| cell.is_number() || cell.is_null())
            && cells.any(Value::is_number);
        Some(Self {
            field: field(column)?,
            head,
            is_number: are_numbers || unit != GridUnit::Plain,
            unit,
        })
    }
}

/// Returns the name of a column: that of its field, else its label.
fn field(column: &Value) -> Option<&str> {
    let named = || {
        column["field"]
            .as_str()
            .or_else(|| column["label"].as_str())
    };
    column.as_str().or_else(named)
}

/// Returns whether a value is one that a cell can show.
fn is_cell(value: &Value) -> bool {
    match value {
        Value::Object(_) => reason(value).is_some(),
        Value::Array(_) => false,
        _ => true,
    }
}

/// Returns the reason of `{"unknown": REASON}`.
fn reason(value: &Value) -> Option<String> {
    let map = value.as_object().filter(|map| map.len() == 1)?;
    Some(upright(map.get("unknown")?.as_str()?.to_owned()))
}

/// Formats an amount with two decimals at least: `1,190.00`. Nothing is rounded away.
fn amount(number: &Number) -> String {
    let digits = number.to_string();
    grouped(&match digits.split_once('.') {
        Some((_, decimals)) if decimals.len() == 1 => format!("{digits}0"),
        None if !number.is_f64() => format!("{digits}.00"),
        _ => digits,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The heads of a table, its rows and its totals as lines of text.
    fn told(value: &Value) -> Option<Vec<Vec<String>>> {
        let grid = ValueGrid::of(value.as_object()?)?;
        let cells = |row: &[Value]| -> Vec<String> {
            let cells = row.iter().enumerate();
            let cells = cells.map(|(at, value)| grid.cell(at, row, value).unwrap_or_default());
            cells.collect()
        };
        let heads = grid.columns.iter().enumerate().map(|(at, column)| {
            let side = grid.class(at).map_or("", |_| "› ");
            format!("{side}{}", column.head)
        });
        let totals = grid.columns.iter().enumerate().map(|(at, column)| {
            let total = grid.totals.and_then(|totals| totals.get(column.field));
            total
                .and_then(|total| grid.cell(at, &[], total))
                .unwrap_or_default()
        });
        let rows = grid.rows.iter().map(|row| cells(row));
        let mut lines = vec![heads.collect()];
        lines.extend(rows);
        lines.push(totals.collect());
        Some(lines)
    }

    #[test]
    fn columns_and_rows_are_a_table_with_units_and_totals() {
        let money = |field: &str, currency: Value| json!({"field": field, "label": field.to_uppercase(), "currency": currency});
        let report = json!({
            "columns": [
                {"field": "party", "label": "Customer\u{202e}"},
                money("due", json!("EUR")),
                money("own", json!({"by_row": "of"})),
                money("odd", json!({"unknown": "several"})),
                {"field": "of", "label": "Currency"},
                "used_percent",
            ],
            "rows": [
                ["Kestrel", 1190, -20.5, 1.125, "USD", 5],
                ["Merlin", null, 7, -0.5, "", null],
            ],
            "totals": {"party": "Total", "due": 1190, "own": {"unknown": "several currencies"}},
            "of": 2,
        });
        let first = ["Kestrel", "1,190.00", "−20.50 USD", "1.125", "USD", "5.0 %"];
        assert_eq!(
            told(&report).unwrap(),
            [
                [
                    "Customer\\u{202e}",
                    "› DUE (EUR)",
                    "› OWN",
                    "› ODD (currency unknown: several)",
                    "Currency",
                    "› used percent",
                ],
                first,
                ["Merlin", "", "7.00", "−0.50", "", ""],
                [
                    "Total",
                    "1,190.00",
                    "unknown: several currencies",
                    "",
                    "",
                    ""
                ],
            ]
        );
    }

    #[test]
    fn what_a_table_would_not_show_whole_is_none() {
        let (columns, rows) = (|| json!(["a", "b"]), || json!([[1, 2]]));
        let is_table = |value: Value| told(&value).is_some();
        assert!(is_table(json!({"columns": columns(), "rows": rows()})));
        for other in [
            json!({"columns": columns(), "rows": [[1, 2, 3]]}),
            json!({"columns": columns(), "rows": [[1, [2]]]}),
            json!({"columns": columns(), "rows": [[1, {"unknown": "x", "or": "y"}]]}),
            json!({"columns": columns(), "rows": [{"a": 1}]}),
            json!({"columns": columns(), "rows": []}),
            json!({"columns": columns(), "rows": rows(), "totals": {"c": 3}}),
            json!({"columns": columns(), "rows": rows(), "totals": [3]}),
            json!({"columns": columns(), "rows": rows(), "of": "two pages"}),
            json!({"columns": ["a", "a"], "rows": rows(), "totals": {"a": 3}}),
            json!({"columns": [1, 2], "rows": rows()}),
            json!({"columns": ["a", {"label": "B", "currency": {"by_row": "c"}}], "rows": rows()}),
            json!({"columns": 2, "rows": rows()}),
            json!({"rows": rows()}),
        ] {
            assert!(!is_table(other.clone()), "{other}");
        }
    }

    #[cfg(feature = "ssr")]
    #[test]
    fn heads_have_their_scope_and_cells_are_text() {
        let table = json!({
            "columns": ["name", {"field": "due", "label": "<b>Due</b>", "currency": "EUR"}],
            "rows": vec![json!(["<img src=x>", 5]); 3],
            "totals": {"due": 15},
            "of": 7,
        });
        let html = ValueGrid::of(table.as_object().unwrap())
            .unwrap()
            .view()
            .to_html();
        for part in [
            r#"<th scope="col" class="right">&lt;b&gt;Due&lt;/b&gt; (EUR)"#,
            r#"<th scope="row" class="">&lt;img src=x&gt;"#,
            r#"<td class="right">5.00"#,
            r#"<th scope="row" class="">Total"#,
            r#"<td class="right">15.00"#,
            "and 4 more",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(!html.contains("<img"));
    }
}
