//! Signing in and out.

pub(crate) const BRAND: &str = "J.A.R.V.I.S.";

pub(crate) const SIGN_IN: &str = "Sign in";

pub(crate) const PASSWORD: &str = "Password";

/// The command follows.
pub(crate) const NO_PASSWORD: &str =
    "No password? An admin can make you a sign-in link. On the server, ";

/// Follows the command.
pub(crate) const MAKES_ONE_FOR_ADMIN: &str = " makes one for an admin.";

pub(crate) fn sign_in_as(name: &str) -> String {
    format!("Sign in as {name}")
}

pub(crate) fn signed_in_as(name: &str) -> String {
    format!("You are signed in as {name}. That session will end.")
}

pub(crate) const LINK_SIGNS_IN_ONCE: &str =
    "This link signs this browser in, once. If you didn't expect it, close this page.";

pub(crate) const LINK_NO_LONGER_WORKS: &str = "This link no longer works";

pub(crate) const WITH_PASSWORD: &str = "Sign in with a password";

pub(crate) const WHY_LINK_IS_DEAD: &str = "A sign-in link works once and for one hour. This one has \
expired, was used or is incomplete. Ask whoever gave it to you for a new one.";

pub(crate) const NO_DATABASE: &str = "Jarvis can't reach its database";

pub(crate) const TRY_IN_A_MOMENT: &str = "Try again in a moment. The server's log has the details.";

pub(crate) const NOW_YOUR_PASSKEY: &str = "Now your passkey";

pub(crate) const PASSWORD_IS_CORRECT: &str =
    "Your password is correct. You chose to require a passkey as well.";

/// A link follows.
pub(crate) const NO_PASSKEY: &str = "No passkey at hand? An admin can make you a sign-in link. ";

pub(crate) const START_OVER: &str = "Start over";

pub(crate) const WITH_PASSKEY: &str = "Sign in with a passkey";

pub(crate) const NOT_SIGNED_IN: &str = "Not signed in";

pub(crate) const ACCESS_DENIED: &str = "Access denied";

pub(crate) const SIGNED_OUT: &str = "Signed out";

pub(crate) const SIGNED_OUT_OF_JARVIS: &str = "Signed out of Jarvis";

pub(crate) const SESSION_HAS_ENDED: &str = "Your session here has ended. Your reverse proxy still \
recognises you, so the next page you open starts a new one.";

pub(crate) const SIGN_OUT_THERE: &str = "Sign out there too";

pub(crate) const SIGN_OUT_THERE_OR_CLOSE: &str = "Sign out there too, or close the browser.";

pub(crate) const ADMINS_ONLY: &str = "Admins only";

pub(crate) fn ask_an_admin(why: &str) -> String {
    format!("{why} Ask an admin, or sign in as one.")
}

pub(crate) const YOUR_SETTINGS: &str = "Your settings";

pub(crate) const SIGN_IN_AGAIN: &str = "Sign in again";

pub(crate) const NEEDS_FRESH: &str =
    "This change needs a sign-in within the last 15 minutes. Nothing was changed.";

pub(crate) const BY_NEW_LINK: &str = "You have no password and no passkey, so sign in with a new link, \
from an admin or from the server: ";

pub(crate) const MAKES_ONE: &str = " makes one. You then come back to this page.";

pub(crate) const SIGN_OUT: &str = "Sign out";

pub(crate) const PROXY_SIGNS_IN: &str =
    "Your reverse proxy signs you in: sign out, then open this page again.";

pub(crate) const PROXY_IS_NOT_ENOUGH: &str = "Signing in through your reverse proxy isn't enough.";
