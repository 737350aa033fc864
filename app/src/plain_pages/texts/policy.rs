//! The page of the policy.

pub(crate) const SAVED: &str = "Saved; the policy is in effect for all new decisions.";

pub(crate) const LONELY: &str = "Only one user can approve. Calls that need two people can't run \
until another operator or admin is added.";

pub(crate) const RULES: &str = "Rules";

pub(crate) const LEAD: &str = "These rules make the built-in rules and the configuration file \
stricter, never weaker. They apply to every decision as soon as they are in effect; open requests \
are then asked again.";

pub(crate) const CHANGES: &str = "Changes";

pub(crate) const NEVER_CHANGED: &str = "The policy hasn't been changed here.";

pub(crate) const PREVIEW_RESTORING: &str = "Preview restoring this version";

pub(crate) const GREEN: &str = "Runs at once";

pub(crate) const YELLOW: &str = "Runs, and is recorded";

pub(crate) const RED: &str = "Asks first";

pub(crate) const BLACK: &str = "Never runs";

pub(crate) const UNKNOWN_TIER: &str = "unknown";

pub(crate) const PROPOSED_RULES: &str = "Proposed rules";

pub(crate) const RULES_IN_EFFECT: &str = "Rules in effect";

pub(crate) const PREVIEW: &str = "Preview";

pub(crate) const NOTHING_CHANGES_YET: &str = "Nothing changes until you have seen a preview.";

/// The rules of tools.
pub(crate) mod tools {
    pub(crate) const TOOLS: &str = "Tools";

    pub(crate) const NO_TOOLS: &str = "No domain is enabled, so there are no tools.";

    pub(crate) const LEAD: &str = "A tool can be made stricter than its built-in tier, never less \
    strict. A tool that needs two people always asks first.";

    pub(crate) const COLUMNS: [&str; 3] = ["Tool", "At least", "Two people"];

    pub(crate) fn count(tools: usize) -> String {
        match tools {
            1 => "1 tool".to_owned(),
            tools => format!("{tools} tools"),
        }
    }

    pub(crate) fn at_least(tool: &str) -> String {
        format!("{tool}: at least")
    }

    pub(crate) fn two_people(tool: &str) -> String {
        format!("{tool}: two people")
    }
}

/// Protected targets.
pub(crate) mod targets {
    pub(crate) const HEADING: &str = "Protected targets";

    pub(crate) fn protected(targets: &[String]) -> String {
        if targets.is_empty() {
            "The configuration protects no targets. On protected targets only GREEN tools run."
                .to_owned()
        } else {
            format!(
                "The configuration protects {}. On protected targets only GREEN tools run.",
                targets.join(", ")
            )
        }
    }

    pub(crate) const CONFIGURATION_LISTS_THEM: &str =
        "The configuration lists them; you can remove them here.";

    pub(crate) const CONFIGURATION_LISTS_NONE: &str = "The configuration lists none.";
}

/// Limits of grants.
pub(crate) mod grants {
    pub(crate) const GRANTS: &str = "Grants";

    pub(crate) const LEAD: &str = "With a grant, exactly the same call runs again without asking. \
    Changes also apply to existing grants.";

    pub(crate) fn allowed_by_file(calls: u32, minutes: u32) -> String {
        format!(
            "The configuration file allows at most {calls} calls and {minutes} minutes; the \
            stricter limit applies."
        )
    }

    pub(crate) const DISABLED_BY_FILE: &str = "The configuration file disables them.";

    pub(crate) const ALLOW: &str = "Allow grants";

    pub(crate) const MAXIMUM_CALLS: &str = "Maximum calls";

    pub(crate) const MAXIMUM_MINUTES: &str = "Maximum minutes";
}

/// Calls that need two people.
pub(crate) mod people {
    pub(crate) const HEADING: &str = "Two people";

    pub(crate) const LEAD: &str = "The person who made such a request can't approve it: another \
    operator or admin must. They see only the request, not the conversation. A token of the same \
    user counts as the same person. Grants never cover such calls. A call is irreversible if the \
    card says so or asks for a typed word, or if its outcome is unknown after a crash.";

    pub(crate) const LEGEND: &str = "Calls that need two people";

    pub(crate) const ONLY_MARKED: &str = "Only for tools marked above";

    pub(crate) const ALSO_IRREVERSIBLE: &str = "Also for irreversible calls";

    pub(crate) const EVERY_REQUEST: &str = "For every request";

    pub(crate) const FOR_IRREVERSIBLE: &str = "for irreversible calls";

    pub(crate) const FOR_EVERY_REQUEST: &str = "for every request";

    pub(crate) fn for_tools(tools: &[String]) -> String {
        format!("for {}", tools.join(", "))
    }

    pub(crate) fn required_by_file(what: &[String]) -> String {
        let what = what.join(" and ");
        format!("The configuration file requires two people {what}.")
    }
}

/// The decisions of proposed rules on recorded calls.
pub(crate) mod preview {
    pub(crate) const HEADING: &str = "Preview on past calls";

    pub(crate) const APPLY: &str = "Apply";

    pub(crate) const DISCARD: &str = "Discard";

    pub(crate) const NO_CALLS: &str = "No calls recorded yet, so there is nothing to compare.";

    pub(crate) fn of_newest(calls: usize, same: usize, differ: usize, unknown: usize) -> String {
        format!(
            "Of the newest {calls} recorded calls, {same} would be decided the same, {differ} \
            differently, and {unknown} are unknown."
        )
    }

    /// Follows the sentence about the newest calls.
    pub(crate) const OLDER_NOT_CHECKED: &str =
        " Older calls were not checked: the time limit was reached.";

    pub(crate) fn unknown(reason: &str) -> String {
        format!("Unknown: {reason}")
    }

    pub(crate) fn newest_of(shown: usize, total: usize) -> String {
        format!("Showing the newest {shown} of {total}.")
    }

    pub(crate) const DECIDED_DIFFERENTLY: &str = "Calls decided differently";

    pub(crate) const COLUMNS: [&str; 5] = ["Time", "Tool", "Target", "Decision", "New decision"];

    pub(crate) const TARGET_NOT_RECORDED: &str = "unknown: not recorded";
}
