//! The chart: candles, a price that moves, and what people and the assistant draw on them.
//!
//! A drawing is a record on the server. The page shows the records as they come with the board; what a
//! hand does to one becomes a call, and until that is answered the record is as it was.

mod candles;
mod desk;
mod draw_bar;
mod drawing;
mod edit;
mod entry;
mod forms;
mod glue;
mod head;
mod load;
mod menu;
mod panel;
mod perform;
mod place;
mod price;
mod table;
mod time;
mod turns;
mod view;

#[cfg(feature = "hydrate")]
pub(crate) use view::preload_chart;
pub(crate) use {
    place::{ChartAt, Timeframe, path_of_drawing},
    view::chart_view,
};

/// The board that is shown, and the stage: those of the toolset of this name.
pub(crate) const BOARD: &str = "markets";
