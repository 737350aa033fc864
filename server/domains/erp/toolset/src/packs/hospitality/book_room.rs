//! Tool that drafts a reservation.

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::{ErrorBody, RiskReason, RiskWeight};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::rooms;
use crate::{
    dates,
    decimal::decimal_or_zero,
    error::ErpError,
    packs::{
        draft::{PackDocument, PackDraft, PackMaking, rows_of, text_of, value_of},
        figures::{digits, span, text},
        lists,
    },
    site::ErpSite,
    texts::packs as say,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BookRoomInput {
    /// Name of the guest.
    #[schemars(length(min = 1, max = 140))]
    guest: String,
    /// Room type, such as Double.
    #[schemars(length(min = 1, max = 140))]
    room_type: String,
    /// First night, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    from: String,
    /// Day of departure, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    to: String,
    /// Number of rooms; 1 if not given.
    #[schemars(range(min = 1, max = 20))]
    rooms: Option<u8>,
}

pub(crate) struct BookRoom;

#[async_trait]
impl PackDraft for BookRoom {
    const NAME: &'static str = "book_room";
    const DESCRIPTION: &'static str = "Makes a DRAFT reservation of rooms of a type. The ERP counts its \
        last day as a night, so the day before departure is sent. A person is asked before it is made.";
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Book a room of the room type Double for the guest Jonas Feld from 2026-11-28 to 2026-11-30.",
            r#"{"guest": "Jonas Feld", "room_type": "Double", "from": "2026-11-28", "to": "2026-11-30"}"#,
        ),
        ToolExample::worked(
            "Book 2 rooms of the type Bunk for the guest Radhaus from 2026-12-04 to 2026-12-05.",
            r#"{"guest": "Radhaus", "room_type": "Bunk", "from": "2026-12-04", "to": "2026-12-05", "rooms": 2}"#,
        ),
    ];
    const EDITABLE: &'static [&'static str] = &["/guest", "/from", "/to", "/rooms"];
    const DOCTYPE: &'static str = "Hotel Room Reservation";
    type Input = BookRoomInput;

    async fn input(site: &ErpSite, input: Self::Input) -> Result<PackMaking, ErrorBody> {
        let [from, to] = span(&input.from, &input.to)?;
        let last = to.yesterday().ok().filter(|last| *last >= from);
        let last = last.ok_or_else(|| ErpError::input(say::DEPARTURE_BEFORE_NIGHT))?;
        let meta = site.readable_type("Hotel Room Package").await?;
        let filters = vec![json!(["hotel_room_type", "=", input.room_type])];
        let columns = ["name", "item", "hotel_room_type"];
        let found = lists::documents(site, &meta, &columns, filters, "name asc").await?;
        let mut items: Vec<_> = found.iter().map(|it| text(it, "item")).collect();
        items.dedup();
        // Several packages have several prices: which one is no choice of ours.
        let [item] = items.as_slice() else {
            let names: Vec<_> = found.iter().map(|it| text(it, "name")).collect();
            let message = say::not_one_package(&input.room_type, &names.join(", "));
            return Err(ErpError::input(message).into());
        };
        let document = PackDocument {
            doctype: Self::DOCTYPE,
            fields: vec![
                ("guest_name", json!(input.guest)),
                ("from_date", json!(from.to_string())),
                ("to_date", json!(last.to_string())),
            ],
            tables: vec![(
                "items",
                vec![vec![
                    ("item", json!(item)),
                    ("qty", json!(input.rooms.unwrap_or(1))),
                ]],
            )],
        };
        Ok(document.into_making())
    }

    /// The ERP takes no reservation of more rooms than are free, not even as a draft.
    async fn demand_new(site: &ErpSite, making: &Value) -> Result<Vec<RiskReason>, ErrorBody> {
        let day = |field: &str| text_of(making, field).and_then(dates::day);
        let (Some(from), Some(last)) = (day("from_date"), day("to_date")) else {
            return Ok(Vec::new());
        };
        let house = match Box::pin(rooms::read(site, from, last)).await {
            Ok(house) => house,
            // What nobody could count is said, and left to the ERP.
            Err(error) => return Ok(vec![unknown(say::ROOMS_NOT_COUNTED, error.reason())]),
        };
        for row in rows_of(making, "items") {
            let item = text_of(row, "item");
            let wanted = value_of(row, "qty").map(decimal_or_zero);
            let Some(kind) = item.and_then(|it| house.types.get(it)) else {
                continue;
            };
            let wanted = wanted.unwrap_or_default();
            let mut nights = rooms::nights(from, last);
            if let Some(night) = nights.find(|night| house.free(kind, *night) < wanted) {
                let free = digits(house.free(kind, night));
                let wanted = digits(wanted);
                let message = say::too_few_rooms(kind, &night.to_string(), &free, &wanted);
                return Err(ErpError::input(message).into());
            }
        }
        let unclear = (house.unknown > 0).then(|| {
            let why = say::reservations_of_no_type(house.unknown);
            unknown(say::ROOMS_PARTLY_COUNTED, why)
        });
        Ok(unclear.into_iter().collect())
    }
}

fn unknown(sentence: &str, why: String) -> RiskReason {
    RiskReason::new("rooms_unknown", RiskWeight::Warning, sentence).meaning(why)
}
