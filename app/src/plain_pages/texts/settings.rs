//! The frame of the settings, and their smaller pages.

pub(crate) const DASHBOARD: &str = "Dashboard";

pub(crate) const SETTINGS: &str = "Settings";

pub(crate) const YOU: &str = "You";

pub(crate) const INSTALLATION: &str = "Installation";

pub(crate) const CHAT: &str = "Chat";

pub(crate) const FEED: &str = "Feed";

pub(crate) const STOPPED: &str = "Actions blocked";

pub(crate) const KILL_SWITCH_IS_ON: &str = "The kill switch is on: only reading runs.";

pub(crate) const LIFT_KILL_SWITCH: &str = "Lift the kill switch";

pub(crate) const KILL_SWITCH: &str = "Kill switch";

pub(crate) const BACK: &str = "Back to the chat";
pub(crate) const SEARCH: &str = "Search or run a command";
pub(crate) const ALL_SETTINGS: &str = "All settings";
pub(crate) const CLOSE_LIST: &str = "Close";

pub(crate) const ONLY_READING_WILL_RUN: &str =
    "Only reading will run, in every conversation and for everyone, until someone lifts this.";

pub(crate) const TURN_KILL_SWITCH_ON: &str = "Turn the kill switch on";

pub(crate) const ROLE_CANNOT_SWITCH: &str = "Your role can't switch it.";

pub(crate) const THEME: &str = "Theme";

pub(crate) const ACCOUNT: &str = "Account";

pub(crate) const APPEARANCE: &str = "Appearance";

pub(crate) const NOTIFICATIONS: &str = "Notifications";

pub(crate) const ASSISTANT: &str = "Assistant";

pub(crate) const PASSKEYS: &str = "Passkeys";

pub(crate) const SESSIONS: &str = "Sessions";

pub(crate) const API_TOKENS: &str = "API tokens";

pub(crate) const YOUR_KEYS: &str = "Your keys";

pub(crate) const PROMPTS: &str = "Prompts";

pub(crate) const DATA: &str = "Data";

pub(crate) const USERS: &str = "Users";

pub(crate) const MODEL: &str = "Model";

pub(crate) const PERSONA: &str = "Persona";

pub(crate) const POLICY: &str = "Policy";

pub(crate) const SYSTEMS: &str = "Systems";

pub(crate) const MCP_SERVERS: &str = "MCP servers";

pub(crate) const QR_CODE: &str = "QR code";

pub(crate) const QR_CODE_OF_LINK: &str = "QR code of the link";

/// The history of settings.
pub(crate) mod history {
    pub(crate) const CHANGES: &str = "Changes";

    pub(crate) fn version(number: u64) -> String {
        format!("Version {number}")
    }

    pub(crate) fn changed_by(moment: &str, name: &str) -> String {
        format!("{moment} · by {name}")
    }

    pub(crate) const IN_EFFECT: &str = "in effect";

    pub(crate) const CONFIGURATION_ONLY: &str = "Configuration only";

    pub(crate) const BEFORE_FIRST: &str = "before the first change";

    pub(crate) const SAME_AS_PREVIOUS: &str = "same as the previous version";

    pub(crate) const DEFAULT: &str = "default";

    pub(crate) const NONE: &str = "none";

    pub(crate) const YES: &str = "yes";

    pub(crate) const NO: &str = "no";
}

/// The appearance.
pub(crate) mod look {
    pub(crate) const SAVED: &str = "Saved in this browser.";

    pub(crate) const SYSTEM_FOLLOWS_DEVICE: &str = "System follows your device.";

    pub(crate) const DENSITY: &str = "Density";

    pub(crate) const ROWS_OF: &str = "Rows of 32 or 40 px in tables and lists.";

    pub(crate) const BACK: &str = "Back to the settings";

    /// The link to that page follows.
    pub(crate) const FORM_OF_ADDRESS: &str = "How Jarvis speaks and addresses you: ";
}

/// The notifications of a browser.
pub(crate) mod notifications {
    pub(crate) const HEADING: &str = "In this browser";

