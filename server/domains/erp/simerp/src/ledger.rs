//! General ledger and payment ledger: balanced lines of vouchers, and what invoices leave open.

use std::sync::Arc;

use crate::books::{SimBooks, put_new};
use crate::cell::{Decimal, SimCell, SimDoc};
use crate::clock::parse_date;
use crate::refusal::{SimResult, invalid, unsuitable};

/// Largest difference that is booked to the round-off account.
const ROUND_OFF: Decimal = Decimal::from_parts(5, 0, 0, false, 1);

/// A line before it is posted; credit is negative.
#[derive(Clone, Debug, Default)]
pub(crate) struct LedgerLine {
    pub account: String,
    pub amount: Decimal,
    pub party_type: &'static str,
    pub party: String,
    pub cost_center: String,
    pub project: String,
    pub against: String,
    pub against_type: String,
    pub against_voucher: String,
    pub due_date: SimCell,
}

impl LedgerLine {
    pub(crate) fn new(account: impl Into<String>, amount: Decimal) -> Self {
        Self {
            account: account.into(),
            amount,
            ..Self::default()
        }
    }

    pub(crate) fn center(mut self, row: &SimDoc) -> Self {
        row.text("cost_center").clone_into(&mut self.cost_center);
        row.text("project").clone_into(&mut self.project);
        self
    }

    pub(crate) fn of_party(mut self, kind: &'static str, party: &str) -> Self {
        self.party_type = kind;
        party.clone_into(&mut self.party);
        self
    }

    pub(crate) fn against(mut self, kind: &str, voucher: &str) -> Self {
        kind.clone_into(&mut self.against_type);
        voucher.clone_into(&mut self.against_voucher);
        self
    }
}

/// Posts the lines of a voucher: they are merged, checked and have to balance.
pub(crate) fn post(books: &mut SimBooks, doc: &SimDoc, lines: Vec<LedgerLine>) -> SimResult<()> {
    let mut lines = merged(books, lines);
    if lines.is_empty() {
        return Ok(());
    }
    let company = books.load("Company", doc.text("company"))?;
    let day = doc.text("posting_date").to_owned();
    check_day(books, &company, &day)?;
    let difference: Decimal = lines.iter().map(|line| line.amount).sum();
    if !difference.is_zero() {
        if difference.abs() > ROUND_OFF {
            return Err(unsuitable(format!(
                "Debit and Credit not equal for {} #{}. Difference is {difference}.",
                doc.kind, doc.name
            )));
        }
        let mut line = LedgerLine::new(company.text("round_off_account"), -difference);
        company
            .text("cost_center")
            .clone_into(&mut line.cost_center);
        lines.push(line);
    }
    let year = fiscal_year(books, &day)?;
    let names = |debit: bool| {
        let side = lines
            .iter()
            .filter(|line| line.amount.is_sign_positive() == debit);
        let mut names: Vec<_> = side
            .map(|line| {
                if line.party.is_empty() {
                    &line.account
                } else {
                    &line.party
                }
            })
            .map(String::as_str)
            .collect();
        names.dedup();
        names.join(", ")
    };
    let (debtors, creditors) = (names(true), names(false));
    // Its texts are shared by all lines.
    let of_voucher = SimDoc::new("GL Entry")
        .with("account_currency", company.text("default_currency"))
        .with("company", &company.name)
        .with("docstatus", 1)
        .with("fiscal_year", &year)
        .with("is_cancelled", 0)
        .with("is_opening", "No")
        .with("posting_date", day.as_str())
        .with("voucher_no", &doc.name)
        .with("voucher_type", doc.kind);
    for line in lines {
        let account = account(books, &company.name, &line)?;
        let is_debit = line.amount.is_sign_positive();
        let amount = line.amount.abs();
        let (debit, credit) = if is_debit {
            (amount, Decimal::ZERO)
        } else {
            (Decimal::ZERO, amount)
        };
        let center = if line.cost_center.is_empty() && is_result(&account) {
            company.text("cost_center").to_owned()
        } else {
            line.cost_center.clone()
        };
        let against = if line.against.is_empty() {
            if is_debit { &creditors } else { &debtors }
        } else {
            &line.against
        };
        let entry = of_voucher
            .clone()
            .with("account", &line.account)
            .with("party_type", line.party_type)
            .with("party", &line.party)
            .with("cost_center", center)
            .with("project", &line.project)
            .with("debit", debit)
            .with("credit", credit)
            .with("debit_in_account_currency", debit)
            .with("credit_in_account_currency", credit)
            .with("against", against)
            .with("against_voucher_type", &line.against_type)
            .with("against_voucher", &line.against_voucher);
        let entry = entry.named(ledger_name(books, "ACC-GLE"));
        put_new(books, entry);
        post_payment(books, doc, &account, &line, &company);
    }
    Ok(())
}

