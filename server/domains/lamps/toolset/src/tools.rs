//! The tools: one reads, one acts.

pub(crate) mod get_lamps;
mod switch_lamp;

use std::sync::Arc;

use agent::ports::Tool;

use crate::house::House;

/// All tools, always in the same order.
pub(crate) fn all(house: &Arc<House>) -> Vec<Arc<dyn Tool>> {
    let house = || Arc::clone(house);
    vec![
        Arc::new(get_lamps::GetLamps(house())),
        Arc::new(switch_lamp::SwitchLamp(house())),
    ]
}
