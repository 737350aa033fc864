//! Values of documents as pages show them: decimal text with its currency, links, moments.

use erp_wire::{DocumentCell, DocumentRow};
use jiff::tz::TimeZone;
use protocol::{Known, Reference, Timestamp};
use rust_decimal::Decimal;
use serde_json::Value;

pub(crate) use crate::currency::Currencies;
use crate::{
    cell,
    currency::{self, AmountPlace},
    dates,
    decimal::{decimal, sane},
    meta::{MetaField, MetaFieldKind, TypeMeta},
    reach::Reach,
    refer,
    site::Document,
    texts::{pages as say, readings},
};

/// The document around a value, which has its currency and the type of its link.
pub(crate) struct CellContext<'a> {
    pub(crate) meta: &'a TypeMeta,
    pub(crate) document: &'a Document,
    /// The row that the value is in, if it is in one.
    pub(crate) row: Option<&'a Document>,
    pub(crate) currencies: &'a Currencies,
    pub(crate) reach: &'a Reach,
    /// The zone of the site's times; without one they are shown as the site writes them.
    pub(crate) zone: Option<&'a TimeZone>,
}

impl CellContext<'_> {
    fn place(&self) -> AmountPlace<'_> {
        AmountPlace {
            document: self.document,
            row: self.row,
            currencies: self.currencies,
        }
    }

    /// The value of a field; none if there is nothing to show.
    pub(crate) fn cell(
        &self,
        field: &MetaField,
        value: &Value,
        most: usize,
    ) -> Option<DocumentCell> {
        let shown = cell::cell(Some(field), value, most)?;
        Some(match field.kind {
            MetaFieldKind::Currency => DocumentCell {
                unit: self
                    .place()
                    .currency(self.meta, field)
                    .or_else(|| self.only_currency(field)),
                ..plain(money(decimal(value)?))
            },
            MetaFieldKind::Percent => DocumentCell {
                unit: Some("%".to_owned()),
                ..plain(quantity(decimal(value)?))
            },
            MetaFieldKind::Decimal | MetaFieldKind::Whole => plain(quantity(decimal(value)?)),
            MetaFieldKind::Check => plain(say::YES.to_owned()),
            MetaFieldKind::Datetime => {
                let text = text_of(&shown);
                plain(match self.zone {
                    Some(zone) => dates::moment(&text, zone),
                    None => text,
                })
            }
            MetaFieldKind::Link => self.link(&field.options, text_of(&shown)),
            MetaFieldKind::DynamicLink => match self.place().text(&field.options) {
                Some(doctype) => self.link(doctype, text_of(&shown)),
                None => plain(text_of(&shown)),
            },
            _ => plain(text_of(&shown)),
        })
    }

    /// The currency of all companies, for an amount of a type that belongs to none and names no currency,
    /// such as an item; none if they differ.
    fn only_currency(&self, field: &MetaField) -> Option<String> {
        let mut names = currency::named(field).into_iter().flatten();
        let is_named = names.any(|name| self.meta.field(name).is_some());
        if is_named || self.meta.field("company").is_some() {
            return None;
        }
        let mut all = self.currencies.values();
        let first = all.next()?;
        all.all(|other| other == first).then(|| first.clone())
    }

    /// A name with the way to its page, if it can have one.
    fn link(&self, doctype: &str, name: String) -> DocumentCell {
        let id = format!("{doctype}/{name}");
        let is_page = self.reach.reads(doctype).is_ok()
            && refer::refers(&Reference::new(refer::KIND, id.clone()));
        DocumentCell {
            to: is_page.then_some(id),
            ..plain(name)
        }
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A cell of nothing but a text.
pub(crate) fn plain(text: String) -> DocumentCell {
    DocumentCell {
        text,
        ..DocumentCell::default()
    }
}

/// Digits of an amount, at least two of them behind the point.
pub(crate) fn money(amount: Decimal) -> String {
    let mut amount = amount.normalize();
    if amount.scale() < 2 {
        amount.rescale(2);
    }
    amount.to_string()
}

/// Digits of a quantity, without zeros that say nothing.
pub(crate) fn quantity(number: Decimal) -> String {
    number.normalize().to_string()
}

/// An amount with its currency.
pub(crate) fn amount(amount: Decimal, currency: Option<&str>) -> DocumentCell {
    let Some(amount) = sane(amount) else {
        return plain(readings::TOO_LARGE.to_owned());
    };
    DocumentCell {
        unit: currency.map(str::to_owned),
        ..plain(money(amount))
    }
}

/// An amount in a sentence: `1,190.00 EUR`. What has no currency is a quantity, and stays as it is.
pub(crate) fn in_words(cell: &DocumentCell) -> String {
    let Some(unit) = &cell.unit else {
        return cell.text.clone();
    };
    let digits = decimal(&cell.text.as_str().into()).map(crate::decimal::amount);
    format!("{} {unit}", digits.as_ref().unwrap_or(&cell.text))
}

/// A time of the site, which has no zone, as a moment.
pub(crate) fn moment(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let time = dates::time(text)?.to_zoned(zone.clone()).ok()?;
    Some(Timestamp(time.timestamp().as_millisecond()))
}

/// The same, or the reason that it is unknown.
pub(crate) fn known_moment(value: Option<&Value>, zone: &TimeZone) -> Known<Timestamp> {
    let text = value.and_then(Value::as_str);
    Known::or(text.and_then(|text| moment(text, zone)), say::NO_TIME)
}

/// The outline of a document, as `tools::outline` makes it, as a row.
pub(crate) fn row(outline: &Value) -> DocumentRow {
    let text = |field: &str| {
        let value = outline.get(field)?;
        Some(text_of(value)).filter(|text| !value.is_null() && !text.is_empty())
    };
    // One that is unknown is an object with the reason.
    let currency = outline.get("currency").and_then(Value::as_str);
    let total = outline.get("total").and_then(decimal);
    DocumentRow {
        doctype: text("doctype").unwrap_or_default(),
        name: text("name").unwrap_or_default(),
        party: text("party"),
        amount: total.map(|total| match currency {
            Some(_) => amount(total, currency),
            // A total without a currency may be a quantity.
            None => plain(quantity(total)),
        }),
        state: text("state")
            .or_else(|| text("status"))
            .or_else(|| text("docstatus")),
        day: text("date"),
        ..DocumentRow::default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::config::ErpConfig;

    fn field(name: &str, fieldtype: &str, options: &str) -> MetaField {
        MetaField {
            name: name.to_owned(),
            kind: MetaFieldKind::of(fieldtype),
            fieldtype: fieldtype.to_owned(),
            options: options.to_owned(),
            ..MetaField::default()
        }
    }

    #[test]
    fn an_amount_has_its_currency_and_a_link_its_page() {
        let document = json!({"company": "AC", "currency": "USD", "party_type": "Customer"});
        let document = document.as_object().unwrap();
        let currencies = Currencies::from([("AC".to_owned(), "EUR".to_owned())]);
        let reach = Reach::new(&ErpConfig::default());
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let meta = TypeMeta::of(&json!([{"name": "Sales Order", "fields": []}])).unwrap();
        let around = CellContext {
            meta: &meta,
            document,
            row: None,
            currencies: &currencies,
            reach: &reach,
            zone: Some(&zone),
        };
        let shown = |name, kind, options, value: Value| {
            let cell = around.cell(&field(name, kind, options), &value, 100);
            let cell = cell.unwrap_or_default();
            (cell.text, cell.unit, cell.to)
        };
        let some = |text: &str| Some(text.to_owned());
        for (found, expect) in [
            (
                shown("grand_total", "Currency", "currency", json!(1190)),
                ("1190.00", some("USD"), None),
            ),
            (
                shown("base_total", "Currency", "", json!(0.125)),
                ("0.125", some("EUR"), None),
            ),
            (
                shown(
                    "x",
                    "Currency",
                    "Company:company:default_currency",
                    json!(-1),
                ),
                ("-1.00", some("EUR"), None),
            ),
            (shown("qty", "Float", "", json!(2.50)), ("2.5", None, None)),
            (
                shown("per_billed", "Percent", "", json!(50)),
                ("50", some("%"), None),
            ),
            (
                shown("customer", "Link", "Customer", json!("Kestrel & Söhne 5%")),
                (
                    "Kestrel & Söhne 5%",
                    None,
                    some("Customer/Kestrel & Söhne 5%"),
                ),
            ),
            (
                shown("party", "Dynamic Link", "party_type", json!("a/b")),
                ("a/b", None, some("Customer/a/b")),
            ),
            // Users are never read, so nothing leads there.
            (
                shown("by", "Link", "User", json!("anna@example.org")),
                ("anna@example.org", None, None),
            ),
            (
                shown(
                    "note",
                    "Text Editor",
                    "",
                    json!("<img src=x onerror=alert(1)>hi"),
                ),
                ("hi", None, None),
            ),
            (
                shown("at", "Datetime", "", json!("2026-11-21 16:30:04")),
                ("2026-11-21T15:30:04Z", None, None),
            ),
            (
                shown("key", "Password", "", json!("***")),
                ("(hidden)", None, None),
            ),
        ] {
            assert_eq!(found, (expect.0.to_owned(), expect.1, expect.2));
        }
    }

    #[test]
    fn an_amount_of_no_company_has_the_currency_that_all_have() {
        let rate = field("last_purchase_rate", "Currency", "");
        let of = |fields: Value, companies: &[(&str, &str)]| {
            let meta = TypeMeta::of(&json!([{"name": "Item", "fields": fields}])).unwrap();
            let currencies = companies
                .iter()
                .map(|(name, code)| ((*name).to_owned(), (*code).to_owned()))
                .collect();
            let around = CellContext {
                meta: &meta,
                document: &Document::new(),
                row: None,
                currencies: &currencies,
                reach: &Reach::new(&ErpConfig::default()),
                zone: None,
            };
            around.cell(&rate, &json!(71), 100).unwrap().unit
        };
        let (euro, dollar) = (("AC", "EUR"), ("AT", "USD"));
        let code = Some("EUR".to_owned());
        assert_eq!(of(json!([]), &[euro, ("AB", "EUR")]), code);
        assert_eq!(of(json!([]), &[euro, dollar]), None);
        assert_eq!(of(json!([]), &[]), None);
        // One that the key may not see is not the others'.
        let own = json!([{"fieldname": "currency", "fieldtype": "Link"}]);
        assert_eq!(of(own, &[euro]), None);
    }

    #[test]
    fn times_of_the_site_have_its_zone() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        assert_eq!(
            moment("2026-11-21 16:30:04.000001", &zone),
            Some(Timestamp(1_795_275_004_000))
        );
        assert_eq!(moment("yesterday", &zone), None);
    }
}
