//! Rules of an input: where drafts are made unasked, these still ask.

use agent::ports::{Assessment, Case, InputValue};
use protocol::{OriginSource, RiskReason, RiskWeight, Tier};
use rust_decimal::Decimal;
use serde_json::Value;

use super::{
    input::{DraftCall, DraftInput, FieldValue, InputRow, RowAction},
    is_reserved,
};
use crate::tools::writing::acting;
use crate::{
    config::{DraftMode, ErpConfig},
    decimal::decimal,
    site::ErpSite,
    texts::rules as say,
};

/// Types that are drafts until somebody submits them, and that no rule singles out. All others are
/// asked for: what is never submitted counts as soon as it is saved.
const PLAIN_DRAFTS: [&str; 15] = [
    "BOM",
    "Delivery Note",
    "Job Card",
    "Material Request",
    "Pick List",
    "Purchase Invoice",
    "Purchase Order",
    "Purchase Receipt",
    "Quotation",
    "Sales Invoice",
    "Sales Order",
    "Stock Entry",
    "Supplier Quotation",
    "Timesheet",
    "Work Order",
];

const NO_PLAIN_DRAFT: &str = "no_plain_draft";

/// Types that move money or values whatever is in them.
const GRAVE_TYPES: [&str; 6] = [
    "Bank Account",
    "Item Price",
    "Journal Entry",
    "Payment Entry",
    "Pricing Rule",
    "Stock Reconciliation",
];

/// Fields about where money goes, and about what is taken for it.
const MONEY_FIELDS: [&str; 27] = [
    "account",
    "account_head",
    "accounts",
    "bank",
    "branch_code",
    "credit_limit",
    "credit_limits",
    "credit_to",
    "debit_to",
    "default_currency",
    "default_price_list",
    "disabled",
    "email",
    "email_id",
    "iban",
    "ignore_pricing_rule",
    "is_frozen",
    "paid_from",
    "paid_to",
    "payment_terms",
    "payment_terms_template",
    "price_list_rate",
    "standard_rate",
    "swift_number",
    "tax_category",
    "tax_id",
    "valuation_rate",
];

/// Fields that decide the day of a posting.
const POSTING: [&str; 3] = ["posting_date", "posting_time", "set_posting_time"];

/// A rule that an input has met.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MetRule {
    pub(crate) rule: &'static str,
    weight: RiskWeight,
    sentence: String,
}

impl MetRule {
    fn new(rule: &'static str, weight: RiskWeight, sentence: impl Into<String>) -> Self {
        Self {
            rule,
            weight,
            sentence: sentence.into(),
        }
    }
}

/// The assessment of a call that makes or changes a draft. One that cannot be read never runs.
pub(crate) fn assess<I: DraftCall>(site: &ErpSite, input: &Value) -> Assessment {
    match I::deserialize(input) {
        Ok(it) => assess_draft(site, &it.draft(), input),
        Err(error) => crate::tools::unreadable(input, &error),
    }
}

/// `input` is the whole of the draft's.
fn assess_draft(site: &ErpSite, draft: &DraftInput<'_>, input: &Value) -> Assessment {
    let mut assessment = Assessment {
        values: weighed(site, input),
        ..Assessment::plain(tier(&site.config), input)
    };
    let met = met(&site.config, draft);
    if site.config.drafts == DraftMode::Act && !met.is_empty() {
        assessment.tier = Tier::Red;
        assessment.risks = met.into_iter().map(|it| it.sentence).collect();
    }
    acting::weigh_type(site, draft.doctype, &mut assessment);
    assessment.protected = site.reach.protects(&objects_of(draft, input));
    let company = draft.text("company");
    if let Some(Err(error)) = company.map(|name| site.reach.company(name)) {
        assessment.protected = Some(error.body().message);
    }
    let key = site.config.key_field.as_deref();
    let mut names = draft.all_fields().map(|it| it.field.as_str());
    let reserved = names.find(|name| is_reserved(name) || Some(*name) == key);
    assessment.refused = reserved.map(super::say::reserved);
    assessment
}

/// The tier of a call that no rule raises.
pub(crate) fn tier(config: &ErpConfig) -> Tier {
    match config.drafts {
        DraftMode::Ask => Tier::Red,
        DraftMode::Act => Tier::Yellow,
    }
}

