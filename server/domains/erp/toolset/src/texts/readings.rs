//! Texts of what the reading tools found.

use rust_decimal::Decimal;

fn of(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun} documents"),
    }
}

/// A price and the list that it stands in.
pub(crate) fn price_in(price: &str, list: &str) -> String {
    format!("{price} in {list}")
}

/// `a, b and c`.
pub(crate) fn and(parts: &[String]) -> String {
    match parts {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        parts => parts.join(""),
    }
}

pub(crate) fn of_unknown_currency(amount: &str) -> String {
    format!("{amount} of an unknown currency")
}

/// Instead of a number that nothing in the ERP can have.
pub(crate) const TOO_LARGE: &str = "unknown, because a number is absurdly large";

pub(crate) const CURRENCY_UNKNOWN: &str = "the currency of the company is not known";
pub(crate) const SEVERAL_CURRENCIES: &str = "the rows are in several currencies";

/// `amount`: a column and the sum of it.
pub(crate) fn found(
    count: usize,
    doctype: &str,
    has_more: bool,
    amount: Option<(&str, &str)>,
) -> String {
    let found = of(count, doctype);
    let amount = match amount {
        Some(("outstanding_amount", sum)) => format!("{sum} outstanding"),
        Some(("actual_qty", sum)) => format!("{sum} in stock"),
        Some(("price_list_rate", prices)) => prices.to_owned(),
        Some((_, sum)) => format!("{sum} in all"),
        None => String::new(),
    };
    match (has_more, amount.is_empty()) {
        (false, true) => found,
        (false, false) => format!("{found}: {amount}"),
        (true, true) => format!("{found}, and more"),
        (true, false) => format!("{found}, and more; of these {count}: {amount}"),
    }
}

pub(crate) fn named(
    doctype: &str,
    name: &str,
    party: Option<&str>,
    amount: Option<&str>,
) -> String {
    let of = party.map_or(String::new(), |party| format!(" of {party}"));
    let over = amount.map_or(String::new(), |amount| format!(" over {amount}"));
    format!("{doctype} {name}{of}{over}")
}

pub(crate) const NOT_COUNTED_WITH_ANY_OF: &str = "not counted together with any_of";
pub(crate) const COUNT_TOOK_TOO_LONG: &str = "the ERP stopped counting after a second";
pub(crate) const ASK_FOR_FEWER_COLUMNS: &str =
    "rows were left out for their size; ask for fewer fields, or page with start";

pub(crate) fn document(
    doctype: &str,
    name: &str,
    state: Option<&str>,
    party: Option<&str>,
    amount: Option<String>,
) -> String {
    let named = named(doctype, name, party, None);
    let told: Vec<String> = state.map(str::to_owned).into_iter().chain(amount).collect();
    if told.is_empty() {
        named
    } else {
        format!("{named}: {}", told.join(", "))
    }
}

/// `rights`: what this user may do with documents of all; None if that is not known.
pub(crate) fn fields(
    doctype: &str,
    count: usize,
    mandatory: &[String],
    rights: Option<&[&str]>,
) -> String {
    let mandatory = match mandatory {
        [] => String::new(),
        [one] => format!(", of which {one} is mandatory"),
        several => format!(", of which {} are mandatory", and(several)),
    };
    let rights = rights.map_or(String::new(), |rights| match rights {
        [] => "; this ERP user may not even read it".to_owned(),
        rights => format!("; this ERP user may {}", rights.join(", ")),
    });
    format!("{doctype} has {count} such fields{mandatory}{rights}")
}

pub(crate) fn fields_cut(count: usize) -> String {
    format!("the type has {count} such fields; only the first are shown")
}

pub(crate) const READ_ONLY: &str = "read-only";
pub(crate) const OVERWRITTEN: &str = "overwritten from a link";
pub(crate) const SET_ONCE: &str = "can be set only once";
pub(crate) const UNIQUE: &str = "unique";
pub(crate) const AFTER_SUBMIT: &str = "may change after submit";
pub(crate) const SOMETIMES_MANDATORY: &str = "mandatory under a condition";
pub(crate) const ABOVE_YOUR_LEVEL: &str = "above this user's permission level: reset if written";

pub(crate) fn types_found(count: usize, like: &str) -> String {
    format!("{count} types with “{like}” in the name")
}

pub(crate) fn matches(count: usize, doctype: &str, text: &str, names: &[String]) -> String {
    const MOST: usize = 3;
    match names {
        [] => format!("No {doctype} matches “{text}”"),
        [one] => format!("1 {doctype} matches “{text}”: {one}"),
        _ if count > MOST => {
            let first = names.get(..MOST).unwrap_or(names).join(", ");
            format!("{count} {doctype} names match “{text}”, such as {first}")
        }
        _ => format!("{count} {doctype} names match “{text}”: {}", and(names)),
    }
}

