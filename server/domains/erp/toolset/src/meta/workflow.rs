//! The active workflow of a type.

use std::collections::BTreeMap;

use serde_json::Value;

/// The active workflow of a type: a plain submit or cancel would go round it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WorkflowMeta {
    pub(crate) name: String,
    /// The field with a document's state.
    pub(crate) state_field: String,
    pub(crate) states: Vec<String>,
    /// The docstatus that a document has in each state.
    docstatus: BTreeMap<String, i64>,
    pub(crate) transitions: Vec<WorkflowTransition>,
}

/// A step from one state to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct WorkflowTransition {
    pub(crate) state: String,
    pub(crate) action: String,
    pub(crate) next_state: String,
    /// The role that may take it.
    pub(crate) role: String,
    /// False: not by the owner of the document.
    pub(crate) allows_self_approval: bool,
    /// True if the site also evaluates a condition, which only it can.
    pub(crate) has_condition: bool,
}

impl WorkflowMeta {
    /// The workflow among the documents that come with a type.
    pub(super) fn of(docs: &Value) -> Option<Self> {
        let docs = docs.as_array()?.iter();
        let mut workflows = docs.filter(|doc| doc["transitions"].is_array());
        let doc = workflows.find(|doc| doc["is_active"] != 0)?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let list = |name: &str| doc[name].as_array().into_iter().flatten();
        Some(Self {
            name: text(&doc["name"]),
            state_field: match doc["workflow_state_field"].as_str() {
                Some(field) if !field.is_empty() => field.to_owned(),
                _ => "workflow_state".to_owned(),
            },
            states: list("states").map(|it| text(&it["state"])).collect(),
            docstatus: list("states")
                .map(|it| (text(&it["state"]), whole(&it["doc_status"])))
                .collect(),
            transitions: list("transitions")
                .map(|it| WorkflowTransition {
                    state: text(&it["state"]),
                    action: text(&it["action"]),
                    next_state: text(&it["next_state"]),
                    role: text(&it["allowed"]),
                    allows_self_approval: it["allow_self_approval"] != 0,
                    has_condition: it["condition"]
                        .as_str()
                        .is_some_and(|it| !it.trim().is_empty()),
                })
                .collect(),
        })
    }

    /// The state in which the ERP starts a new document: the first that the workflow lists.
    pub(crate) fn first_state(&self) -> Option<&str> {
        self.states.first().map(String::as_str)
    }

    /// The docstatus that a document has in a state: 0 draft, 1 submitted, 2 cancelled.
    pub(crate) fn docstatus_of(&self, state: &str) -> i64 {
        self.docstatus.get(state).copied().unwrap_or_default()
    }

    /// True if a step leads to a state with this docstatus.
    pub(crate) fn leads_to(&self, docstatus: i64) -> bool {
        let mut steps = self.transitions.iter();
        steps.any(|it| self.docstatus_of(&it.next_state) == docstatus)
    }

    /// True if a step out of a state takes a document back.
    pub(crate) fn cancels(&self, state: &str, action: &str) -> bool {
        let mut steps = self.transitions.iter();
        steps.any(|it| {
            it.state == state && it.action == action && self.docstatus_of(&it.next_state) == 2
        })
    }

    /// The roles that a draft in a state waits for, because this user can take no step out of it: for lack
    /// of a role, or as the one who made it. Empty if the user can, or if nobody can. What is final waits for
    /// nobody: the steps out of it take it back.
    pub(crate) fn waits_for(&self, state: &str, roles: &[String], is_own: bool) -> Vec<&str> {
        let from = || self.transitions.iter().filter(move |it| it.state == state);
        let can = |it: &WorkflowTransition| {
            roles.contains(&it.role) && (it.allows_self_approval || !is_own)
        };
        if self.docstatus_of(state) != 0 || from().any(can) {
            return Vec::new();
        }
        let mut waits_for: Vec<&str> = Vec::new();
        for step in from() {
            if !waits_for.contains(&step.role.as_str()) {
                waits_for.push(&step.role);
            }
        }
        waits_for
    }

    /// The steps out of a state for somebody with these roles.
    pub(crate) fn steps<'a>(
        &'a self,
        state: &'a str,
        roles: &'a [String],
    ) -> impl Iterator<Item = &'a WorkflowTransition> {
        let from = self.transitions.iter().filter(move |it| it.state == state);
        from.filter(|it| roles.contains(&it.role))
    }
}

/// A whole number, also as a text: `doc_status` is a Select.
fn whole(value: &Value) -> i64 {
    let number = value.as_i64();
    number
        .or_else(|| value.as_str()?.trim().parse().ok())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_document_waits_for_others_where_its_user_can_take_no_step() {
        let step = |state: &str, action: &str, role: &str, own: u8| json!({"state": state, "action": action, "next_state": "x", "allowed": role, "allow_self_approval": own});
        let docs = json!([{
            "name": "Orders", "is_active": 1,
            "states": [{"state": "Approved", "doc_status": "1"}],
            "transitions": [
                step("Draft", "Request", "Clerk", 1),
                step("Pending", "Approve", "Boss", 0),
                step("Pending", "Approve", "Owner", 0),
                step("Pending", "Reject", "Owner", 1),
                step("Approved", "Cancel", "Owner", 1),
            ],
        }]);
        let workflow = WorkflowMeta::of(&docs).unwrap();
        for (state, role, is_own, expect) in [
            ("Draft", "Clerk", true, ""),
            ("Draft", "Boss", false, "Clerk"),
            ("Pending", "Clerk", true, "Boss, Owner"),
            ("Pending", "Boss", false, ""),
            // Who made it does not approve it.
            ("Pending", "Boss", true, "Boss, Owner"),
            ("Pending", "Owner", true, ""),
            ("Approved", "Boss", false, ""),
        ] {
            let waits_for = workflow.waits_for(state, &[role.to_owned()], is_own);
            assert_eq!(waits_for.join(", "), expect, "{state} {role} {is_own}");
        }
    }
}
