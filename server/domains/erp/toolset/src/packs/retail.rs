//! Retail: prices, and the days of tills.

mod pos_day;
mod price_check;
mod set_item_price;

use std::sync::Arc;

use agent::ports::Tool;

use super::{PackSite, draft::DraftTool};

pub(super) const PROMPT: &str = "\
The company sells over the counter.
- price_check gives the price of a list and the rules that may change it; what a document takes in the end the ERP \
decides when it is saved. Say which list and which rule.
- A till's sales are in the books once its day is closed: pos_day tells what was sold and paid until now.";

pub(super) fn all(site: &Arc<PackSite>) -> Vec<Arc<dyn Tool>> {
    let drafts: [Arc<dyn Tool>; 1] = [Arc::new(DraftTool::<set_item_price::SetItemPrice>::new(
        site,
    ))];
    let site = || Arc::clone(site);
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(price_check::PriceCheck(site())),
        Arc::new(pos_day::PosDay(site())),
    ];
    tools.extend(drafts);
    tools
}
