//! Fourteen months: buying, making, selling, paying, day by day.

use std::collections::BTreeMap;

use super::items::cost;
use super::masters::account;
use super::parties::{CUSTOMERS, SUPPLIERS};
use super::{DAYS, Filled, MAKER, Seed, TRADER};
use crate::cell::{Decimal, SimDoc, cents};
use crate::mappers;

/// Something that happens on a day.
enum DiaryStep {
    Buy(usize),
    Receive(String),
    BillFor(String),
    Sell(usize),
    Deliver(String),
    Bill(String),
    Pay(&'static str, String),
    Make(&'static str, i64),
    MonthEnd,
}

/// Days with what happens on them, in order.
struct Diary {
    steps: BTreeMap<(i64, usize), DiaryStep>,
    count: usize,
    dice: u64,
}

impl Diary {
    fn at(&mut self, day: i64, step: DiaryStep) {
        self.count += 1;
        self.steps.insert((day, self.count), step);
    }

    /// A number below `sides`, which follows from the seed.
    fn roll(&mut self, sides: u64) -> i64 {
        self.dice = self
            .dice
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.dice >> 33) % sides.max(1)).unwrap_or_default()
    }
}

/// Parts that a supplier sells, with quantities of an order.
const BASKETS: [&[(&str, i64)]; 8] = [
    &[("RAW-TUBE-AL", 160), ("RAW-TUBE-ST", 160)],
    &[
        ("RAW-RIM", 80),
        ("RAW-SPOKE", 2600),
        ("RAW-HUB", 80),
        ("RAW-TYRE", 80),
    ],
    &[("RAW-CHAIN", 40), ("RAW-CRANK", 40), ("RAW-BRAKE", 45)],
    &[("RAW-SADDLE", 40), ("RAW-BAR", 40), ("BAG-REAR", 20)],
    &[("LIGHT-F", 40), ("LIGHT-R", 30), ("BELL", 60)],
    &[("LOCK-U", 25), ("LOCK-CHAIN", 20), ("PUMP", 25)],
    &[
        ("HELMET-S", 20),
        ("HELMET-M", 25),
        ("JERSEY-M", 20),
        ("FRAME-M", 12),
        ("FRAME-L", 8),
    ],
    &[
        ("RAW-PAINT", 20),
        ("TOOLKIT", 15),
        ("TUBE-28", 60),
        ("TYRE-28", 25),
        ("BOTTLE", 60),
    ],
];

const GOODS: [&str; 14] = [
    "BIKE-CITY",
    "BIKE-TOUR",
    "BIKE-GRAVEL",
    "HELMET-M",
    "HELMET-S",
    "LOCK-U",
    "LOCK-CHAIN",
    "PUMP",
    "LIGHT-R",
    "BAG-REAR",
    "BOTTLE",
    "TUBE-28",
    "TYRE-28",
    "FRAME-M",
];

pub(super) fn post(seed: &mut Seed<'_>) -> Filled<()> {
    opening(seed)?;
    let mut diary = Diary {
        steps: BTreeMap::new(),
        count: 0,
        dice: 0x5eed ^ seed.books.seed_number(),
    };
    for month in 0..14 {
        let first = -DAYS + 2 + month * 30;
        for supplier in 0..BASKETS.len() {
            if month % 2 == 0 || supplier < 4 {
                let late = diary.roll(4);
                diary.at(first + late, DiaryStep::Buy(supplier));
            }
        }
        for (at, (item, qty)) in [
            ("SUB-FRAME-AL", 18),
            ("SUB-FRAME-ST", 14),
            ("SUB-WHEEL", 60),
            ("SUB-DRIVE", 30),
            ("BIKE-CITY", 9),
            ("BIKE-TOUR", 9),
            ("BIKE-GRAVEL", 7),
        ]
        .into_iter()
        .enumerate()
        {
            let day = first + 9 + i64::try_from(at).unwrap_or_default();
            diary.at(day, DiaryStep::Make(item, qty));
        }
        for _ in 0..6 {
            let (day, customer) = (diary.roll(27), diary.roll(20));
            diary.at(
                first + 2 + day,
                DiaryStep::Sell(usize::try_from(customer).unwrap_or_default()),
            );
        }
        diary.at(first + 28, DiaryStep::MonthEnd);
    }
    while let Some(((day, _), step)) = diary.steps.pop_first() {
        if day >= 0 {
            break;
        }
        seed.go_to(day);
        take(seed, &mut diary, day, step)?;
    }
    trading(seed)
}

