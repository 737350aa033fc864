//! The list of guests.

pub(crate) const GUESTS: &str = "Guests";

pub(crate) const NO_GUESTS: &str = "There are no guests.";

pub(crate) const NO_MATCHING_GUESTS: &str = "No matching guests.";

pub(crate) const NAME: &str = "Name";

pub(crate) const ID: &str = "ID";

pub(crate) const TYPE: &str = "Type";

pub(crate) const NODE: &str = "Node";

pub(crate) const LAST_BACKUP: &str = "Last backup";

pub(crate) const TAGS: &str = "Tags";

pub(crate) const ACTIONS: &str = "Actions";

/// A template is no guest that could run, here as in every other count.
pub(crate) fn counted(total: usize, templates: usize, shown: usize) -> String {
    let guests = total.saturating_sub(templates);
    let templates = match templates {
        0 => String::new(),
        1 => " and 1 template".to_owned(),
        count => format!(" and {count} templates"),
    };
    if shown == total {
        format!("{guests} guests{templates}")
    } else {
        format!("{shown} shown of {guests} guests{templates}")
    }
}

pub(crate) fn in_group(guests: usize, running: usize) -> String {
    let noun = if guests == 1 { "guest" } else { "guests" };
    format!("{guests} {noun}, {running} running")
}

pub(crate) const STATE: &str = "State";

pub(crate) const ALL: &str = "All";

pub(crate) const RUNNING: &str = "Running";

pub(crate) const NOT_RUNNING: &str = "Not running";

pub(crate) const NO_RECENT_BACKUP: &str = "No recent backup";

pub(crate) const FIND_BY: &str = "Find guests by name, number, node, type or tag";

pub(crate) const FIND: &str = "Find";

pub(crate) const GROUP_BY: &str = "Group by";

pub(crate) const BY_NOTHING: &str = "none";

pub(crate) const BY_NODE: &str = "node";

pub(crate) const BY_STATE: &str = "state";

pub(crate) const BY_TYPE: &str = "type";

pub(crate) const BY_TAG: &str = "tag";

pub(crate) const WITHOUT_TAG: &str = "without a tag";

pub(crate) const VIEW: &str = "View";

pub(crate) const TABLE: &str = "Table";

pub(crate) const TILES: &str = "Tiles";

pub(crate) const WITHOUT_NAME: &str = "without a name";

pub(crate) fn locked(lock: &str) -> String {
    format!("locked: {lock}")
}

/// The rate follows.
pub(crate) const RECEIVES: &str = "receives ";

/// The rate follows.
pub(crate) const SENDS: &str = ", sends ";

pub(crate) fn use_unknown(reason: &str) -> String {
    format!("Use unknown: {reason}")
}

pub(crate) fn unknown_was(state: &str) -> String {
    format!("unknown, was {state}")
}
