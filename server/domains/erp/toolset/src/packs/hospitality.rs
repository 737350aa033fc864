//! Hospitality: rooms of the app for hotels, and how full they are.

mod book_room;
mod occupancy;
mod room_availability;
mod rooms;

use std::sync::Arc;

use agent::ports::Tool;

use super::{PackSite, draft::DraftTool, reading::PackReadingTool};

pub(super) const PROMPT: &str = "\
The company lets rooms.
- Only submitted reservations take rooms. The ERP counts the night of a reservation's last day as taken: \
room_availability counts as the ERP does, so say so when somebody asks for the day of departure.
- Rates come from the ERP's pricing; never compute one.";

pub(super) fn all(site: &Arc<PackSite>) -> Vec<Arc<dyn Tool>> {
    let drafts: [Arc<dyn Tool>; 1] = [Arc::new(DraftTool::<book_room::BookRoom>::new(site))];
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(PackReadingTool::<room_availability::RoomAvailability>::new(
            site,
        )),
        Arc::new(PackReadingTool::<occupancy::Occupancy>::new(site)),
    ];
    tools.extend(drafts);
    tools
}