fn opening(seed: &mut Seed<'_>) -> Filled<()> {
    let of = |number: &str| account(number, "AC");
    let lines = [
        (of("1120"), 18_000_000),
        (of("1510"), 6_400_000),
        (of("1520"), 1_850_000),
        (of("2400"), -8_000_000),
        (of("3100"), -18_250_000),
    ];
    journal(seed, MAKER, "Opening Entry", &lines, "Opening balances")?;
    let of = |number: &str| account(number, "AT");
    let lines = [(of("1120"), 9_000_000), (of("3100"), -9_000_000)];
    journal(seed, TRADER, "Opening Entry", &lines, "Opening balances")?;
    let mut doc = SimDoc::new("Stock Reconciliation")
        .with("company", MAKER)
        .with("purpose", "Opening Stock")
        .with("expense_account", account("3300", "AC"));
    let everything = BASKETS.iter().flat_map(|basket| basket.iter());
    for (code, qty) in everything {
        let place = if code.starts_with("RAW") {
            "Raw - AC"
        } else {
            "Stores - AC"
        };
        let row = SimDoc::new("Stock Reconciliation Item")
            .with("item_code", *code)
            .with("warehouse", place)
            .with("qty", Decimal::from(qty * 2));
        doc.push("items", row.with("valuation_rate", cents(cost(code))));
    }
    seed.submit(doc)?;
    Ok(())
}

/// A journal entry of amounts in cents; credits are negative.
pub(super) fn journal(
    seed: &mut Seed<'_>,
    company: &str,
    kind: &str,
    lines: &[(String, i64)],
    text: &str,
) -> Filled<()> {
    let mut doc = SimDoc::new("Journal Entry")
        .with("voucher_type", kind)
        .with("company", company)
        .with("user_remark", text);
    for (account, amount) in lines {
        let side = if *amount > 0 {
            "debit_in_account_currency"
        } else {
            "credit_in_account_currency"
        };
        let row = SimDoc::new("Journal Entry Account").with("account", account);
        doc.push("accounts", row.with(side, cents(amount.abs())));
    }
    seed.submit(doc)?;
    Ok(())
}

