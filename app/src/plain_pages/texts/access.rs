//! The pages of access: passwords, passkeys, sessions, tokens, users.

pub(crate) const NEVER_USED: &str = "never used";

pub(crate) fn last_used(moment: &str) -> String {
    format!("last used {moment}")
}

/// A user's password.
pub(crate) mod password {
    pub(crate) const SAVED: &str = "The password was changed. All other sessions have ended.";

    pub(crate) const HEADING: &str = "Change your password";

    pub(crate) const LEAD: &str = "At least 12 characters; a few words work well. Changing it ends \
    all your other sessions.";

    pub(crate) const CURRENT: &str = "Current password";

    pub(crate) const NEW: &str = "New password";

    pub(crate) const REPEAT: &str = "Repeat new password";

    pub(crate) const REVOKE_TOKENS: &str = "Revoke my API tokens too";

    pub(crate) const SET: &str = "Set password";
}

/// A user's passkeys.
pub(crate) mod passkeys {
    pub(crate) const HEADING: &str = "Your passkeys";

    pub(crate) const LEAD: &str = "A passkey signs you in without a password. It stays on your \
    device, in your browser or on a security key, and works only at this address.";

    pub(crate) const SECOND_FACTOR: &str = "Second factor";

    pub(crate) const SECOND_FACTOR_ON: &str =
        "On: a password works only together with one of your passkeys.";

    pub(crate) const SECOND_FACTOR_OFF: &str = "Off: a password or a passkey alone signs you in.";

    pub(crate) const ALLOW_PASSWORD_ALONE: &str = "Allow sign-in with the password alone";

    pub(crate) const REQUIRE_PASSKEY: &str = "Require a passkey after the password";

    /// The command follows.
    pub(crate) const IF_YOU_LOSE_THEM: &str =
        "If you lose your passkeys, an admin can make you a sign-in link; on the server, ";

    /// Follows the command.
    pub(crate) const MAKES_ONE: &str = " makes one.";

    pub(crate) const ADD: &str = "Add a passkey";

    pub(crate) const EXAMPLE_OF_NAME: &str = "This laptop";

    /// The key of the configuration follows.
    pub(crate) const NEED_ADDRESS: &str =
        "Browsers support passkeys only at addresses with a host name and TLS. Set ";

    /// Follows the key of the configuration.
    pub(crate) const TO_ADDRESS: &str = " to the address people use to reach Jarvis.";

    pub(crate) fn added(moment: &str, used: &str) -> String {
        format!("added {moment} · {used}")
    }

    pub(crate) fn name_of(name: &str) -> String {
        format!("Name of {name}")
    }

    pub(crate) const RENAME: &str = "Rename";
}

/// A user's sessions.
pub(crate) mod sessions {
    pub(crate) const SAVED: &str = "The selected sessions have ended.";

    pub(crate) const BY_LINK: &str = "link";

    pub(crate) const BY_PASSWORD: &str = "password";

    pub(crate) const BY_PASSKEY: &str = "passkey";

    pub(crate) const BY_PASSWORD_AND_PASSKEY: &str = "password and passkey";

    pub(crate) const BY_PROXY: &str = "your reverse proxy";

    pub(crate) const ACTIVE: &str = "Active sessions";

    pub(crate) const LEAD: &str = "Anyone using one of these sessions can do what you can. End any \
    you don't recognise.";

    pub(crate) const UNKNOWN_BROWSER: &str = "Unknown browser";

    pub(crate) const UNKNOWN_ADDRESS: &str = "unknown address";

    pub(crate) fn program_on(program: &str, system: &str) -> String {
        format!("{program} on {system}")
    }

    pub(crate) fn started(address: &str, moment: &str, by: &str, seen: &str) -> String {
        format!("{address} · started {moment} by {by} · last used {seen}")
    }

    pub(crate) const THIS_ONE: &str = "This session";

    pub(crate) const END: &str = "End session";

    pub(crate) const END_OTHERS: &str = "End all others";
}