/// The reasons for a card. Where drafts are made unasked, the assessment has given them.
pub(crate) fn reasons(config: &ErpConfig, draft: &DraftInput<'_>) -> Vec<RiskReason> {
    if config.drafts == DraftMode::Act {
        return Vec::new();
    }
    all_reasons(config, draft)
}

/// The reasons for a card whose assessment has given none.
pub(crate) fn all_reasons(config: &ErpConfig, draft: &DraftInput<'_>) -> Vec<RiskReason> {
    // That a type is no draft, the card says as its effect.
    let met = met(config, draft).into_iter();
    met.filter(|it| it.rule != NO_PLAIN_DRAFT)
        .map(|it| RiskReason::new(it.rule, it.weight, it.sentence))
        .collect()
}

/// All rules that an input meets.
pub(crate) fn met(config: &ErpConfig, draft: &DraftInput<'_>) -> Vec<MetRule> {
    use RiskWeight::{Grave, Note, Warning};
    let mut met = Vec::new();
    let mut add = |rule, weight, sentence: String| met.push(MetRule::new(rule, weight, sentence));
    let among = |list: &[&str]| list.iter().any(|it| it.eq_ignore_ascii_case(draft.doctype));
    if among(&GRAVE_TYPES) {
        add("grave_type", Grave, say::grave_type(draft.doctype));
    } else if !among(&PLAIN_DRAFTS) {
        add(NO_PLAIN_DRAFT, Note, say::no_plain_draft(draft.doctype));
    }
    if draft.is_of_submitted {
        add("submitted", Warning, say::OF_SUBMITTED.to_owned());
    }
    let fields: Vec<&FieldValue> = draft.all_fields().collect();
    let number = |it: &FieldValue| decimal(&it.value);
    let named = |names: &'static [&'static str]| {
        let fields = fields.iter().copied();
        fields.filter(move |it| names.contains(&it.field.as_str()))
    };
    match amount(draft) {
        InputAmount::Known(total) if total > Decimal::from(config.t1) => {
            add("amount", Warning, say::amount(total, config.t1));
        }
        InputAmount::Known(_) => {}
        InputAmount::NoRate => add("no_rate", Note, say::NO_RATE.to_owned()),
        InputAmount::TooLarge => add("amount", Warning, say::AMOUNT_TOO_LARGE.to_owned()),
    }
    if named(&["currency", "conversion_rate"]).next().is_some() {
        add("currency", Note, say::CURRENCY.to_owned());
    }
    if named(&["qty", "rate", "stock_qty", "transfer_qty", "amount"])
        .any(|it| number(it).is_some_and(|it| it.is_sign_negative() && !it.is_zero()))
    {
        add("negative", Warning, say::NEGATIVE.to_owned());
    }
    if named(&["is_return"]).any(is_on) || named(&["return_against"]).next().is_some() {
        add("return", Warning, say::IS_RETURN.to_owned());
    }
    let most = Decimal::from(config.discount);
    let is_above = |it: &FieldValue| number(it).is_none_or(|it| it.abs() > most);
    if named(&["discount_percentage", "additional_discount_percentage"]).any(is_above)
        || named(&["discount_amount"]).any(|it| number(it).is_none_or(|it| !it.is_zero()))
    {
        add("discount", Warning, say::discount(config.discount));
    }
    if let Some(field) = named(&POSTING).next() {
        add("posting_date", Warning, say::posting(&field.field));
    }
    let money = |name: &str| {
        MONEY_FIELDS.contains(&name) || name.ends_with("_account") || name.contains("bank_")
    };
    let tables = draft.rows.iter().map(|row| row.table);
    let mut names = fields.iter().map(|it| it.field.as_str()).chain(tables);
    if let Some(name) = names.find(|name| money(name)) {
        add("money", Grave, say::money(name));
    }
    if draft.rows.len() > config.bulk {
        let sentence = say::bulk(draft.rows.len(), config.bulk);
        add("bulk", Warning, sentence);
    }
    let removed = draft
        .rows
        .iter()
        .filter(|it| it.action == RowAction::Remove);
    match removed.count() {
        0 => {}
        count => add("row_removed", Warning, say::rows_removed(count)),
    }
    met
}

/// The sum of quantity times rate that an input gives.
enum InputAmount {
    Known(Decimal),
    /// The ERP would fill in a rate, or multiply by one that is stored.
    NoRate,
    TooLarge,
}