fn take(seed: &mut Seed<'_>, diary: &mut Diary, day: i64, step: DiaryStep) -> Filled<()> {
    match step {
        DiaryStep::Buy(supplier) => {
            let name = buy(seed, supplier, day)?;
            let wait = diary.roll(3);
            diary.at(day + 3 + wait, DiaryStep::Receive(name));
        }
        DiaryStep::Receive(order) => {
            let doc = seed.mapped("Purchase Order", &order, "Purchase Receipt")?;
            seed.submit(doc)?;
            diary.at(day + 3, DiaryStep::BillFor(order));
        }
        DiaryStep::BillFor(order) => {
            let mut doc = seed.mapped("Purchase Order", &order, "Purchase Invoice")?;
            doc.set("bill_no", order.replace("PUR-ORD", "R"));
            let name = seed.submit(doc)?.name;
            let wait = diary.roll(9);
            diary.at(day + 22 + wait, DiaryStep::Pay("Purchase Invoice", name));
        }
        DiaryStep::Sell(customer) => {
            if let Some(name) = sell(seed, diary, customer, day)? {
                let wait = diary.roll(6);
                diary.at(day + 2 + wait, DiaryStep::Deliver(name));
            }
        }
        DiaryStep::Deliver(order) => {
            let doc = seed.mapped("Sales Order", &order, "Delivery Note")?;
            if can_deliver(seed, &doc) {
                seed.submit(doc)?;
                diary.at(day + 1, DiaryStep::Bill(order));
            } else {
                diary.at(day + 6, DiaryStep::Deliver(order));
            }
        }
        DiaryStep::Bill(order) => {
            let doc = seed.mapped("Sales Order", &order, "Sales Invoice")?;
            let name = seed.submit(doc)?.name;
            let wait = diary.roll(24);
            diary.at(day + 12 + wait, DiaryStep::Pay("Sales Invoice", name));
        }
        DiaryStep::Pay(kind, name) => {
            let doc = mappers::payment(seed.books, kind, &name);
            let mut doc = doc.map_err(|it| format!("{name}: {}", it.messages.join("; ")))?;
            doc.set(
                "reference_no",
                format!("T{}", diary.roll(900_000) + 100_000),
            );
            doc.set("reference_date", seed.books.today());
            seed.submit(doc)?;
        }
        DiaryStep::Make(item, qty) => make(seed, item, qty)?,
        DiaryStep::MonthEnd => month_end(seed)?,
    }
    Ok(())
}

fn buy(seed: &mut Seed<'_>, supplier: usize, day: i64) -> Filled<String> {
    let (name, _) = SUPPLIERS[supplier % SUPPLIERS.len()];
    let mut doc = SimDoc::new("Purchase Order")
        .with("supplier", name)
        .with("company", MAKER)
        .with("schedule_date", seed.day(day + 4))
        .with("taxes_and_charges", "Input VAT 19 - AC");
    for (code, qty) in BASKETS[supplier % BASKETS.len()] {
        let row = SimDoc::new("Purchase Order Item").with("item_code", *code);
        doc.push("items", row.with("qty", Decimal::from(*qty)));
    }
    Ok(seed.submit(doc)?.name)
}

fn sell(seed: &mut Seed<'_>, diary: &mut Diary, at: usize, day: i64) -> Filled<Option<String>> {
    let (customer, _, _, currency, ..) = CUSTOMERS[at % CUSTOMERS.len()];
    if currency == "USD" {
        return Ok(None);
    }
    let mut doc = SimDoc::new("Sales Order")
        .with("customer", customer)
        .with("company", MAKER)
        .with("delivery_date", seed.day(day + 5));
    if currency == "EUR" {
        doc.set("taxes_and_charges", "VAT 19 - AC");
    }
    for _ in 0..=diary.roll(3) {
        let code = GOODS[usize::try_from(diary.roll(14)).unwrap_or_default()];
        if doc
            .rows("items")
            .iter()
            .any(|row| row.text("item_code") == code)
        {
            continue;
        }
        let qty = if code.starts_with("BIKE") {
            1 + diary.roll(3)
        } else {
            2 + diary.roll(8)
        };
        let mut row = SimDoc::new("Sales Order Item")
            .with("item_code", code)
            .with("qty", Decimal::from(qty));
        if currency == "CHF" {
            row.set("rate", cents(cost(code).max(20_000) * 2));
        }
        doc.push("items", row);
    }
    if diary.roll(5) == 0 {
        doc.set("additional_discount_percentage", Decimal::from(5));
    }
    Ok(Some(seed.submit(doc)?.name))
}

/// True if all goods are there.
fn can_deliver(seed: &Seed<'_>, doc: &SimDoc) -> bool {
    doc.rows("items").iter().all(|row| {
        let bin = crate::books::bin_name(row.text("item_code"), row.text("warehouse"));
        seed.books.value("Bin", &bin, "actual_qty").num() >= row.num("stock_qty")
    })
}