/// A user's API tokens.
pub(crate) mod tokens {
    pub(crate) const SAVED: &str = "The token no longer works.";

    pub(crate) const HEADING: &str = "Your tokens";

    pub(crate) const LEAD: &str = "With a token, a program acts in your name, limited by your role \
    and the token's. Conversations it starts have the token's toolsets and no others. ";

    /// For users who may act.
    pub(crate) const ROLES: &str = "To ask, to start conversations or to begin calls, a token \
    needs the role operator. With the role viewer it only reads.";

    pub(crate) const ROLE_OF_VIEWERS: &str = "It can ask and read, as you can.";

    pub(crate) const CREATE: &str = "Create a token";

    pub(crate) const TOOLSETS: &str = "Toolsets";

    pub(crate) const ALL_WITH_FUTURE: &str = "All, including future ones";

    pub(crate) const ONLY_THESE: &str = "Only these:";

    pub(crate) const DECISIONS: &str = "Decisions";

    pub(crate) const MAY_DECIDE: &str = "It may approve and deny requests that need one press; \
    those that need a held press, a typed word or a second person are decided only on the page.";

    pub(crate) const DAYS: &str = "Valid for, in days";

    pub(crate) const CREATE_BUTTON: &str = "Create token";

    pub(crate) const REVOKE: &str = "Revoke";

    pub(crate) const ALL_TOOLSETS: &str = "all toolsets";

    pub(crate) const DECIDES: &str = " · decides";

    pub(crate) const RETIRED: &str = "of an older kind that no longer works: create a new one";

    pub(crate) const EXPIRED: &str = "expired";

    pub(crate) fn valid_until(moment: &str) -> String {
        format!("valid until {moment}")
    }
}

/// Users, for admins.
pub(crate) mod users {
    pub(crate) const SAVED: &str = "Saved; in effect now.";

    pub(crate) const HEADING: &str = "All users";

    pub(crate) const LEAD: &str = "A viewer can read. An operator can also approve and deny RED \
    calls and turn the kill switch on. An admin can also manage users and lift the kill switch.";

    pub(crate) const ADD: &str = "Add a user";

    pub(crate) const ADD_BUTTON: &str = "Add";

    pub(crate) fn disabled_since(moment: &str) -> String {
        format!("disabled since {moment}")
    }

    pub(crate) fn last_seen(created: &str, seen: &str) -> String {
        format!("added {created} · last seen {seen}")
    }

    pub(crate) fn not_signed_in(created: &str) -> String {
        format!("added {created} · not signed in")
    }

    pub(crate) const ENABLE: &str = "Enable";

    pub(crate) const DISABLE: &str = "Disable";

    pub(crate) const LINK_TO_PROXY: &str = "Link to proxy";

    pub(crate) const UNLINK_FROM_PROXY: &str = "Unlink from proxy";

    pub(crate) const SET_ROLE: &str = "Set role";

    pub(crate) const NEW_LINK: &str = "New link";
}

/// A user's own keys of systems.
pub(crate) mod own_keys {
    pub(crate) const SAVED: &str = "Your keys were changed.";

    pub(crate) const NO_SYSTEMS: &str = "None of the connected systems takes a key per person.";

    pub(crate) const LEAD: &str = "With a key of your own, a system sees you instead of Jarvis's \
    account: your rights apply, and its history shows your name. The key is tested before it is \
    saved, stored encrypted, and never shown again.";

    pub(crate) const FIRST: &str =
        "Saving needs a sign-in within the last 15 minutes, and yours is older: ";

    pub(crate) const SIGN_IN_FIRST: &str = "sign in again";

    pub(crate) const FIRST_END: &str = " before you enter a key.";

    pub(crate) const NO_KEY: &str = "No key.";

    pub(crate) fn opens(account: &str) -> String {
        format!("Your key is for {account}.")
    }

    pub(crate) const TEST: &str = "Test";

    pub(crate) const SAVE: &str = "Test and save";

    pub(crate) const REPLACE: &str = "Test and replace";
}
