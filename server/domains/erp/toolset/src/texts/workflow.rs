//! Texts about steps of the ERP's workflows.

/// The workflow of a type, and what this user can do by it now.
pub(super) fn steps(doctype: &str, workflow: &str, steps: &[String]) -> String {
    let offered = offered(steps);
    format!("{doctype} is governed by the workflow {workflow:?}, and {offered}.")
}

fn offered(steps: &[String]) -> String {
    if steps.is_empty() {
        return "the ERP offers this user no step now".to_owned();
    }
    let names: Vec<_> = steps.iter().map(|it| format!("{it:?}")).collect();
    format!("the ERP offers {}", names.join(", "))
}

pub(crate) fn has_no_workflow(doctype: &str) -> String {
    format!("{doctype} has no workflow; submit_doc makes a draft final.")
}

pub(crate) fn no_such_step(action: &str, state: &str, steps: &[String]) -> String {
    let offered = offered(steps);
    format!("There is no step {action:?} from {state:?}; {offered}.")
}

/// The way on for a step that this user cannot take.
fn taken_by(role: &str) -> String {
    format!(
        "{role:?} can take it in the ERP, or here with their own key of the ERP (Settings, Your keys)."
    )
}

/// `role`: one that may take it.
pub(crate) fn self_approval(action: &str, role: &str, user: &str) -> String {
    let next = taken_by(role);
    format!(
        "{user}, the ERP user of this key, made the document, and the workflow does not let its maker take \
         {action:?}. Somebody else with the role {next}"
    )
}

pub(crate) fn not_offered(
    action: &str,
    role: &str,
    has_condition: bool,
    steps: &[String],
) -> String {
    let condition = if has_condition {
        ", and under a condition"
    } else {
        ""
    };
    let (offered, next) = (offered(steps), taken_by(role));
    format!(
        "{action:?} is for the role {role:?}{condition}; {offered}. Somebody with the role {next}"
    )
}

/// Of a document that is yet to be made. `state`: the one in which it starts.
pub(crate) fn governs(workflow: &str, state: Option<&str>) -> String {
    match state {
        Some(state) => {
            format!("The ERP's workflow {workflow:?} governs it, and it starts as {state:?}.")
        }
        None => format!("The ERP's workflow {workflow:?} governs it."),
    }
}

pub(crate) const GOVERNS_DETAIL: &str =
    "It moves on by the steps of the workflow, each taken by those that the ERP lets take it.";

pub(crate) const STEP: &str = "Step";
pub(crate) const MAY_TAKE: &str = "Role that may take it";
pub(crate) const COMMENT: &str = "Comment";
pub(crate) const COMMENT_MENTIONS: &str =
    "The comment must not mention anybody: leave out \"@\", or use add_comment.";

pub(crate) fn from_to(from: &str, to: &str) -> String {
    format!("{from} → {to}")
}

pub(crate) const SUBMITS: &str = " and is submitted";
pub(crate) const CANCELS: &str = " and is cancelled";
pub(crate) const ONLY_STATE: &str = "";
pub(crate) const OWN_DOCUMENT: &str = "The ERP user of this key made the document";
pub(crate) const OWN_DOCUMENT_DETAIL: &str =
    "In the ERP this is approval by its own maker, which this step allows.";
pub(crate) const TASKS: &str = "Mail and further tasks";
pub(crate) const TASKS_DETAIL: &str =
    "The ERP may send mail and run the step's own tasks; which, it does not tell.";
/// Of a step that submits as well.
pub(crate) const TASKS_OF_SUBMIT_DETAIL: &str = "The ERP may send mail, run the step's own tasks, reserve stock or make further documents, as its settings \
     say; which, it does not tell.";
pub(crate) const STEPPING: &str = "the ERP takes the step";

pub(crate) fn apply(
    action: &str,
    target: &str,
    party: Option<&str>,
    total: Option<&str>,
    to: &str,
    effect: &str,
) -> String {
    let about = super::submit::about(party, total);
    format!("{action:?} {target}{about}: it becomes {to:?}{effect}.")
}

pub(crate) fn taken(doctype: &str, name: &str, state: &str) -> String {
    format!("{doctype} {name}: {state}")
}
