//! The frame around every page.

pub(crate) const SKIP_TO_THE_PAGE: &str = "Skip to the page";

pub(crate) const YOU_ARE_SIGNED_OUT: &str = "You're signed out.";
pub(crate) const SIGN_IN_IN_ANOTHER_TAB: &str =
    "Sign in again in another tab, then return to this one.";
pub(crate) const VERSIONS_DIFFER: &str = "This page and the server are different versions. Reload to continue; nothing will be \
    lost.";
pub(crate) const RELOAD: &str = "Reload";
pub(crate) const NO_NETWORK: &str =
    "No network. Anything you send waits here until the connection is back.";
pub(crate) const TRY_NOW: &str = "Try now";
pub(crate) const A_NEWER_VERSION_OF_JARVIS_IS_RUNNING: &str =
    "A newer version of Jarvis is running.";

pub(crate) const CONNECTING: &str = "Connecting";
pub(crate) const LIVE: &str = "Live";
pub(crate) const RECONNECTING: &str = "Reconnecting";
pub(crate) const OFFLINE: &str = "Offline";
pub(crate) const SIGNED_OUT: &str = "Signed out";
pub(crate) const OUTDATED_PAGE: &str = "Outdated page";

pub(crate) fn reconnecting_in_s(seconds: u64) -> String {
    format!("Reconnecting in {seconds} s")
}

pub(crate) const THE_PAGE_LOADED_WITHOUT_ITS_DATA: &str = "The page loaded without its data.";
pub(crate) const RELOAD_THE_PAGE: &str = "Reload the page.";

pub(crate) const JANUARY: &str = "January";
pub(crate) const FEBRUARY: &str = "February";
pub(crate) const MARCH: &str = "March";
pub(crate) const APRIL: &str = "April";
pub(crate) const MAY: &str = "May";
pub(crate) const JUNE: &str = "June";
pub(crate) const JULY: &str = "July";
pub(crate) const AUGUST: &str = "August";
pub(crate) const SEPTEMBER: &str = "September";
pub(crate) const OCTOBER: &str = "October";
pub(crate) const NOVEMBER: &str = "November";
pub(crate) const DECEMBER: &str = "December";
pub(crate) const PINNED: &str = "Pinned";
pub(crate) const TODAY: &str = "Today";
pub(crate) const YESTERDAY: &str = "Yesterday";
pub(crate) const PREVIOUS_7_DAYS: &str = "Previous 7 days";
pub(crate) const PREVIOUS_30_DAYS: &str = "Previous 30 days";

pub(crate) const CONVERSATIONS: &str = "Conversations";
pub(crate) const SHOW_OR_HIDE_THE_CONVERSATIONS: &str = "Show or hide the list of conversations";
pub(crate) const SEARCH_OR_RUN_A_COMMAND: &str = "Search or run a command";
pub(crate) const DASHBOARD: &str = "Dashboard";
pub(crate) const CHAT: &str = "Chat";
pub(crate) const FEED: &str = "Feed";

pub(crate) const KILL_SWITCH: &str = "Kill switch";
pub(crate) const ON_ACTIONS_BLOCKED: &str = "on, actions blocked";
pub(crate) const OFF: &str = "off";

/// Returns `Kill switch: off`.
pub(crate) fn kill_switch(state: &str) -> String {
    format!("{KILL_SWITCH}: {state}")
}

pub(crate) const LIFT_THE_KILL_SWITCH: &str = "Lift the kill switch?";
pub(crate) const LIFTING_MEANS: &str =
    "Actions can then run again: YELLOW ones without asking, RED ones once approved.";
pub(crate) const LIFT_IT: &str = "Lift it";
pub(crate) const BLOCK_ALL_ACTIONS: &str = "Block all actions?";
pub(crate) const TURNING_ON_MEANS: &str = "Only reading will run, in every conversation and for everyone, until someone lifts \
    this. Actions already running will finish.";
pub(crate) const TURN_THE_KILL_SWITCH_ON: &str = "Turn the kill switch on";
pub(crate) const CANCEL: &str = "Cancel";
pub(crate) const THE_KILL_SWITCH_IS_ON: &str = "The kill switch is on: actions are blocked.";
pub(crate) const LIFT: &str = "Lift…";

pub(crate) fn turned_on_by(by: &str) -> String {
    format!(" Turned on by {by}")
}

/// Returns `3 notices, 1 critical`.
pub(crate) fn notices(open: u32, grave: u32) -> String {
    let open = match open {
        1 => "1 notice".to_owned(),
        open => format!("{open} notices"),
    };
    match grave {
        0 => open,
        grave => format!("{open}, {grave} grave"),
    }
}