pub(crate) const OF_NO_COMPANY: &str =
    "this type belongs to no company, so company did not narrow it";

/// `scope`: the company and the days of the report.
pub(crate) fn report(
    name: &str,
    scope: &str,
    shown: usize,
    count: usize,
    figures: &[String],
) -> String {
    let rows = if shown == count {
        format!("{name} {scope}: {count} rows")
    } else {
        format!("{name} {scope}: the first {shown} of {count} rows")
    };
    if figures.is_empty() {
        rows
    } else {
        format!("{rows}; {}", and(figures))
    }
}

pub(crate) const ALL_COMPANIES: &str = "all companies";
pub(crate) const AS_OF_NOW: &str = "as of now";

pub(crate) fn report_scope(company: &str, days: &str) -> String {
    format!("of {company} {days}")
}

pub(crate) fn between_days(from: &str, to: &str) -> String {
    format!("from {from} to {to}")
}

pub(crate) fn for_years(from: &str, to: &str) -> String {
    if from == to {
        format!("for {from}")
    } else {
        format!("for {from} to {to}")
    }
}

pub(crate) fn as_of_day(day: &str) -> String {
    format!("as of {day}")
}

/// A figure of a report: the name of its line, that of its column, and the amount.
pub(crate) fn figure(line: &str, column: &str, amount: &str) -> String {
    match (line, column) {
        ("", column) => format!("{column} {amount}"),
        (line, "Total") => format!("{line} {amount}"),
        (line, column) => format!("{line} {column} {amount}"),
    }
}

/// `left`: what is left of the sides, sales and purchases.
pub(crate) fn taxes(is_back: bool, left: &str, [sales, purchases]: &[String; 2]) -> String {
    let owed = if is_back { "to get back" } else { "owed" };
    format!("taxes {owed} {left} ({sales} of sales less {purchases} of purchases)")
}

pub(crate) const TAXES: &str = "closing balances of all accounts of the type Tax: owed is the sum of those in \
    credit, input that of those in debit";

pub(crate) fn not_generated(name: &str, scope: &str) -> String {
    format!("{name} {scope} is not generated for these filters")
}

pub(crate) const NOT_GENERATED_NOTE: &str = "The ERP prepares this report in the background and has no copy for exactly these filters. \
     That says nothing about the data. A person can generate it in the ERP.";

/// `first`: those that are named.
pub(crate) fn approvals(count: usize, first: &[String]) -> String {
    let names = if count > first.len() {
        format!("{} and others", first.join(", "))
    } else {
        and(first)
    };
    match count {
        0 => "Nothing waits for approval by this ERP user".to_owned(),
        1 => format!("1 document waits for approval: {names}"),
        _ => format!("{count} documents wait for approval: {names}"),
    }
}

pub(crate) fn waiting_of_type(count: usize, doctype: &str) -> String {
    format!("{count} of type {doctype}")
}

pub(crate) fn not_read(doctype: &str, reason: &str) -> String {
    format!("{doctype}: {reason}")
}

pub(crate) fn roles_unknown(doctype: &str) -> String {
    format!("the roles of this ERP user are not known, so neither are the steps of {doctype}")
}

pub(crate) const SITE_CHECKS_A_CONDITION: &str = "the ERP also checks a condition";
pub(crate) const OWN_DOCUMENT: &str = "this ERP user made the document, and self-approval is off";

/// One side of a chain: how many documents, and the first of them.
pub(crate) fn chain_side(count: usize, names: &[String]) -> String {
    match (count, names) {
        (0, _) => "nothing".to_owned(),
        (count, []) => format!("{count} documents that cannot be read"),
        (count, names) if count > names.len() => {
            format!("{} and {} more", names.join(", "), count - names.len())
        }
        (_, names) => and(names),
    }
}

pub(crate) fn traced(doctype: &str, name: &str, before: &str, after: &str) -> String {
    format!("{doctype} {name} came from {before}; after it came {after}")
}

pub(crate) fn came_from(doctype: &str, name: &str, before: &str) -> String {
    format!("{doctype} {name} came from {before}")
}

pub(crate) fn was_made(doctype: &str, name: &str, state: Option<&str>, after: &str) -> String {
    match state {
        Some(state) => format!("{doctype} {name} is {state}; after it came {after}"),
        None => format!("After {doctype} {name} came {after}"),
    }
}

pub(crate) fn percent_done(percent: Decimal, what: &str) -> String {
    format!("{percent} % {what}")
}

pub(crate) fn blocks(doctype: &str, name: &str, count: usize, after: &str) -> String {
    match count {
        0 => format!("No submitted document keeps {doctype} {name} from being cancelled"),
        1 => format!("1 document keeps {doctype} {name} from being cancelled: {after}"),
        _ => format!("{count} documents keep {doctype} {name} from being cancelled: {after}"),
    }
}