fn amount(draft: &DraftInput<'_>) -> InputAmount {
    let mut total = Decimal::ZERO;
    for row in &draft.rows {
        match of_row(row) {
            None => {}
            Some(Err(none)) => return none,
            Some(Ok(amount)) => match total.checked_add(amount.abs()) {
                Some(sum) => total = sum,
                None => return InputAmount::TooLarge,
            },
        }
    }
    InputAmount::Known(total)
}

/// The amount of a row; None if it says nothing about one.
fn of_row(row: &InputRow<'_>) -> Option<Result<Decimal, InputAmount>> {
    let of = |name: &str| row.fields.iter().find(|it| it.field == name);
    let (qty, rate) = (of("qty"), of("rate"));
    if qty.is_none() && rate.is_none() && of("item_code").is_none() {
        return None;
    }
    let number = |field: Option<&FieldValue>| field.and_then(|it| decimal(&it.value));
    // A rate of zero is one that the ERP fills.
    match (number(qty), number(rate).filter(|it| !it.is_zero())) {
        (Some(qty), Some(rate)) => Some(qty.checked_mul(rate).ok_or(InputAmount::TooLarge)),
        _ => Some(Err(InputAmount::NoRate)),
    }
}

fn is_on(field: &FieldValue) -> bool {
    !matches!(&field.value, Value::Bool(false)) && decimal(&field.value) != Some(Decimal::ZERO)
}

/// The values whose origin matters: whose and which document, party, item, amount. Not names of
/// fields and rows, days, units, and what binds the call to a copy.
fn weighed(site: &ErpSite, input: &Value) -> Vec<InputValue> {
    let named = ["/name", "/source_name"];
    let mut values = InputValue::all(input);
    values.retain(|it| {
        let Some(of) = it.path.strip_suffix("/value") else {
            return named.contains(&it.path.as_str()) || it.path.ends_with("/qty");
        };
        let field = input.pointer(&format!("{of}/field"));
        let field = field.and_then(Value::as_str).unwrap_or_default();
        let is_day = field.ends_with("_date") && crate::dates::day(&it.text).is_some();
        !is_day && !matches!(field, "uom" | "stock_uom")
    });
    for value in &mut values {
        value.case = Case::Ignored;
        let of = value.path.strip_suffix("/value").unwrap_or_default();
        let is_company = input.pointer(&format!("{of}/field")) == Some(&"company".into());
        // Configured names say what may be a target.
        if is_company && site.reach.companies().contains(&value.text) {
            value.source = Some(OriginSource::Configuration);
        }
    }
    values
}

/// Things that a call names, as a policy protects them.
pub(crate) fn objects<I: DraftCall>(input: &Value) -> Vec<String> {
    match I::deserialize(input) {
        Ok(it) => objects_of(&it.draft(), input),
        Err(_) => crate::tools::touched(input),
    }
}

fn objects_of(draft: &DraftInput<'_>, input: &Value) -> Vec<String> {
    let mut objects = crate::tools::touched(input);
    let mut add = |kind: &str, name: &str| {
        let object = format!("{kind}/{name}").to_lowercase();
        if !objects.contains(&object) {
            objects.push(object);
        }
    };
    add("doctype", draft.doctype);
    let lists = [draft.fields]
        .into_iter()
        .chain(draft.rows.iter().map(|row| row.fields));
    for fields in lists {
        let text = |name: &str| fields.iter().find(|it| it.field == name)?.value.as_str();
        for field in fields {
            let Some(value) = field.value.as_str() else {
                continue;
            };
            match field.field.as_str() {
                "item_code" | "production_item" => add("item", value),
                "party" => add(text("party_type").unwrap_or("party"), value),
                "party_name" => add(text("quotation_to").unwrap_or("customer"), value),
                name if name == "bank_account" || name.ends_with("_bank_account") => {
                    add("bank account", value);
                }
                "account_head" | "paid_from" | "paid_to" | "debit_to" | "credit_to" => {
                    add("account", value);
                }
                name if name.ends_with("_account") => add("account", value),
                name if name.ends_with("warehouse") => add("warehouse", value),
                name @ ("account" | "company" | "customer" | "item" | "project" | "supplier") => {
                    add(name, value);
                }
                _ => {}
            }
        }
    }
    objects
}
