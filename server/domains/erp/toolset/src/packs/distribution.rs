//! Distribution: stock to come, and orders that wait to be delivered.

mod orders_to_deliver;
mod stock_projected;

use std::sync::Arc;

use agent::ports::Tool;

use super::PackSite;

pub(super) const PROMPT: &str = "\
The company keeps stock in warehouses and delivers it.
- orders_to_deliver gives stock to orders by their delivery day: say which orders can go out whole, which in \
part, and what is missing for the others.
- Stock that is there may be reserved for others, and stock to come may come late: stock_projected tells both apart.";

pub(super) fn all(site: &Arc<PackSite>) -> Vec<Arc<dyn Tool>> {
    let site = || Arc::clone(site);
    vec![
        Arc::new(stock_projected::StockProjected(site())),
        Arc::new(orders_to_deliver::OrdersToDeliver(site())),
    ]
}
