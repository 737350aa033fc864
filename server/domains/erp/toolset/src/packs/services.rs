//! Services: hours, projects, and what of them is not billed.

mod billing;
mod hours;
mod log_time;
mod prepare_project_invoice;
mod project_status;
mod timesheet_gaps;
mod unbilled_time;

use std::sync::Arc;

use agent::ports::Tool;

use super::{PackSite, draft::DraftTool, reading::PackReadingTool};

pub(super) const PROMPT: &str = "\
The company sells hours of its people, on projects.
- Hours count once their timesheet is submitted; those of drafts are not among them: say so.
- An amount that is not billed is not a claim yet. What a project has cost and earned is in project_status, with \
the definition of each figure.
- prepare_project_invoice bills what is not billed. Ask which item bills the hours; the draft bills nothing until it \
is submitted.";

pub(super) fn all(site: &Arc<PackSite>) -> Vec<Arc<dyn Tool>> {
    let drafts: [Arc<dyn Tool>; 2] = [
        Arc::new(DraftTool::<log_time::LogTime>::new(site)),
        Arc::new(DraftTool::<prepare_project_invoice::PrepareProjectInvoice>::new(site)),
    ];
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(PackReadingTool::<unbilled_time::UnbilledTime>::new(site)),
        Arc::new(PackReadingTool::<project_status::ProjectStatus>::new(site)),
        Arc::new(PackReadingTool::<timesheet_gaps::TimesheetGaps>::new(site)),
    ];
    tools.extend(drafts);
    tools
}
