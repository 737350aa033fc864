//! Sentences of the homelab for people: the backups and what is not known of them.

pub(crate) fn backups_unknown(reason: &str) -> String {
    format!("backups unknown: {reason}")
}

pub(crate) fn newest_ago(at: &str) -> String {
    format!("newest {at} ago")
}

pub(crate) const NEWEST_BACKUPS_COME_FIRST: &str = "the newest backups come first";

pub(crate) fn and_more(more: usize) -> String {
    format!(" and {more} more")
}

pub(crate) fn no_such_guest_and_no_backup(vmid: i64, list: &str, more: &str) -> String {
    format!("There is no guest {vmid} and no backup of one. The guests are: {list}{more}.")
}

pub(crate) const NO_SUCH_GUEST_NOW: &str = "no such guest now, or not visible";

pub(crate) const ASKED_FOR_ONE_STORAGE: &str = "asked for one storage; others may hold backups";

pub(crate) const ASKED_FOR_ONE_NODE: &str = "asked for one node; other nodes may hold backups";

pub(crate) const LIST_OF_BACKUPS_IS_INCOMPLETE: &str = "the list of backups is incomplete";

pub(crate) fn unreadable_backups_not_listed(reason: &str) -> String {
    format!("{reason}, so backups that only it can read are not listed")
}

pub(crate) fn storage_is_not_available_on_node(storage: &str, node: &str) -> String {
    format!("storage {storage} is not available on node {node}")
}

pub(crate) fn no_storage_with_backups_is_known(storage: &str) -> String {
    format!("No storage {storage:?} with backups is known.")
}

pub(crate) fn no_storage_has_backups_these_do(storage: &str, known: &str) -> String {
    format!("No storage {storage:?} has backups; these do: {known}.")
}

pub(crate) fn not_all_could_be_read(incomplete: &str) -> String {
    format!(" Not all could be read: {incomplete}.")
}

pub(crate) const GET_STORAGE_LISTS_STORAGES: &str =
    "get_storage lists the storages with what they hold.";

pub(crate) const RESOURCES_LIST_GUESTS: &str =
    "get_cluster_resources lists the guests with their names.";
