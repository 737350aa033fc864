//! Tool that shows the rooms that are free.

use std::time::Duration;

use agent::ports::ToolExample;
use async_trait::async_trait;
use protocol::{ErrorBody, ToolOutput};
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::rooms;
use crate::{
    dates,
    error::ErpError,
    packs::figures::{number, span},
    packs::reading::PackReading,
    site::ErpSite,
    texts::packs as say,
    tools::{SHORT, drop_empty, told, unknown},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoomAvailabilityInput {
    /// First night, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    from: String,
    /// Day of departure, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    to: String,
    /// Only of this type.
    #[schemars(length(min = 1, max = 140))]
    room_type: Option<String>,
}

pub(crate) struct RoomAvailability;

#[async_trait]
impl PackReading for RoomAvailability {
    const NAME: &'static str = "room_availability";
    const DESCRIPTION: &'static str = "Shows the free rooms of a house by type and night.";
    const TIMEOUT: Duration = SHORT;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "Which rooms are free from 2026-11-24 to 2026-11-27?",
            r#"{"from": "2026-11-24", "to": "2026-11-27"}"#,
        ),
        ToolExample::worked(
            "Is a room of the room type Double free from 2026-11-25 to 2026-11-26?",
            r#"{"from": "2026-11-25", "to": "2026-11-26", "room_type": "Double"}"#,
        ),
    ];
    type Input = RoomAvailabilityInput;

    async fn read(site: &ErpSite, input: RoomAvailabilityInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(show(site, &input)).await
    }
}

async fn show(site: &ErpSite, input: &RoomAvailabilityInput) -> Result<ToolOutput, ErrorBody> {
    let [from, to] = span(&input.from, &input.to)?;
    let last = to.yesterday().ok().filter(|last| *last >= from);
    let last = last.ok_or_else(|| ErpError::input(say::DEPARTURE_BEFORE_NIGHT))?;
    let house = Box::pin(rooms::read(site, from, last)).await?;
    let wanted = input.room_type.as_deref();
    if let Some(wanted) = wanted
        && !house.rooms.contains_key(wanted)
    {
        return Err(ErpError::input(say::no_room_type(wanted)).into());
    }
    let types = house.rooms.iter();
    let types = types.filter(|(kind, _)| wanted.is_none_or(|it| it == kind.as_str()));
    let shown = types.map(|(kind, count)| {
        let mut least = Decimal::from(*count);
        let nights: Vec<_> = rooms::nights(from, last)
            .map(|night| {
                let free = house.free(kind, night);
                least = least.min(free);
                json!({ "night": night.to_string(), "free": number(free) })
            })
            .collect();
        json!({
            "room_type": kind,
            "rooms": count,
            "free_all_nights": number(least),
            "nights": nights,
        })
    });
    let shown: Vec<_> = shown.collect();
    let free: Vec<_> = shown
        .iter()
        .filter(|it| it["free_all_nights"] != 0)
        .filter_map(|it| it["room_type"].as_str())
        .collect();
    let note = (house.unknown > 0).then(|| unknown(say::reservations_of_no_type(house.unknown)));
    let mut data = json!({
        "from": from.to_string(),
        "to": to.to_string(),
        "room_types": shown,
        "not_counted": note,
        "definition": say::FREE_ROOMS,
        "as_of": dates::utc(site.client.now()),
    });
    drop_empty(&mut data, "not_counted");
    told(say::free_rooms(&free.join(", ")), data)
}