fn post_payment(
    books: &mut SimBooks,
    doc: &SimDoc,
    account: &SimDoc,
    line: &LedgerLine,
    company: &SimDoc,
) {
    let kind = account.text("account_type");
    let amount = match kind {
        "Receivable" => line.amount,
        "Payable" => -line.amount,
        _ => return,
    };
    let (against_type, against) = if line.against_voucher.is_empty() {
        (doc.kind, doc.name.as_str())
    } else {
        (line.against_type.as_str(), line.against_voucher.as_str())
    };
    let entry = SimDoc::new("Payment Ledger Entry")
        .with("posting_date", doc.text("posting_date"))
        .with("company", &company.name)
        .with("account_type", kind)
        .with("account", &line.account)
        .with("party_type", line.party_type)
        .with("party", &line.party)
        .with("due_date", line.due_date.clone())
        .with("voucher_type", doc.kind)
        .with("voucher_no", &doc.name)
        .with("against_voucher_type", against_type)
        .with("against_voucher_no", against)
        .with("amount", amount)
        .with("account_currency", company.text("default_currency"))
        .with("amount_in_account_currency", amount)
        .with("delinked", 0)
        .with("docstatus", 1);
    let entry = entry.named(ledger_name(books, "ACC-PLE"));
    put_new(books, entry);
}

pub(crate) fn ledger_name(books: &mut SimBooks, prefix: &str) -> String {
    let prefix = format!("{prefix}-{}-", books.today().year());
    format!("{prefix}{:07}", books.next_number(&prefix))
}

/// True if lines are never marked: what is taken back is posted once more, the other way round.
pub(crate) fn is_immutable(books: &SimBooks) -> bool {
    let on = books.setting("Accounts Settings", "enable_immutable_ledger");
    !on.num().is_zero()
}

/// Takes the lines of a voucher back: they are marked, and their negatives are posted, marked too. In an immutable
/// ledger none is marked, and the negatives are of today.
pub(crate) fn reverse(books: &mut SimBooks, doc: &SimDoc) -> SimResult<()> {
    let company = books.load("Company", doc.text("company"))?;
    check_day(books, &company, doc.text("posting_date"))?;
    let is_immutable = is_immutable(books);
    let today = books.today().to_string();
    let year = if is_immutable {
        fiscal_year(books, &today)?
    } else {
        String::new()
    };
    for entry in live(books, doc) {
        let mut back = SimDoc::clone(&entry);
        for (to, from) in [
            ("debit", "credit"),
            ("credit", "debit"),
            ("debit_in_account_currency", "credit_in_account_currency"),
            ("credit_in_account_currency", "debit_in_account_currency"),
        ] {
            back.set(to, entry.get(from).clone());
        }
        if is_immutable {
            back.set("posting_date", today.as_str());
            back.set("fiscal_year", year.as_str());
        } else {
            back.set("is_cancelled", 1);
            books.set_fields("GL Entry", &entry.name, [("is_cancelled", SimCell::Int(1))]);
        }
        let back = back.named(ledger_name(books, "ACC-GLE"));
        put_new(books, back);
    }
    let payments: Vec<_> = books
        .by("Payment Ledger Entry", "voucher_no", &doc.name)
        .filter(|it| it.text("voucher_type") == doc.kind && !it.flag("delinked"))
        .map(|it| it.name.clone())
        .collect();
    for name in payments {
        books.set_fields(
            "Payment Ledger Entry",
            &name,
            [("delinked", SimCell::Int(1))],
        );
    }
    Ok(())
}

