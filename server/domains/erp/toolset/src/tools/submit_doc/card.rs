//! The card of a submit: the lines that will post, on which day, bound by a digest.

use agent::ports::Preview;
use futures::join;
use protocol::{Assurance, CardSection, Fact, RiskReason, RiskWeight, TableColumn};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::SubmitPlan;
use crate::{
    cell,
    decimal::decimal,
    error::ErpError,
    site::{Document, ErpSite},
    texts::submit as say,
    tools::get_ledger::{LedgerKind, draft_rows},
};

/// The most lines of each ledger on a card.
const MOST_LINES: usize = 50;

const ACCOUNTING: [(&str, bool); 5] = [
    ("account", false),
    ("debit", true),
    ("credit", true),
    ("party", false),
    ("cost_center", false),
];
const STOCK: [(&str, bool); 4] = [
    ("item_code", false),
    ("warehouse", false),
    ("actual_qty", true),
    ("stock_uom", false),
];

pub(super) async fn card(site: &ErpSite, plan: &SubmitPlan) -> Result<Preview, ErpError> {
    let (accounting, stock) = join!(
        draft_rows(site, &plan.meta, &plan.document, LedgerKind::Accounting),
        draft_rows(site, &plan.meta, &plan.document, LedgerKind::Stock),
    );
    // A preview that cannot be read blocks: what cannot be shown cannot be approved.
    let (accounting, stock) = (accounting?, stock?);
    let doctype = &plan.meta.name;
    let text = |field: &str| {
        let value = plan.document.get(field)?;
        let value = cell::cell(plan.meta.field(field), value, cell::IN_LIST)?;
        Some(
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned),
        )
    };
    let party = ["customer", "supplier", "party"]
        .iter()
        .find_map(|field| text(field));
    let total = [
        "base_grand_total",
        "base_paid_amount",
        "total_debit",
        "base_total",
    ];
    let total = total
        .iter()
        .find_map(|field| decimal(plan.document.get(*field)?));
    let mut fields = Vec::new();
    let mut fact = |label: &str, value: Option<String>| {
        fields.extend(value.map(|value| Fact {
            label: label.to_owned(),
            value,
        }));
    };
    fact(say::PARTY, party.clone());
    fact(say::COMPANY, text("company"));
    fact(
        say::TOTAL,
        text("grand_total").or_else(|| text("paid_amount")),
    );
    fact(say::CURRENCY, text("currency"));
    fact(say::POSTS_ON, plan.posts_on.clone());
    let mut sections = vec![CardSection::Fields {
        title: say::DOCUMENT.to_owned(),
        fields,
    }];
    let counts = [&accounting, &stock].map(Vec::len);
    sections.extend(table(say::ACCOUNTING, &accounting, &ACCOUNTING));
    sections.extend(table(say::STOCK, &stock, &STOCK));
    let mut risks = Vec::new();
    let mut risk = |rule: &str, weight, sentence: &str, detail: &str| {
        risks.push(RiskReason::new(rule, weight, sentence).meaning(detail));
    };
    let posts = counts.iter().any(|count| *count > 0);
    if posts {
        risk(
            "posts",
            RiskWeight::Warning,
            &say::posts(counts),
            say::POSTS_DETAIL,
        )
    } else {
        risk(
            "posts_nothing",
            RiskWeight::Note,
            say::POSTS_NOTHING,
            say::POSTS_NOTHING_DETAIL,
        )
    }
    risk("mail", RiskWeight::Note, say::FOLLOWS, say::FOLLOWS_DETAIL);
    let is_cut = counts.iter().any(|count| *count > MOST_LINES);
    if is_cut {
        risk(
            "cut",
            RiskWeight::Grave,
            say::LINES_CUT,
            say::LINES_CUT_DETAIL,
        );
    }
    let is_large = total.is_some_and(|it| it.abs() > Decimal::from(site.config.type_above));
    let assurance = match (total, posts) {
        // The amount, so that nobody approves a large one by habit.
        (Some(total), _) if is_large || is_cut => Assurance::Type {
            word: total.round_dp(2).normalize().to_string(),
        },
        (_, true) => Assurance::Hold,
        _ => Assurance::Press,
    };
    let objects = ["company", "customer", "supplier"];
    let objects = objects.iter().filter_map(|kind| {
        let name = plan.document.get(*kind)?.as_str()?;
        Some(format!("{kind}/{name}").to_lowercase())
    });
    Ok(Preview {
        sections,
        risks,
        said: &["doctype", "name", "modified"],
        objects: objects.collect(),
        irreversible: posts.then(|| say::IRREVERSIBLE.to_owned()),
        assurance,
        state: json!({
            "modified": plan.document.get("modified"),
            "docstatus": 0,
            "posts_on": plan.posts_on,
            "accounting": digest(&accounting, &ACCOUNTING),
            "stock": digest(&stock, &STOCK),
        }),
        ..Preview::new(
            say::submit(doctype, &plan.name, party.as_deref(), counts),
            format!("{doctype} {}", plan.name),
        )
    })
}

/// A cell as a person reads it.
fn text_of(line: &Document, name: &str) -> String {
    match line
        .get(name)
        .and_then(|value| cell::cell(None, value, cell::IN_LIST))
    {
        None => String::new(),
        Some(Value::String(text)) => text,
        Some(other) => other.to_string(),
    }
}

fn table(title: &str, lines: &[Document], columns: &[(&str, bool)]) -> Option<CardSection> {
    if lines.is_empty() {
        return None;
    }
    // Quantities of different items have no sum.
    let sum = |name: &str| {
        let values = lines.iter().filter_map(|line| decimal(line.get(name)?));
        let is_summed = matches!(name, "debit" | "credit");
        is_summed.then(|| values.sum::<Decimal>().normalize().to_string())
    };
    let sums: Vec<_> = columns.iter().map(|(name, _)| sum(name)).collect();
    let has_sums = sums.iter().any(Option::is_some);
    let shown = lines.iter().take(MOST_LINES);
    Some(CardSection::Table {
        title: title.to_owned(),
        columns: columns
            .iter()
            .map(|(name, numeric)| TableColumn {
                name: name.replace('_', " "),
                numeric: *numeric,
            })
            .collect(),
        rows: shown
            .map(|line| {
                columns
                    .iter()
                    .map(|(name, _)| text_of(line, name))
                    .collect()
            })
            .collect(),
        sums: if has_sums {
            sums.into_iter().map(Option::unwrap_or_default).collect()
        } else {
            Vec::new()
        },
    })
}

/// A digest of what all lines do. Balances and rates are left out: they change without anybody's
/// doing.
fn digest(lines: &[Document], columns: &[(&str, bool)]) -> String {
    let line = |line| {
        columns
            .iter()
            .map(|(name, _)| text_of(line, name))
            .collect()
    };
    let lines: Vec<Vec<String>> = lines.iter().map(line).collect();
    let bytes = Sha256::digest(json!(lines).to_string().as_bytes());
    bytes
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