    pub(crate) const LEAD: &str = "While its tab is in the background, Jarvis can tell you that a \
    request waits for your decision.";

    pub(crate) const ARE_ON: &str = "On.";

    pub(crate) const ARE_OFF: &str = "Off.";

    pub(crate) const ARE_BLOCKED: &str =
        "Blocked: allow notifications for this address in the browser's settings first.";

    pub(crate) const ARE_IMPOSSIBLE: &str =
        "Not possible here: the browser has none, or this address has no HTTPS.";

    pub(crate) const NEED_JAVASCRIPT: &str = "Notifications need JavaScript.";

    pub(crate) const TURN_ON: &str = "Turn notifications on";

    pub(crate) const TURN_OFF: &str = "Turn notifications off";

    pub(crate) const ONLY_HERE: &str =
        "Each browser has its own switch. The requests themselves are in the header of every page.";
}

/// The data.
pub(crate) mod import {
    pub(crate) const HEADING: &str = "Import a conversation";

    pub(crate) const LEAD: &str = "From a JSON file that Jarvis exported, up to 16 MiB. It becomes \
    one of your conversations, marked as imported and read-only: you can read, search and export \
    it. Nothing in it runs here: its turns, open requests and grants have no effect.";

    pub(crate) const FILE: &str = "File";

    pub(crate) const IMPORT: &str = "Import";

    pub(crate) const EXPORT: &str = "Export";

    pub(crate) const WHERE_EXPORTS_ARE: &str = "A conversation's menu exports it as Markdown or \
    JSON. The feed is everything that happened and who did it, as far as you may see it; its page \
    exports a selection.";

    pub(crate) const FEED_AS_CSV: &str = "Feed as CSV";

    pub(crate) const FEED_AS_JSON_LINES: &str = "Feed as JSON Lines";
}

/// The persona of the assistant.
pub(crate) mod persona {
    pub(crate) const SAVED: &str = "Saved. New conversations will use it.";

    pub(crate) const ADDRESS_OF_INSTALLATION: &str =
        "Installation default; none with your own style";

    pub(crate) const MANNER_OF_INSTALLATION: &str = "Leave empty to use the installation's.";

    pub(crate) const ADDRESS_BUILT_IN: &str = "“sir” with the built-in style, none with another";

    pub(crate) const MANNER_BUILT_IN: &str = "Leave empty to use the built-in one, a British \
    butler. Each person can set their own.";

    pub(crate) const HEADING: &str = "Style and form of address";

    pub(crate) const LEAD: &str = "How Jarvis speaks in new conversations; existing ones keep \
    theirs. Accuracy and safety rules don't change.";

    pub(crate) const FORM_OF_ADDRESS: &str = "How to address you";

    pub(crate) const NO_ADDRESS: &str = "None";

    pub(crate) const CUSTOM_ADDRESS: &str = "Custom:";

    pub(crate) const CUSTOM_ADDRESS_FIELD: &str = "Custom form of address";

    pub(crate) const EXAMPLE_OF_ADDRESS: &str = "captain";

    pub(crate) const MANNER: &str = "Style";

    pub(crate) const EXAMPLE_OF_MANNER: &str = "You are brief and plain, without jokes.";
}

/// A user's prompts.
pub(crate) mod prompts {
    pub(crate) const SAVED: &str = "Your prompts were changed.";

    pub(crate) const HEADING: &str = "Your prompts";

    pub(crate) const LEAD: &str = "Saved messages. In the message field, type a slash and a name \
    to insert one. “Save as prompt” below the field saves the text there and replaces a prompt of \
    the same name.";

    pub(crate) fn delete(name: &str) -> String {
        format!("Delete /{name}")
    }

    pub(crate) fn text_of(name: &str) -> String {
        format!("Text of /{name}")
    }
}

/// The configuration of the systems.
pub(crate) mod systems {
    pub(crate) const NO_SYSTEMS: &str = "No domain is enabled, so there are no systems.";

    pub(crate) const LEAD: &str = "These settings come from the configuration file and the \
    environment. Change them there, then restart.";