/// The lines of a voucher that count.
pub(crate) fn live(books: &SimBooks, doc: &SimDoc) -> Vec<Arc<SimDoc>> {
    books
        .by("GL Entry", "voucher_no", &doc.name)
        .filter(|it| it.text("voucher_type") == doc.kind && !it.flag("is_cancelled"))
        .cloned()
        .collect()
}

/// The part of a voucher that is not paid, by the payment ledger.
pub(crate) fn outstanding(books: &SimBooks, kind: &str, name: &str) -> Decimal {
    books
        .by("Payment Ledger Entry", "against_voucher_no", name)
        .filter(|it| it.text("against_voucher_type") == kind && !it.flag("delinked"))
        .map(|it| it.num("amount"))
        .sum()
}

/// Lines of the same account, party, cost centre and voucher become one; those of zero go.
fn merged(books: &SimBooks, lines: Vec<LedgerLine>) -> Vec<LedgerLine> {
    let mut out: Vec<LedgerLine> = Vec::new();
    for mut line in lines {
        line.amount = books.money(line.amount);
        let same = out.iter_mut().find(|it| {
            it.account == line.account
                && it.party == line.party
                && it.cost_center == line.cost_center
                && it.project == line.project
                && it.against_voucher == line.against_voucher
        });
        match same {
            Some(same) => same.amount += line.amount,
            None => out.push(line),
        }
    }
    out.retain(|line| !line.amount.is_zero());
    out
}

fn account(books: &SimBooks, company: &str, line: &LedgerLine) -> SimResult<Arc<SimDoc>> {
    let Some(account) = books.find("Account", &line.account) else {
        return Err(unsuitable(format!(
            "Account {} does not exist",
            line.account
        )));
    };
    if account.flag("is_group") || account.flag("disabled") {
        return Err(unsuitable(format!(
            "Account {} cannot be posted to: it is a group or disabled",
            account.name
        )));
    }
    if account.text("freeze_account") == "Yes" && !books.is_seeding {
        return Err(unsuitable(format!("Account {} is frozen", account.name)));
    }
    if account.text("company") != company {
        return Err(unsuitable(format!(
            "Account {} does not belong to Company {company}",
            account.name
        )));
    }
    let kind = account.text("account_type");
    if matches!(kind, "Receivable" | "Payable") && line.party.is_empty() {
        return Err(unsuitable(format!(
            "Party Type and Party is required for Receivable / Payable account {}",
            account.name
        )));
    }
    Ok(Arc::clone(account))
}

/// Accounts of profit and loss need a cost centre.
fn is_result(account: &SimDoc) -> bool {
    matches!(account.text("root_type"), "Income" | "Expense")
}

pub(crate) fn fiscal_year(books: &SimBooks, day: &str) -> SimResult<String> {
    let mut years = books.all("Fiscal Year");
    let year =
        years.find(|it| it.text("year_start_date") <= day && day <= it.text("year_end_date"));
    year.map(|it| it.name.clone()).ok_or_else(|| {
        invalid(
            "FiscalYearError",
            format!("Date {day} is not in any active Fiscal Year"),
        )
    })
}

/// Frozen books and closed periods.
fn check_day(books: &SimBooks, company: &SimDoc, day: &str) -> SimResult<()> {
    if parse_date(day).is_none() {
        return Err(unsuitable("Posting Date is missing"));
    }
    if books.is_seeding {
        return Ok(());
    }
    let frozen = if books.profile.is_16() {
        company.get("accounts_frozen_till_date").clone()
    } else {
        books.setting("Accounts Settings", "acc_frozen_upto")
    };
    if day <= frozen.text() {
        return Err(unsuitable(format!(
            "You are not authorized to add or update entries before {}",
            frozen.text()
        )));
    }
    let closed = books.all("Accounting Period").find(|it| {
        it.text("company") == company.name
            && !it.flag("disabled")
            && it.text("start_date") <= day
            && day <= it.text("end_date")
    });
    match closed {
        Some(period) => Err(invalid(
            "ClosedAccountingPeriod",
            format!("Accounting Period {} is closed for this date", period.name),
        )),
        None => Ok(()),
    }
}
