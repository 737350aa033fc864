//! Tax rows, discounts and totals.

use crate::books::SimBooks;
use crate::cell::{Decimal, SimDoc};
use crate::refusal::{SimResult, unsuitable};

const HUNDRED: Decimal = Decimal::ONE_HUNDRED;

/// The amount that a row of taxes adds.
#[derive(Clone, Copy, PartialEq)]
enum Pass {
    /// Before the discount of the document.
    First,
    /// After it.
    Discounted,
}

/// Computes net amounts, taxes, discount and totals from the amounts of the rows.
pub(super) fn compute(books: &SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    load_template(books, doc);
    check(doc)?;
    let mut taxes = doc.rows("taxes").to_vec();
    let mut items = doc.rows("items").to_vec();
    let fraction = included(&taxes);
    for row in &mut items {
        let net = books.money(row.num("amount") / (Decimal::ONE + fraction));
        row.set("net_amount", net);
    }
    let total = sum(&items, "amount");
    run(books, &items, &mut taxes, Pass::First);
    fit_included(&items, &mut taxes, total);
    let discount = discount(books, doc, &items, &taxes);
    if !discount.is_zero() {
        spread(books, doc, discount, &mut items, &taxes);
        run(books, &items, &mut taxes, Pass::Discounted);
    }
    doc.set("discount_amount", discount);
    let net = sum(&items, "net_amount");
    let grand = taxes.last().map_or(net, |row| row.num("total"));
    let rate = doc.num("conversion_rate");
    let fields = [
        ("total_qty", "", sum(&items, "qty")),
        ("total", "base_total", total),
        ("net_total", "base_net_total", net),
        (
            "total_taxes_and_charges",
            "base_total_taxes_and_charges",
            grand - net,
        ),
        ("grand_total", "base_grand_total", grand),
    ];
    for (field, base, value) in fields {
        doc.set(field, value);
        if !base.is_empty() {
            doc.set(base, books.money(value * rate));
        }
    }
    let rounded = if doc.flag("disable_rounded_total") {
        Decimal::ZERO
    } else {
        to_fraction(books, doc.text("currency"), grand)
    };
    doc.set("rounded_total", rounded);
    doc.set("base_rounded_total", books.money(rounded * rate));
    let adjustment = if rounded.is_zero() {
        rounded
    } else {
        rounded - grand
    };
    doc.set("rounding_adjustment", adjustment);
    for row in &mut items {
        for (field, base) in [
            ("rate", "base_rate"),
            ("amount", "base_amount"),
            ("net_amount", "base_net_amount"),
        ] {
            let value = books.money(row.num(field) * rate);
            row.set(base, value);
        }
        let qty = row.num("qty");
        if !qty.is_zero() {
            let net = (row.num("net_amount") / qty).round_dp(6);
            row.set("net_rate", net);
        }
    }
    for row in &mut taxes {
        for (field, base) in [
            ("tax_amount_after_discount_amount", "base_tax_amount"),
            ("total", "base_total"),
        ] {
            let value = books.money(row.num(field) * rate);
            row.set(base, value);
        }
    }
    doc.tables.insert("items", items);
    doc.tables.insert("taxes", taxes);
    Ok(())
}

fn sum(rows: &[SimDoc], field: &str) -> Decimal {
    rows.iter().map(|row| row.num(field)).sum()
}

fn load_template(books: &SimBooks, doc: &mut SimDoc) {
    let name = doc.text("taxes_and_charges");
    if name.is_empty() || !doc.rows("taxes").is_empty() {
        return;
    }
    let kind = if super::is_selling(doc.kind) {
        "Sales Taxes and Charges Template"
    } else {
        "Purchase Taxes and Charges Template"
    };
    let Some(template) = books.find(kind, name) else {
        return;
    };
    let rows: Vec<_> = template
        .rows("taxes")
        .iter()
        .map(|row| SimDoc {
            name: String::new(),
            ..row.clone()
        })
        .collect();
    doc.tables.insert("taxes", rows);
}

/// A row may refer to rows before it only.
fn check(doc: &SimDoc) -> SimResult<()> {
    for (at, row) in doc.rows("taxes").iter().enumerate() {
        let previous = row.text("charge_type").starts_with("On Previous");
        let id: usize = row.text("row_id").parse().unwrap_or_default();
        if previous && (id == 0 || id > at) {
            return Err(unsuitable(format!(
                "Row #{}: Please specify a valid Row ID for row {}",
                at + 1,
                at + 1
            )));
        }
    }
    Ok(())
}

fn before<'a>(taxes: &'a [SimDoc], row: &SimDoc) -> Option<&'a SimDoc> {
    let id: usize = row.text("row_id").parse().ok()?;
    taxes.get(id.checked_sub(1)?)
}