    pub(crate) const SIMULATED: &str = "Simulated: no real system is connected. The simulation has settings of its own; what it protects \
         is listed in Policy.";

    pub(crate) const SET: &str = "set";
}

/// MCP servers and their tools.
pub(crate) mod mcp_servers {
    pub(crate) const NO_SERVERS: &str =
        "No MCP servers are configured. Add [mcp.NAME] to the configuration file, then restart.";

    pub(crate) const LEAD: &str = "Tools of other programs. A tool exists once the configuration lists it and its definition is \
         accepted here; a definition that changes disables it. Names, descriptions and schemas are the server's own words.";

    pub(crate) const SAVED: &str = "Saved; new conversations follow it.";

    pub(crate) const CONNECTING: &str = "Connecting";

    pub(crate) const SIGNING_IN: &str = "Signing in";

    pub(crate) const CONNECTED: &str = "Connected";

    pub(crate) const DEAD: &str = "Dead";

    pub(crate) const ACCEPTED: &str = "Accepted";

    pub(crate) const WAITING: &str = "Waiting to be accepted";

    pub(crate) const CHANGED: &str = "Changed";

    pub(crate) const DISABLED: &str = "Disabled";

    pub(crate) const NOT_LISTED: &str = "in the configuration, not offered by the server";

    pub(crate) const STANDARD_ERROR: &str = "Standard error";

    pub(crate) const DEFINITION: &str = "Definition";

    pub(crate) const ACCEPT: &str = "Accept";

    pub(crate) const REJECT: &str = "Reject";

    pub(crate) const ACKNOWLEDGE: &str = "Acknowledge";

    pub(crate) fn acknowledge(notice: &str) -> String {
        format!("Acknowledge: {notice}")
    }

    pub(crate) fn acknowledged_by(name: &str) -> String {
        format!("Acknowledged by {name}")
    }

    pub(crate) fn accept(tool: &str) -> String {
        format!("Accept {tool}")
    }

    pub(crate) fn reject(tool: &str) -> String {
        format!("Reject {tool}")
    }

    pub(crate) fn tier_and_state(tier: &str, state: &str) -> String {
        format!("{tier}, {state}")
    }

    pub(crate) fn digest(digest: &str) -> String {
        format!("SHA-256 {digest}")
    }

    pub(crate) fn changed(field: &str) -> String {
        format!("Changed: {field}")
    }

    pub(crate) fn before(text: &str) -> String {
        format!("Accepted: {text}")
    }

    pub(crate) fn after(text: &str) -> String {
        format!("Now: {text}")
    }
}

/// A test call of an MCP server's tool.
pub(crate) mod mcp_test {
    pub(crate) const TITLE: &str = "Test call";

    pub(crate) const LEAD: &str = "This runs the tool once, as an action of yours: its tier, the policy and the \
         kill switch apply, and it is on record. A RED tool asks first.";

    pub(crate) const NO_FIELDS: &str = "This tool has no input.";

    pub(crate) const AS_JSON: &str = "JSON";

    pub(crate) const NOT_SET: &str = "Not set";

    pub(crate) const RUN: &str = "Run";

    pub(crate) const BACK: &str = "All MCP servers";

    pub(crate) const ANOTHER: &str = "Another test call";

    pub(crate) const OPEN_THE_REQUEST: &str = "Open the request";

    pub(crate) const LOOK_AGAIN: &str = "Check again";

    pub(crate) const INPUT: &str = "Input";

    pub(crate) const RESULT: &str = "Result";

    pub(crate) fn of(tool: &str) -> String {
        format!("Test call of {tool}")
    }

    pub(crate) fn tier(tier: &str) -> String {
        format!("Tier: {tier}")
    }

    /// A field's name, with its form and whether it is required.
    pub(crate) fn label(name: &str, form: Option<&str>, is_required: bool) -> String {
        match (form, is_required) {
            (None, false) => name.to_owned(),
            (None, true) => format!("{name} (required)"),
            (Some(form), false) => format!("{name} ({form})"),
            (Some(form), true) => format!("{name} ({form}, required)"),
        }
    }
}
