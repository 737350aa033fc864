//! The frame of the settings, and their smaller pages.

pub(crate) const DASHBOARD: &str = "Dashboard";

pub(crate) const SETTINGS: &str = "Settings";

pub(crate) const YOU: &str = "You";

pub(crate) const INSTALLATION: &str = "Installation";

pub(crate) const CHAT: &str = "Chat";

pub(crate) const FEED: &str = "Feed";

pub(crate) const STOPPED: &str = "Stopped";

pub(crate) const KILL_SWITCH_IS_ON: &str = "The kill switch is on: only reading runs.";

pub(crate) const LIFT_KILL_SWITCH: &str = "Lift the kill switch";

pub(crate) const STOP_ALL: &str = "Stop all";

pub(crate) const ONLY_READING_WILL_RUN: &str =
    "Only reading will run, in every conversation and for everyone, until someone lifts this.";

pub(crate) const TURN_KILL_SWITCH_ON: &str = "Turn the kill switch on";

pub(crate) const ROLE_CANNOT_SWITCH: &str = "Your role can't switch it.";

pub(crate) const ACCOUNT: &str = "Account";

pub(crate) const APPEARANCE: &str = "Appearance";

pub(crate) const ASSISTANT: &str = "Assistant";

pub(crate) const PASSKEYS: &str = "Passkeys";

pub(crate) const SESSIONS: &str = "Sessions";

pub(crate) const API_TOKENS: &str = "API tokens";

pub(crate) const PROMPTS: &str = "Prompts";

pub(crate) const IMPORT: &str = "Import";

pub(crate) const USERS: &str = "Users";

pub(crate) const MODEL: &str = "Model";

pub(crate) const PERSONA: &str = "Persona";

pub(crate) const POLICY: &str = "Policy";

pub(crate) const SYSTEMS: &str = "Systems";

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

    pub(crate) const THEME: &str = "Theme";

    /// Follows the name of a theme.
    pub(crate) const FOLLOWS_DEVICE: &str = " Follows your device.";

    pub(crate) const BACK: &str = "Back to the settings";
}

/// The import of a conversation.
pub(crate) mod import {
    pub(crate) const HEADING: &str = "Import a conversation";

    pub(crate) const LEAD: &str = "From a JSON file that Jarvis exported, up to 16 MiB. It becomes \
    one of your conversations, marked as imported and read-only: you can read, search and export \
    it. Nothing in it runs here: its turns, open requests and grants have no effect.";

    pub(crate) const FILE: &str = "File";

    pub(crate) const IMPORT: &str = "Import";
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

    pub(crate) const SIMULATED: &str = "Simulated: no real system is connected.";

    pub(crate) const SET: &str = "set";
}
