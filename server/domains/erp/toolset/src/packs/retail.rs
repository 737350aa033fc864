//! Retail: prices, and the days of tills.

mod pos_day;
mod prepare_pos_closing;
mod price_check;
mod set_item_price;
mod till;

use std::sync::Arc;

use agent::ports::Tool;

use super::{PackSite, draft::DraftTool, reading::PackReadingTool};

pub(super) const PROMPT: &str = "\
The company sells over the counter.
- price_check gives the price of a list and the rules that may change it; what a document takes in the end the ERP \
decides when it is saved. Say which list and which rule.
- A till's sales are in the books once its day is closed: pos_day tells what was sold and paid until now.
- prepare_pos_closing needs what somebody counted in each mode of payment. Ask for it: an expected amount is no \
count, and a difference is reported and never explained away.";

pub(super) fn all(site: &Arc<PackSite>) -> Vec<Arc<dyn Tool>> {
    let drafts: [Arc<dyn Tool>; 2] = [
        Arc::new(DraftTool::<prepare_pos_closing::PreparePosClosing>::new(
            site,
        )),
        Arc::new(DraftTool::<set_item_price::SetItemPrice>::new(site)),
    ];
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(PackReadingTool::<price_check::PriceCheck>::new(site)),
        Arc::new(PackReadingTool::<pos_day::PosDay>::new(site)),
    ];
    tools.extend(drafts);
    tools
}