pub(crate) const ONLY_SUBMITTED_IS_CANCELLED: &str = "only a submitted document can be cancelled";
pub(crate) const CANCEL_FIRST: &str =
    "the submitted documents under after would have to be cancelled first; payments may come loose";
pub(crate) const DRAFTS_ARE_NOT_TRACED: &str = "drafts made from it are not listed under after";

pub(crate) fn posts_nothing(doctype: &str) -> String {
    format!("{doctype} is never submitted, so it posts nothing.")
}

pub(crate) fn draft_has_no_preview(doctype: &str) -> String {
    format!("the ERP has no preview of this ledger for a draft {doctype}")
}

pub(crate) const NO_LINES: &str = "it posted no lines to this ledger";
pub(crate) const PREVIEW: &str =
    "a preview: the date and the values are those of submitting it now";
pub(crate) const PREVIEW_IS_EMPTY: &str =
    "the preview has no lines, so it would post none to this ledger";
pub(crate) const FROM_OWN_ROWS: &str = "this version has no stock preview for a Stock Entry; the lines come from its own rows, without values";

pub(crate) fn lines_cut(most: usize) -> String {
    format!("only the first {most} lines were read, and the sums are of those")
}

pub(crate) fn ledger(
    doctype: &str,
    name: &str,
    status: &str,
    accounting: Option<(u64, Option<&str>)>,
    stock: Option<(u64, Option<&str>)>,
) -> String {
    let told = |(count, sum): (u64, Option<&str>), kind: &str, what: &str| match sum {
        Some(sum) => format!("{count} {kind} lines with a {what} of {sum}"),
        None => format!("{count} {kind} lines, whose values are not known"),
    };
    let accounting = accounting.map(|it| told(it, "accounting", "debit"));
    let stock = stock.map(|it| told(it, "stock", "change of value"));
    let parts: Vec<String> = accounting.into_iter().chain(stock).collect();
    let lines = if parts.is_empty() {
        "no ledger that can be read".to_owned()
    } else {
        parts.join(", ")
    };
    format!("{doctype} {name} ({status}): {lines}")
}

pub(crate) fn party(debtor: &str, creditor: &str, owed: &str, overdue: Option<&str>) -> String {
    let overdue = match overdue {
        Some(overdue) => format!("; {overdue} of invoices is overdue"),
        None => String::new(),
    };
    format!("{debtor} owes {creditor} {owed}{overdue}")
}

pub(crate) fn party_unknown(name: &str) -> String {
    format!("{name}: balance unknown")
}

/// A name that is a number, with what people call it.
pub(crate) fn titled(label: &str, name: &str) -> String {
    format!("{label} ({name})")
}

/// `first`: the first of those that match.
pub(crate) fn which_party(doctype: &str, text: &str, first: &str) -> String {
    format!(
        "No {doctype} is named {text:?}, and several match, such as {first}. Ask which one is meant."
    )
}

pub(crate) fn several_match(count: usize, doctype: &str, text: &str) -> String {
    format!("{count} {doctype} names match “{text}”")
}

pub(crate) fn also_in(party: &str, companies: &str) -> String {
    format!("{party} also has entries in {companies}")
}

pub(crate) fn no_entries(party: &str) -> String {
    format!("{party} has neither ledger entries nor open orders in any company")
}

pub(crate) fn name_the_company(companies: &str, reason: &str) -> String {
    format!(
        "Name the company: in which ones the party has entries cannot be read ({reason}). There are: {companies}."
    )
}

pub(crate) const TOO_MANY_COMPANIES: &str =
    "The party has entries in many companies. Name the company.";
pub(crate) const DEFAULT_COMPANY: &str =
    "none was named, so it is the default company of this ERP user";
pub(crate) const CREDIT_LEFT: &str =
    "the party's own limit in this company less its balance; orders not billed are not subtracted";

pub(crate) fn balance(party_type: &str) -> &'static str {
    match party_type {
        "Customer" => {
            "debit less credit of all ledger entries of the party: what the customer owes"
        }
        _ => "credit less debit of all ledger entries of the party: what the company owes",
    }
}

pub(crate) const OPEN_ORDERS: &str = "submitted orders that are neither completed nor closed, in company currency; not_billed by per_billed";
pub(crate) const OPEN_INVOICES: &str = "submitted invoices with an outstanding amount, credit notes negative; overdue: due before today";
pub(crate) const NO_PAYMENT: &str = "none";
pub(crate) const NO_SUCH_COMPANY: &str = "the company was not found";

pub(crate) fn too_many_to_sum(most: usize, doctype: &str) -> String {
    format!("there are more than {most} {doctype} documents to sum; use a report")
}