/// Share of the net amount that the included taxes add to it.
fn included(taxes: &[SimDoc]) -> Decimal {
    let mut shares: Vec<(Decimal, Decimal)> = Vec::new();
    let mut all = Decimal::ZERO;
    for row in taxes {
        let id: usize = row.text("row_id").parse().unwrap_or_default();
        let previous = id.checked_sub(1).and_then(|at| shares.get(at)).copied();
        let share = match (row.text("charge_type"), previous) {
            _ if !row.flag("included_in_print_rate") => Decimal::ZERO,
            ("On Net Total", _) => row.num("rate") / HUNDRED,
            ("On Previous Row Amount", Some((own, _))) => row.num("rate") / HUNDRED * own,
            ("On Previous Row Total", Some((_, until))) => {
                row.num("rate") / HUNDRED * (Decimal::ONE + until)
            }
            _ => Decimal::ZERO,
        };
        all += share;
        shares.push((share, all));
    }
    all
}

/// Fills amounts and running totals of the tax rows.
fn run(books: &SimBooks, items: &[SimDoc], taxes: &mut [SimDoc], pass: Pass) {
    let net = sum(items, "net_amount");
    let mut total = net;
    for at in 0..taxes.len() {
        let (done, rest) = taxes.split_at_mut(at);
        let Some(row) = rest.first_mut() else { break };
        let rate = row.num("rate");
        let previous = before(done, row);
        let amount = match row.text("charge_type") {
            "On Net Total" => net * rate / HUNDRED,
            "On Previous Row Amount" => previous.map_or(Decimal::ZERO, |it| {
                it.num("tax_amount_after_discount_amount") * rate / HUNDRED
            }),
            "On Previous Row Total" => {
                previous.map_or(Decimal::ZERO, |it| it.num("total") * rate / HUNDRED)
            }
            "On Item Quantity" => sum(items, "qty") * rate,
            _ => row.num("tax_amount"),
        };
        let amount = books.money(amount);
        if pass == Pass::First {
            row.set("tax_amount", amount);
        }
        row.set("tax_amount_after_discount_amount", amount);
        let is_deducted = row.text("add_deduct_tax") == "Deduct";
        total += if is_deducted { -amount } else { amount };
        row.set("total", total);
    }
}

/// If all taxes are included, the total is the sum of the rows: the last tax takes the cents of rounding.
fn fit_included(items: &[SimDoc], taxes: &mut [SimDoc], total: Decimal) {
    let all = taxes.iter().all(|row| row.flag("included_in_print_rate"));
    let Some(last) = taxes.last_mut().filter(|_| all) else {
        return;
    };
    let difference = total - last.num("total");
    let most = Decimal::new(i64::try_from(items.len()).unwrap_or(1) + 1, 2);
    if !difference.is_zero() && difference.abs() <= most {
        for field in ["tax_amount", "tax_amount_after_discount_amount", "total"] {
            let value = last.num(field) + difference;
            last.set(field, value);
        }
    }
}

fn discount(books: &SimBooks, doc: &SimDoc, items: &[SimDoc], taxes: &[SimDoc]) -> Decimal {
    let percent = doc.num("additional_discount_percentage");
    if percent.is_zero() {
        return books.money(doc.num("discount_amount"));
    }
    let net = sum(items, "net_amount");
    let base = if doc.text("apply_discount_on") == "Net Total" {
        net
    } else {
        taxes.last().map_or(net, |row| row.num("total"))
    };
    books.money(base * percent / HUNDRED)
}

/// Takes the discount off the net amounts; the last row takes the cents of rounding.
fn spread(
    books: &SimBooks,
    doc: &SimDoc,
    discount: Decimal,
    items: &mut [SimDoc],
    taxes: &[SimDoc],
) {
    let net = sum(items, "net_amount");
    let base = if doc.text("apply_discount_on") == "Net Total" {
        net
    } else {
        let actual = taxes
            .iter()
            .filter(|row| row.text("charge_type") == "Actual");
        let actual: Decimal = actual.map(|row| row.num("tax_amount")).sum();
        taxes.last().map_or(net, |row| row.num("total")) - actual
    };
    if base.is_zero() {
        return;
    }
    let wanted = books.money(net - discount * net / base);
    let mut left = wanted;
    let last = items.len().saturating_sub(1);
    for (at, row) in items.iter_mut().enumerate() {
        let own = row.num("net_amount");
        let own = if at == last {
            left
        } else {
            books.money(own - discount * own / base)
        };
        left -= own;
        row.set("net_amount", own);
    }
}

/// The nearest multiple of the currency's smallest fraction; a half of it goes down. Whole units, if the
/// currency has none.
fn to_fraction(books: &SimBooks, currency: &str, value: Decimal) -> Decimal {
    let step = books
        .value("Currency", currency, "smallest_currency_fraction_value")
        .num();
    if step.is_zero() {
        return books.whole_money(value);
    }
    let mut rest = value % step;
    if rest < Decimal::ZERO {
        rest += step;
    }
    let up = if rest > step / Decimal::TWO {
        step
    } else {
        Decimal::ZERO
    };
    books.money(value - rest + up)
}
