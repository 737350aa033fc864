//! Distribution: stock to come, and orders that wait to be delivered.

mod orders_to_deliver;
mod prepare_delivery;
mod prepare_reorder;
mod prepare_transfer;
mod stock_projected;

use std::sync::Arc;

use agent::ports::Tool;

use super::{PackSite, draft::DraftTool, reading::PackReadingTool};

pub(super) const PROMPT: &str = "\
The company keeps stock in warehouses and delivers it.
- orders_to_deliver gives stock to orders by their delivery day: say which orders can go out whole, which in \
part, and what is missing for the others.
- Stock that is there may be reserved for others, and stock to come may come late: stock_projected tells both apart.";

pub(super) fn all(site: &Arc<PackSite>) -> Vec<Arc<dyn Tool>> {
    let drafts: [Arc<dyn Tool>; 3] = [
        Arc::new(DraftTool::<prepare_delivery::PrepareDelivery>::new(site)),
        Arc::new(DraftTool::<prepare_transfer::PrepareTransfer>::new(site)),
        Arc::new(DraftTool::<prepare_reorder::PrepareReorder>::new(site)),
    ];
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(PackReadingTool::<stock_projected::StockProjected>::new(
            site,
        )),
        Arc::new(PackReadingTool::<orders_to_deliver::OrdersToDeliver>::new(
            site,
        )),
    ];
    tools.extend(drafts);
    tools
}
