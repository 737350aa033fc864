//! Rooms, and the reservations that take them.

use std::collections::BTreeMap;

use futures::try_join;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::json;

use crate::{
    error::ErpError,
    packs::{
        figures::{amount, day, text},
        lists,
    },
    site::{Document, ErpSite},
};

/// Rooms of a type that a reservation takes.
pub(super) struct TakenRooms {
    pub(super) room_type: String,
    pub(super) rooms: Decimal,
    pub(super) from: Date,
    /// The last day, whose night counts.
    pub(super) to: Date,
    /// For all nights.
    pub(super) amount: Decimal,
    /// None if the reservation says none.
    pub(super) currency: Option<String>,
}

impl TakenRooms {
    pub(super) fn has(&self, night: Date) -> bool {
        (self.from..=self.to).contains(&night)
    }

    pub(super) fn nights(&self) -> Decimal {
        let days = self.from.until(self.to).map(|span| span.get_days());
        Decimal::from(days.unwrap_or_default() + 1)
    }
}

/// The rooms of a house, and what takes them in a span of nights.
pub(super) struct RoomsOfHouse {
    /// The number of rooms by type.
    pub(super) rooms: BTreeMap<String, usize>,
    /// The room type of each item that a package sells.
    pub(super) types: BTreeMap<String, String>,
    pub(super) taken: Vec<TakenRooms>,
    /// Rows of reservations whose item is of no package, so of no type.
    pub(super) unknown: usize,
}

impl RoomsOfHouse {
    /// The rooms of a type that nothing takes in a night.
    pub(super) fn free(&self, kind: &str, night: Date) -> Decimal {
        let rooms = Decimal::from(self.rooms.get(kind).copied().unwrap_or_default());
        let of_type = self.taken.iter().filter(|it| it.room_type == kind);
        let taken: Decimal = of_type.filter(|it| it.has(night)).map(|it| it.rooms).sum();
        (rooms - taken).max(Decimal::ZERO)
    }
}

pub(super) async fn read(site: &ErpSite, from: Date, to: Date) -> Result<RoomsOfHouse, ErpError> {
    let (rooms, packages, reservations) = try_join!(
        all(site, "Hotel Room", &["name", "hotel_room_type"]),
        all(
            site,
            "Hotel Room Package",
            &["name", "hotel_room_type", "item"]
        ),
        reservations(site, from, to),
    )?;
    let mut house = RoomsOfHouse {
        rooms: BTreeMap::new(),
        types: packages
            .iter()
            .map(|it| {
                let pair = (text(it, "item"), text(it, "hotel_room_type"));
                (pair.0.to_owned(), pair.1.to_owned())
            })
            .collect(),
        taken: Vec::new(),
        unknown: 0,
    };
    for room in &rooms {
        let kind = text(room, "hotel_room_type").to_owned();
        *house.rooms.entry(kind).or_default() += 1;
    }
    let (reservations, rows) = reservations;
    let by_name = lists::by_name(&reservations);
    for row in &rows {
        let Some(reservation) = by_name.get(text(row, "parent")) else {
            continue;
        };
        let package = packages
            .iter()
            .find(|it| text(it, "item") == text(row, "item"));
        let days = day(reservation, "from_date").zip(day(reservation, "to_date"));
        match (package, days) {
            (Some(package), Some((from, to))) => house.taken.push(TakenRooms {
                room_type: text(package, "hotel_room_type").to_owned(),
                rooms: amount(row, "qty"),
                from,
                to,
                amount: amount(row, "amount"),
                currency: Some(text(row, "currency").to_owned()).filter(|it| !it.is_empty()),
            }),
            _ => house.unknown += 1,
        }
    }
    Ok(house)
}

async fn all(site: &ErpSite, doctype: &str, columns: &[&str]) -> Result<Vec<Document>, ErpError> {
    let meta = site.readable_type(doctype).await?;
    lists::documents(site, &meta, columns, Vec::new(), "name asc").await
}

async fn reservations(
    site: &ErpSite,
    from: Date,
    to: Date,
) -> Result<(Vec<Document>, Vec<Document>), ErpError> {
    let meta = site.readable_type("Hotel Room Reservation").await?;
    let filters = vec![
        json!(["docstatus", "=", 1]),
        json!(["from_date", "<=", to.to_string()]),
        json!(["to_date", ">=", from.to_string()]),
    ];
    let columns = ["name", "from_date", "to_date"];
    let found = lists::documents(site, &meta, &columns, filters, "name asc").await?;
    let columns = ["item", "qty", "amount", "currency"];
    let rows = lists::rows(site, &meta, "items", &columns, &[], &found).await?;
    Ok((found, rows))
}

/// The nights from the first to the last.
pub(super) fn nights(from: Date, to: Date) -> impl Iterator<Item = Date> {
    let days = from.series(jiff::Span::new().days(1));
    days.take_while(move |day| *day <= to)
}
