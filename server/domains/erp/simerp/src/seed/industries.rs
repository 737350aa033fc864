//! What single kinds of business need: hours and tasks of projects, a till's day, rooms.

use super::{Filled, MAKER, Seed};
use crate::cell::{Decimal, SimDoc, cents};
use crate::users::SimErpUser;

pub(super) fn fill(seed: &mut Seed<'_>) -> Filled<()> {
    tasks(seed)?;
    hours(seed)?;
    tills(seed)?;
    rooms(seed)
}

/// Tasks of the first project: one done, one late, one to come.
fn tasks(seed: &mut Seed<'_>) -> Filled<()> {
    let project = nth(seed, "Project", 0);
    for (subject, status, due) in [
        ("Measure the frames", "Completed", -20),
        ("Fit the locks", "Working", -3),
        ("Hand the fleet over", "Open", 14),
    ] {
        let doc = SimDoc::new("Task")
            .with("subject", subject)
            .with("project", &project)
            .with("status", status);
        seed.add(doc.with("exp_end_date", seed.day(due)))?;
    }
    Ok(())
}

/// Hours of two more people: some billable, some not, some in a draft.
fn hours(seed: &mut Seed<'_>) -> Filled<()> {
    let project = nth(seed, "Project", 0);
    let two = [("Repair", 300, true), ("Assembly", 400, false)];
    let one = [("Assembly", 800, false)];
    for (person, day, rows) in [(1, -3, &two[..]), (2, -2, &one[..])] {
        let mut sheet = SimDoc::new("Timesheet")
            .with("company", MAKER)
            .with("employee", nth(seed, "Employee", person));
        for (activity, hours, is_billable) in rows {
            let row = SimDoc::new("Timesheet Detail")
                .with("activity_type", *activity)
                .with("from_time", format!("{} 08:00:00", seed.day(day)))
                .with("hours", cents(*hours))
                .with("project", &project);
            sheet.push("time_logs", row.with("is_billable", *is_billable));
        }
        if person == 1 {
            seed.submit(sheet)?;
        } else {
            seed.add(sheet)?;
        }
    }
    Ok(())
}

/// The shop's till is open since this morning, or since midnight as long as that is still to come: two
/// sales in cash, one by card, one return.
fn tills(seed: &mut Seed<'_>) -> Filled<()> {
    let today = seed.books.today();
    // A sale before it would be of no session.
    let is_early = seed.books.now.time().as_str() < "09:00:00";
    let since = if is_early { "00:00:00" } else { "09:00:00" };
    let mut opening = SimDoc::new("POS Opening Entry")
        .with("period_start_date", format!("{today} {since}"))
        .with("posting_date", today)
        .with("company", MAKER)
        .with("pos_profile", "Shop Till")
        .with("user", SimErpUser::Clerk.email());
    for (mode, amount) in [("Cash", 15_000), ("Credit Card", 0)] {
        let row = SimDoc::new("POS Opening Entry Detail").with("mode_of_payment", mode);
        opening.push("balance_details", row.with("opening_amount", cents(amount)));
    }
    seed.submit(opening)?;
    // A session takes the invoices of its own cashier alone.
    let cashier = SimErpUser::Clerk.email().to_owned();
    let before = std::mem::replace(&mut seed.books.user, cashier);
    let sold = sales(seed);
    seed.books.user = before;
    sold
}

fn sales(seed: &mut Seed<'_>) -> Filled<()> {
    let today = seed.books.today();
    let mut sold = String::new();
    for (item, qty, mode) in [
        ("BELL", 2, "Cash"),
        ("HELMET-M", 1, "Credit Card"),
        ("BOTTLE", 3, "Cash"),
        ("BELL", -1, "Cash"),
    ] {
        let mut doc = SimDoc::new("POS Invoice")
            .with("customer", "Walk-in Customer")
            .with("company", MAKER)
            .with("pos_profile", "Shop Till")
            .with("taxes_and_charges", "VAT 19 included - AC")
            .with("is_return", qty < 0);
        if qty < 0 {
            doc.set("return_against", sold.clone());
        }
        let row = SimDoc::new("POS Invoice Item").with("item_code", item);
        doc.push("items", row.with("qty", Decimal::from(qty)));
        let price = crate::price::list_rate(seed.books, item, "Retail EUR", "", &today.to_string());
        let paid = price.unwrap_or_default() * Decimal::from(qty);
        let row = SimDoc::new("Sales Invoice Payment").with("mode_of_payment", mode);
        doc.push("payments", row.with("amount", paid));
        let name = seed.submit(doc)?.name;
        if sold.is_empty() {
            sold = name;
        }
    }
    Ok(())
}

/// A guest house of five rooms for touring cyclists, with two reservations.
fn rooms(seed: &mut Seed<'_>) -> Filled<()> {
    let [from, to] = [-30, 330].map(|it| seed.day(it));
    let mut prices = SimDoc::new("Hotel Room Pricing")
        .named("House rates")
        .with("from_date", from)
        .with("to_date", to)
        .with("currency", "EUR");
    for (kind, item, capacity, rate, rooms) in [
        (
            "Double",
            "ROOM-DOUBLE",
            2,
            9_000,
            &["101", "102", "103"][..],
        ),
        ("Bunk", "ROOM-BUNK", 6, 12_000, &["201", "202"][..]),
    ] {
        let doc = SimDoc::new("Item")
            .with("item_code", item)
            .with("item_name", format!("{kind} room, a night"))
            .with("item_group", "Services")
            .with("stock_uom", "Nos")
            .with("is_stock_item", 0);
        seed.add(doc.with("is_sales_item", 1))?;
        let doc = SimDoc::new("Hotel Room Type").named(kind);
        seed.add(doc.with("capacity", capacity))?;
        let doc = SimDoc::new("Hotel Room Package").named(format!("{kind} only"));
        seed.add(doc.with("hotel_room_type", kind).with("item", item))?;
        for room in rooms {
            let doc = SimDoc::new("Hotel Room").named(*room);
            seed.add(doc.with("hotel_room_type", kind).with("capacity", capacity))?;
        }
        let row = SimDoc::new("Hotel Room Pricing Item").with("item", item);
        prices.push("items", row.with("rate", cents(rate)));
    }
    seed.add(prices)?;
    for (guest, item, qty, from, to) in [
        ("Lausitz Touring Club", "ROOM-DOUBLE", 2, 3, 5),
        ("Mira Holt", "ROOM-BUNK", 1, 4, 4),
    ] {
        let mut doc = SimDoc::new("Hotel Room Reservation")
            .with("guest_name", guest)
            .with("from_date", seed.day(from))
            .with("to_date", seed.day(to));
        let row = SimDoc::new("Hotel Room Reservation Item").with("item", item);
        doc.push("items", row.with("qty", qty).with("currency", "EUR"));
        seed.submit(doc)?;
    }
    Ok(())
}

fn nth(seed: &Seed<'_>, kind: &'static str, at: usize) -> String {
    let found = seed.books.all(kind).nth(at);
    found.map(|it| it.name.clone()).unwrap_or_default()
}
