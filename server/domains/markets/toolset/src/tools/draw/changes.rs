//! Schema of the changes of a drawing. They are merged into the record, which validates them.

use schemars::JsonSchema;

use super::fields::{Amount, Levels, Price, RiskInput};
use crate::{
    Side, Time, Timeframe,
    drawing::{Colour, Extent, Fill, Importance, Line, MarkerKind, MarkerSize},
};

/// The fields that change, and no others.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields, extend("minProperties" = 1))]
#[expect(dead_code, reason = "only its schema is of interest")]
pub(super) struct Changes {
    shape: Option<ShapeChange>,
    /// A few words at the drawing, such as "June low".
    #[schemars(length(min = 0, max = 80))]
    label: Option<String>,
    /// Further details, shown in the panel beside the chart.
    #[schemars(length(min = 0, max = 2000))]
    note: Option<String>,
    /// Words to find it by, such as ["support", "h1"].
    #[schemars(length(max = 10), inner(length(max = 30)))]
    tags: Option<Vec<String>>,
    /// Importance; medium if left out. Use high for what the decision depends on.
    importance: Option<Importance>,
    /// The timeframes that it is shown on; all if left out.
    #[schemars(length(max = 9), extend("uniqueItems" = true))]
    visible_on: Option<Vec<Timeframe>>,
    style: Option<StyleInput>,
    /// Only people lock and hide drawings.
    locked: Option<bool>,
    /// Only people lock and hide drawings.
    hidden: Option<bool>,
}

// The parts of a shape that change. A doc comment would be a part of the schema.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct ShapeChange {
    /// Kind of drawing. It cannot change: leave it out.
    kind: Option<Kind>,
    /// Of a position.
    side: Option<Side>,
    /// Of a horizontal line or ray. A price on the tick, in the digits of its symbol.
    price: Option<Price>,
    /// Of a horizontal ray or a position. In UTC, such as 2017-03-10T13:00:00Z, while the
    /// market is open.
    start: Option<Time>,
    /// The first anchor.
    from: Option<Part>,
    /// The second anchor.
    to: Option<Part>,
    /// segment ends at the points, ray goes on beyond the second, extended goes on both
    /// ways, arrow has a head at the second; Of a trendline.
    extent: Option<Extent>,
    /// Of a circle.
    centre: Option<Part>,
    /// Of a circle.
    edge: Option<Part>,
    levels: Option<Levels>,
    /// Of a rectangle.
    fill: Option<Fill>,
    /// Of a fibonacci.
    extend: Option<bool>,
    /// Of a fibonacci.
    reverse: Option<bool>,
    /// Of a fibonacci.
    show_prices: Option<bool>,
    /// Of a position. A price on the tick, in the digits of its symbol.
    entry: Option<Price>,
    /// Of a position. A price on the tick, in the digits of its symbol.
    stop: Option<Price>,
    /// Of a position. A price on the tick, in the digits of its symbol.
    target: Option<Price>,
    /// Of a position.
    account: Option<Amount>,
    /// Amount lost at the stop, as either percent or money.
    risk: Option<RiskInput>,
    /// Of a position.
    leverage: Option<Amount>,
    /// Of a position.
    lot: Option<Amount>,
    /// Of a position.
    lot_step: Option<Amount>,
    /// Of a marker.
    at: Option<Part>,
    /// Of a marker.
    #[schemars(length(min = 1, max = 200))]
    text: Option<String>,
    /// Of a marker.
    #[schemars(length(min = 0, max = 20))]
    icon: Option<String>,
    /// Of a marker: what is painted at the place.
    r#type: Option<MarkerKind>,
    /// Of a marker.
    size: Option<MarkerSize>,
}

/// An anchor of which a part may be left as it is.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct Part {
    /// Time in UTC, such as 2017-03-10T13:00:00Z, while the market is open.
    time: Option<Time>,
    /// Price on the tick, in the digits of its symbol.
    price: Option<Price>,
}

#[derive(JsonSchema)]
#[schemars(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is of interest")]
enum Kind {
    HorizontalLine,
    HorizontalRay,
    Trendline,
    Rectangle,
    Circle,
    Fibonacci,
    Position,
    Marker,
}

// A style of which a part may be left out.
#[derive(JsonSchema)]
#[schemars(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is of interest")]
pub(super) struct StyleInput {
    /// Green for support and longs, red for resistance and shorts, amber for warnings and
    /// events, violet for fibonacci, cyan for the rest, grey for what is past.
    colour: Option<Colour>,
    /// Solid for what was observed, dashed for what is projected.
    line: Option<Line>,
    /// In pixels; 0 for the usual one.
    #[schemars(range(min = 0, max = 4))]
    width: Option<u8>,
}
