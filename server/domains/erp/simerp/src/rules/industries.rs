//! Rooms of hotels.

use crate::books::SimBooks;
use crate::cell::{Decimal, SimDoc};
use crate::clock::{parse_date, plus_days};
use crate::refusal::{SimResult, invalid, unsuitable};

/// Rates of the nights, and whether there are rooms. The night of the last day counts.
pub(super) fn validate_rooms(books: &mut SimBooks, doc: &mut SimDoc) -> SimResult<()> {
    let (Some(from), Some(to)) = (
        parse_date(doc.text("from_date")),
        parse_date(doc.text("to_date")),
    ) else {
        return Ok(());
    };
    if to < from {
        return Err(unsuitable("To Date cannot be before From Date"));
    }
    let mut nights = Vec::new();
    let mut day = from;
    while day <= to && nights.len() < 400 {
        nights.push(day.to_string());
        day = plus_days(day, 1);
    }
    let name = doc.name.clone();
    let mut total = Decimal::ZERO;
    for row in doc.rows_mut("items") {
        let room = books.all("Hotel Room Package");
        let room = room
            .filter(|it| it.text("item") == row.text("item"))
            .map(|it| it.text("hotel_room_type").to_owned())
            .next();
        let Some(room) = room else {
            return Err(unsuitable(format!(
                "Item {} is of no Hotel Room Package",
                row.text("item")
            )));
        };
        let wanted = Decimal::from(row.int("qty"));
        let mut rate = Decimal::ZERO;
        for night in &nights {
            let taken = booked(books, &room, night, &name);
            let rooms = books.all("Hotel Room");
            let rooms = rooms.filter(|it| it.text("hotel_room_type") == room);
            if taken + wanted > Decimal::from(rooms.count()) {
                return Err(invalid(
                    "HotelRoomUnavailableError",
                    format!("{} not available on {night}", row.text("item")),
                ));
            }
            let Some(price) = nightly(books, row.text("item"), night) else {
                return Err(invalid(
                    "HotelRoomPricingNotSetError",
                    format!("Please set Hotel Room Rate on {night}"),
                ));
            };
            rate += price;
        }
        let amount = books.money(rate * wanted);
        row.set("rate", rate);
        row.set("amount", amount);
        total += amount;
    }
    doc.set("net_total", total);
    Ok(())
}

/// Rooms of a type that submitted reservations take in a night.
fn booked(books: &SimBooks, room: &str, night: &str, besides: &str) -> Decimal {
    let packages: Vec<_> = books
        .all("Hotel Room Package")
        .filter(|it| it.text("hotel_room_type") == room)
        .map(|it| it.text("item").to_owned())
        .collect();
    let taken = books.all("Hotel Room Reservation").filter(|it| {
        it.docstatus() == 1
            && it.name != besides
            && it.text("from_date") <= night
            && it.text("to_date") >= night
    });
    let rows = taken.flat_map(|it| it.rows("items"));
    let rows = rows.filter(|row| packages.iter().any(|item| item == row.text("item")));
    rows.map(|row| Decimal::from(row.int("qty"))).sum()
}

fn nightly(books: &SimBooks, item: &str, night: &str) -> Option<Decimal> {
    let mut prices = books.all("Hotel Room Pricing");
    let of = prices.find(|it| it.text("from_date") <= night && it.text("to_date") >= night)?;
    let row = of.rows("items").iter().find(|row| row.text("item") == item);
    row.map(|row| row.num("rate"))
}
