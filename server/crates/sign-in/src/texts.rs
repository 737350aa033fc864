//! Sentences for people of signing in, in one place, so that another language is another such module.

/// The refusal after a correct password or passkey, for users that the proxy shut out.
pub(crate) const SHUT_OUT: &str = "You haven't signed in through your reverse proxy in the last day. Sign in through it, or ask \
     an admin for a sign-in link.";

pub(crate) const CHALLENGE_EXPIRED: &str = "This took too long or was already done. Start over.";

pub(crate) const PASSKEY_DOES_NOT_SIGN_IN: &str = "This passkey doesn't sign you in here.";

pub(crate) const PASSKEY_MAY_BE_COPIED: &str = "This passkey may have been copied, so it can't sign you in. Sign in another way and remove \
     it.";

pub(crate) const NAME_OF_PASSKEY_OUT_OF_RANGE: &str = "A passkey's name has 1 to 64 characters.";

pub(crate) const ANSWER_DOES_NOT_MATCH: &str = "The browser's answer doesn't match. Start over.";

pub(crate) const TOO_MANY_PASSKEYS_OR_ADDED: &str =
    "You have too many passkeys, or this one is already added.";

pub(crate) const PASSKEYS_NEED_DIRECT_SIGN_IN: &str = "Your reverse proxy signed you in. To manage passkeys, sign in directly: an admin can give \
     you a link.";

pub(crate) const NEEDS_RECENT_SIGN_IN: &str =
    "This needs a recent sign-in: sign out, then sign in again.";

pub(crate) fn too_many_attempts(seconds: u64) -> String {
    format!("Too many attempts. Try again in {seconds} s.")
}

pub(crate) const CURRENT_PASSWORD_IS_INCORRECT: &str = "The current password is incorrect.";

pub(crate) const PASSWORD_COULD_NOT_BE_CHECKED: &str =
    "The password couldn't be checked. Try again in a moment.";

pub(crate) const NO_GROUP_MAY_SIGN_IN: &str = "None of your groups may sign in here.";

/// The refusal of users that the proxy names but that do not exist here.
pub(crate) const NO_ACCOUNT_HERE: &str =
    "The reverse proxy signed you in, but you have no account here. An admin can add you.";

pub(crate) const ACCOUNT_IS_NOT_LINKED: &str = "An account with this name exists but is not linked to the reverse proxy. An admin can link \
     it in Settings, Users; whoever runs the server can sign in with jarvis sign-in-link.";

pub(crate) const ONLY_ADMIN_WOULD_LOSE_ROLE: &str = "Your groups would change your role, but you are the only admin. Add another admin first, or \
     add yourself to an admin group.";

pub(crate) const NAME_IS_EMPTY: &str = "A name needs at least one character.";

pub(crate) const NAME_IS_TOO_LONG: &str = "A name can have at most 64 characters.";

pub(crate) const NAME_HAS_INVISIBLE_CHARACTERS: &str = "Names can't contain invisible characters.";

pub(crate) const PASSKEYS_NEED_A_HOST_NAME: &str =
    "Passkeys need an address with a host name: set server.public_url.";

pub(crate) fn password_is_too_short(least: usize) -> String {
    format!("A password needs at least {least} characters.")
}

pub(crate) fn password_is_too_long(most: usize) -> String {
    format!("A password can have at most {most} bytes.")
}

pub(crate) const PASSWORD_REPEATS_ONE_CHARACTER: &str = "Don't repeat a single character.";

pub(crate) fn too_short_without(known: &str) -> String {
    format!("The password is too short without {known:?}.")
}

pub(crate) const PROXY_SENT_INVALID_NAME: &str = "The reverse proxy sent an invalid user name.";

pub(crate) const PROXY_SENT_UNREADABLE_HEADER: &str =
    "The reverse proxy sent an unreadable header.";

pub(crate) const PROXY_SENT_HEADER_TWICE: &str = "The reverse proxy sent a header twice.";
