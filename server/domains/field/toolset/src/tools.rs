//! The tools.

mod cancel_run;
mod check_script;
mod collect_diagnostics;
mod device_work;
mod get_device;
mod get_diagnostics;
mod get_run;
mod list_devices;
mod list_runs;
mod never;
mod people;
mod propose_script;
mod run_probe;
mod run_script;
mod site_reading;
mod waiting;

use std::sync::Arc;

use agent::ports::Tool;

use crate::parts::FieldParts;

/// All tools, in the order in which the model sees them; it sees none of the last ones, those of people.
pub(crate) fn all(parts: &Arc<FieldParts>) -> Vec<Arc<dyn Tool>> {
    let parts = || Arc::clone(parts);
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        site_reading::tool::<list_devices::ListDevices>(parts()),
        site_reading::tool::<get_device::GetDevice>(parts()),
        site_reading::tool::<get_diagnostics::GetDiagnostics>(parts()),
        Arc::new(collect_diagnostics::CollectDiagnostics(parts())),
        Arc::new(run_probe::RunProbe(parts())),
        Arc::new(propose_script::ProposeScript(parts())),
        site_reading::tool::<check_script::CheckScript>(parts()),
        Arc::new(run_script::RunScript(parts())),
        site_reading::tool::<get_run::GetRun>(parts()),
        site_reading::tool::<list_runs::ListRuns>(parts()),
        Arc::new(cancel_run::CancelRun(parts())),
        Arc::new(never::NeverTool::RebootDevice),
        Arc::new(never::NeverTool::ChangeNetwork),
    ];
    tools.extend(people::all(&parts()));
    tools
}
