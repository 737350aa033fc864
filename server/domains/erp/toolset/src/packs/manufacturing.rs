//! Manufacturing: bills of materials, work orders, and what they lack.

mod bills;
mod bom_explode;
mod material_shortage;
mod orders;
mod plan_work_order;
mod record_production;
mod stop_work_order;
mod work_orders_due;

use std::sync::Arc;

use agent::ports::Tool;

use super::{PackSite, draft::DraftTool, reading::PackReadingTool};

pub(super) const PROMPT: &str = "\
The company makes goods. A work order takes materials by its bill of materials and brings goods.
- Ask material_shortage what open work orders lack, and work_orders_due what is late. Stock counts in the \
warehouse that a work order takes from; what other warehouses have must be moved first.
- A shortage is not a purchase: say which receipt is due, and what no receipt covers.
- stop_work_order stops a work order, resumes a stopped one, or closes it for good: read the order first, and \
close only what will never be finished.";

pub(super) fn all(site: &Arc<PackSite>) -> Vec<Arc<dyn Tool>> {
    let acting: [Arc<dyn Tool>; 3] = [
        Arc::new(DraftTool::<plan_work_order::PlanWorkOrder>::new(site)),
        Arc::new(DraftTool::<record_production::RecordProduction>::new(site)),
        Arc::new(stop_work_order::StopWorkOrder::new(site)),
    ];
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(PackReadingTool::<bom_explode::BomExplode>::new(site)),
        Arc::new(PackReadingTool::<material_shortage::MaterialShortage>::new(
            site,
        )),
        Arc::new(PackReadingTool::<work_orders_due::WorkOrdersDue>::new(site)),
    ];
    tools.extend(acting);
    tools
}
