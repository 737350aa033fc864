//! Names of documents: number series, fields, hashes, prompts.

use crate::books::SimBooks;
use crate::cell::SimDoc;
use crate::refusal::{SimRefusal, SimResult, unsuitable};

/// Names a new document. `asked` is a name that the caller sent, where this site takes one.
pub(super) fn name(books: &mut SimBooks, doc: &mut SimDoc, asked: Option<&str>) -> SimResult<()> {
    let of = books.type_of(doc.kind)?;
    let (kind, naming) = (of.name, of.naming);
    let amended = doc.text("amended_from").to_owned();
    let name = if let Some(asked) = asked {
        asked.to_owned()
    } else if !amended.is_empty() {
        amendment(books, kind, &amended)
    } else if let Some(field) = naming.strip_prefix("field:") {
        let name = doc.text(field).trim().to_owned();
        if name.is_empty() {
            return Err(unsuitable(format!("{field} is required")));
        }
        name
    } else if let Some(series) = naming.strip_prefix("series:") {
        let chosen = doc.text("naming_series").to_owned();
        let series = if chosen.is_empty() { series } else { &chosen };
        let prefix = prefix(books, doc, series);
        format!("{prefix}{:05}", books.next_number(&prefix))
    } else if let Some(prefix) = naming.strip_prefix("ledger:") {
        let prefix = format!("{prefix}{}-", books.today().year());
        format!("{prefix}{:07}", books.next_number(&prefix))
    } else {
        match naming {
            "single" => kind.to_owned(),
            "bom" => {
                let prefix = format!("BOM-{}-", doc.text("item"));
                format!("{prefix}{:03}", books.next_number(&prefix))
            }
            "prompt" if !doc.name.is_empty() => doc.name.clone(),
            "prompt" => prompted(books, doc)?,
            _ => books.hash_name(),
        }
    };
    if books.find(kind, &name).is_some() {
        return Err(SimRefusal::new(
            409,
            "DuplicateEntryError",
            format!("{kind} {name} already exists"),
        )
        .titled("Duplicate Name"));
    }
    doc.name = name;
    Ok(())
}

/// Accounts, cost centres and warehouses are called `NAME - ABBR`, templates by their title.
fn prompted(books: &SimBooks, doc: &SimDoc) -> SimResult<String> {
    let abbr = books.value_text("Company", doc.text("company"), "abbr");
    for field in [
        "account_name",
        "cost_center_name",
        "warehouse_name",
        "title",
    ] {
        let own = doc.text(field);
        if !own.is_empty() {
            let number = doc.text("account_number");
            let dash = if number.is_empty() { "" } else { " - " };
            return Ok(format!("{number}{dash}{own} - {abbr}"));
        }
    }
    Err(unsuitable(format!(
        "Please set the name of the new {}",
        doc.kind
    )))
}

fn prefix(books: &SimBooks, doc: &SimDoc, series: &str) -> String {
    let date = ["posting_date", "transaction_date"]
        .into_iter()
        .map(|field| doc.text(field))
        .find(|date| date.len() >= 4 && books.is_seeding);
    let today = books.today().year().to_string();
    let year = date.map_or(today.as_str(), |date| &date[..4]);
    series.replace(".YYYY.", year)
}

/// `X-1` of `X`, `X-2` of `X-1`.
fn amendment(books: &SimBooks, kind: &str, amended: &str) -> String {
    let before = books.value_text(kind, amended, "amended_from");
    let (base, number) = match amended.rsplit_once('-') {
        Some((base, number)) if !before.is_empty() => (base, number.parse().unwrap_or(0)),
        _ => (amended, 0),
    };
    format!("{base}-{}", number + 1)
}

/// The series' prefix and number of a name.
pub(super) fn numbered(name: &str) -> Option<(&str, i64)> {
    let (prefix, number) = name.rsplit_once('-')?;
    let number = number.parse().ok()?;
    Some((&name[..=prefix.len()], number))
}
