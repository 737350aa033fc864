//! Tool that shows how full a house is, and what its rooms bring.

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
    decimal::{shared, times},
    packs::figures::{number, span},
    packs::reading::PackReading,
    site::ErpSite,
    texts::packs as say,
    tools::{LONG, amounts::CurrencySums, drop_empty, told, unknown},
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct OccupancyInput {
    /// First night, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    from: String,
    /// Last night, as YYYY-MM-DD.
    #[schemars(regex(pattern = r"^\d{4}-\d{2}-\d{2}$"))]
    to: String,
}

pub(crate) struct Occupancy;

#[async_trait]
impl PackReading for Occupancy {
    const NAME: &'static str = "occupancy";
    const DESCRIPTION: &'static str = "Shows the occupancy of a house over nights, its average rate for a \
        room sold, and its revenue for each room that there is.";
    const TIMEOUT: Duration = LONG;
    const EXAMPLES: &'static [ToolExample] = &[
        ToolExample::worked(
            "What is the occupancy of the rooms from 2026-11-23 to 2026-11-29?",
            r#"{"from": "2026-11-23", "to": "2026-11-29"}"#,
        ),
        ToolExample::worked(
            "How full is the house from 2026-11-24 to 2026-11-26, and what does a room bring?",
            r#"{"from": "2026-11-24", "to": "2026-11-26"}"#,
        ),
    ];
    type Input = OccupancyInput;

    async fn read(site: &ErpSite, input: OccupancyInput) -> Result<ToolOutput, ErrorBody> {
        Box::pin(show(site, &input)).await
    }
}

async fn show(site: &ErpSite, input: &OccupancyInput) -> Result<ToolOutput, ErrorBody> {
    let [from, to] = span(&input.from, &input.to)?;
    let house = Box::pin(rooms::read(site, from, to)).await?;
    let rooms: usize = house.rooms.values().sum();
    let nights: Vec<_> = rooms::nights(from, to).collect();
    let available = Decimal::from(rooms) * Decimal::from(nights.len());
    let (mut sold, mut revenue) = (Decimal::ZERO, CurrencySums::default());
    let mut by_night = Vec::new();
    for night in nights {
        let taken = house.taken.iter().filter(|it| it.has(night));
        let mut of_night = Decimal::ZERO;
        for it in taken {
            of_night += it.rooms;
            revenue.add(it.currency.as_deref(), shared(it.amount, it.nights()));
        }
        sold += of_night;
        by_night.push(json!({ "night": night.to_string(), "rooms": number(of_night) }));
    }
    let percent = if available.is_zero() {
        unknown(say::NO_ROOMS)
    } else {
        number(shared(times(sold, Decimal::ONE_HUNDRED), available).round_dp(2))
    };
    let share = |of: Decimal, reason: &str| {
        if of.is_zero() {
            unknown(reason)
        } else {
            let each = revenue.map(|sum| shared(sum, of).round_dp(2));
            each.shown(None).into()
        }
    };
    let note = (house.unknown > 0).then(|| unknown(say::reservations_of_no_type(house.unknown)));
    let mut data = json!({
        "from": from.to_string(),
        "to": to.to_string(),
        "rooms": rooms,
        "room_nights": number(available),
        "room_nights_sold": number(sold),
        "occupancy_percent": percent,
        "revenue": revenue.map(|sum| sum.round_dp(2)).shown(None),
        "average_rate": share(sold, say::NO_ROOM_SOLD),
        "revenue_per_room": share(available, say::NO_ROOMS),
        "nights": by_night,
        "not_counted": note,
        "definition": say::OCCUPANCY,
        "as_of": dates::utc(site.client.now()),
    });
    drop_empty(&mut data, "not_counted");
    told(say::occupancy(&data["occupancy_percent"]), data)
}