/// A work order that is carried out at once, as far as the materials go.
fn make(seed: &mut Seed<'_>, item: &str, qty: i64) -> Filled<()> {
    let bom = seed.books.value_text("Item", item, "default_bom");
    let per_unit = crate::rules::bom_rows(seed.books, &bom, Decimal::ONE, false);
    let place = |code: &str| {
        let made = code.starts_with("RAW") || code.starts_with("SUB");
        if made { "Raw - AC" } else { "Stores - AC" }
    };
    let mut most = Decimal::from(qty);
    for (code, need) in &per_unit {
        let bin = crate::books::bin_name(code, place(code));
        let there = seed.books.value("Bin", &bin, "actual_qty").num();
        most = most.min((there / need).floor());
    }
    if most < Decimal::ONE {
        return Ok(());
    }
    let target = if item.starts_with("SUB") {
        "Raw - AC"
    } else {
        "Finished - AC"
    };
    let mut order = SimDoc::new("Work Order")
        .with("production_item", item)
        .with("bom_no", bom)
        .with("company", MAKER)
        .with("qty", most)
        .with("fg_warehouse", target)
        .with(
            "planned_start_date",
            format!("{} 08:00:00", seed.books.today()),
        );
    for (code, need) in &per_unit {
        let row = SimDoc::new("Work Order Item")
            .with("item_code", code)
            .with("source_warehouse", place(code))
            .with("required_qty", need * most);
        order.push("required_items", row);
    }
    let order = seed.submit(order)?.name;
    let entry = mappers::production(seed.books, &order, "Manufacture", None);
    let entry = entry.map_err(|it| format!("{order}: {}", it.messages.join("; ")))?;
    seed.submit(entry)?;
    Ok(())
}

fn month_end(seed: &mut Seed<'_>) -> Filled<()> {
    let of = |number: &str| account(number, "AC");
    let lines = [
        (of("5200"), 310_000),
        (of("5210"), 65_000),
        (of("5300"), 90_000),
        (of("5310"), 18_000),
        (of("1120"), -483_000),
    ];
    journal(
        seed,
        MAKER,
        "Bank Entry",
        &lines,
        "Salaries, rent and energy",
    )?;
    let lines = [(of("5500"), 40_000), (of("1590"), -40_000)];
    journal(seed, MAKER, "Journal Entry", &lines, "Depreciation")
}

/// The trading company buys a container and sells it, in dollars.
fn trading(seed: &mut Seed<'_>) -> Filled<()> {
    seed.go_to(-120);
    let mut receipt = SimDoc::new("Purchase Receipt")
        .with("supplier", "Helm & Visor")
        .with("company", TRADER)
        .with("currency", "USD");
    for (code, qty) in [("HELMET-M", 200), ("LOCK-U", 150), ("LIGHT-F", 150)] {
        let row = SimDoc::new("Purchase Receipt Item")
            .with("item_code", code)
            .with("warehouse", "Stores - AT");
        receipt.push("items", row.with("qty", Decimal::from(qty)));
    }
    let receipt = seed.submit(receipt)?.name;
    seed.go_to(-116);
    let mut bill = seed.mapped("Purchase Receipt", &receipt, "Purchase Invoice")?;
    bill.set("bill_no", "HV-2207");
    seed.submit(bill)?;
    for (at, customer) in [
        "Prairie Cyclery",
        "Bluff City Bikes",
        "Cascade Spokes",
        "Prairie Cyclery",
    ]
    .into_iter()
    .enumerate()
    {
        let at = i64::try_from(at).unwrap_or_default();
        seed.go_to(-100 + at * 22);
        let mut doc = SimDoc::new("Sales Invoice")
            .with("customer", customer)
            .with("company", TRADER)
            .with("update_stock", 1);
        for (code, qty) in [("HELMET-M", 12 + at * 3), ("LOCK-U", 8 + at)] {
            let row = SimDoc::new("Sales Invoice Item")
                .with("item_code", code)
                .with("warehouse", "Stores - AT");
            doc.push("items", row.with("qty", Decimal::from(qty)));
        }
        seed.submit(doc)?;
    }
    Ok(())
}