/// The words of a link to them.
pub(crate) fn notices_elsewhere(count: u32) -> String {
    match count {
        1 => "1 notice of another system".to_owned(),
        count => format!("{count} notices of other systems"),
    }
}

pub(crate) const NEW_CONVERSATION: &str = "New conversation";
pub(crate) const CLOSE_THE_LIST: &str = "Close the list";
pub(crate) const ARCHIVED: &str = "Archived";
pub(crate) const NO_CONVERSATIONS_YET: &str = "No conversations yet. They'll appear in this list.";
pub(crate) const SHOW_OLDER: &str = "Show older";

pub(crate) const CHOOSE: &str = "Choose";
pub(crate) const CHOOSE_SEVERAL: &str = "Choose conversations to archive or move";
pub(crate) const FOLDERS: &str = "Folders";

pub(crate) fn title_in_folder(title: &str, folder: &str) -> String {
    format!("{title} · in {folder}")
}
pub(crate) const UNTITLED: &str = "Untitled";
pub(crate) const A_TURN_IS_RUNNING: &str = "A turn is running";
pub(crate) const RUNNING: &str = "running";
pub(crate) const IMPORTED: &str = "imported";
pub(crate) const UNREAD: &str = "Unread";
pub(crate) const UNREAD_MARK: &str = "unread";
pub(crate) const RENAME_THIS_BRANCH_OF: &str = "Rename this branch of";
pub(crate) const DELETE_ALL_BRANCHES_OF: &str = "Delete all branches of";
pub(crate) const RENAME: &str = "Rename";
pub(crate) const DELETE: &str = "Delete";
pub(crate) const RESTORE: &str = "Restore";
pub(crate) const UNPIN: &str = "Unpin";
pub(crate) const PIN: &str = "Pin";
pub(crate) const ARCHIVE: &str = "Archive";
pub(crate) const TITLE: &str = "Title";
pub(crate) const SAVE: &str = "Save";
pub(crate) const SAVE_THE_TITLE: &str = "Save the title";
pub(crate) const KEEP_THE_OLD_TITLE: &str = "Keep the old title";

pub(crate) fn requests_need_your_decision(count: usize) -> String {
    match count {
        1 => "1 request needs your decision".to_owned(),
        count => format!("{count} requests need your decision"),
    }
}

pub(crate) const SEARCH_CONVERSATIONS: &str = "Search conversations";
pub(crate) const SEARCH: &str = "Search";

pub(crate) const REHEARSAL_MODEL: &str = "Rehearsal model";
pub(crate) const NO_API_KEY_IS_SET: &str =
    "No API key is set: answers come from the built-in stand-in, not from a real model.";
pub(crate) const SIMULATION: &str = "Simulation";

pub(crate) const THEME: &str = "Theme";

pub(crate) fn theme(label: &str) -> String {
    format!("Theme: {label}")
}

pub(crate) const DISMISS: &str = "Dismiss";

pub(crate) fn deleted(title: &str) -> String {
    format!("Deleted “{title}”.")
}

pub(crate) const UNDO: &str = "Undo";

pub(crate) const ACCOUNT_AND_SERVER: &str = "Account and server";
pub(crate) const SETTINGS: &str = "Settings";
pub(crate) const KEYBOARD_SHORTCUTS: &str = "Keyboard shortcuts";
pub(crate) const SIGN_OUT: &str = "Sign out";
pub(crate) const SYSTEMS: &str = "Systems";

pub(crate) fn simulated(system: &str) -> String {
    format!("{system} (simulated)")
}

pub(crate) const MODEL: &str = "Model";
pub(crate) const IDENTIFIER: &str = "Identifier";
pub(crate) const CONTEXT_WINDOW: &str = "Context window";
pub(crate) const VERSION: &str = "Version";

pub(crate) fn tokens(count: &str) -> String {
    format!("{count} tokens")
}

pub(crate) const WAITING_FOR_YOU: &str = "Waiting for you";
pub(crate) const NO_REQUESTS_NEED_YOUR_DECISION: &str =
    "None. Requests that need your decision appear here on every page.";
pub(crate) const CALL_OUTSIDE_A_CONVERSATION: &str = "Call outside a conversation";
pub(crate) const EXPIRED: &str = "expired";
pub(crate) const NOTIFICATIONS: &str = "Notifications in this browser";
pub(crate) const JARVIS_NEEDS_YOUR_DECISION: &str = "Jarvis needs your decision";

pub(crate) fn requests_waiting_for_you(count: usize) -> String {
    match count {
        0 => "No requests waiting for you".to_owned(),
        1 => "1 request waiting for you".to_owned(),
        count => format!("{count} requests waiting for you"),
    }
}

pub(crate) fn requested_by_needs_a_second_approver(asker: &str) -> String {
    format!("Requested by {asker}; needs a second approver")
}
