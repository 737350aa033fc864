//! Links to a conversation.

pub(crate) const LINK_CREATED: &str = "Link created.";
pub(crate) const LINK_REVOKED: &str = "Link revoked.";
pub(crate) const SHARE_THIS_CONVERSATION: &str = "Share this conversation";
pub(crate) const CLOSE: &str = "Close";
pub(crate) const WHO_CAN_READ: &str = "Anyone signed in here who has the link can read this conversation, including later \
    messages. They can't change anything.";
pub(crate) const EXPIRES: &str = "Expires";
pub(crate) const AFTER_7_DAYS: &str = "after 7 days";
pub(crate) const AFTER_30_DAYS: &str = "after 30 days";
pub(crate) const NEVER_UNTIL_REVOKED: &str = "never, until revoked";
pub(crate) const CREATE_LINK: &str = "Create link";
pub(crate) const LINKS_TO_THIS_CONVERSATION: &str = "Links to this conversation";
pub(crate) const NONE: &str = "None.";
pub(crate) const CREATED_JUST_NOW: &str = "Created just now";
pub(crate) const NEVER_EXPIRES: &str = "never expires";
pub(crate) const EXPIRED: &str = "expired";
pub(crate) const REVOKE_LINK: &str = "Revoke link";
pub(crate) const LINK_IS_SHOWN_ONCE: &str = "The link. Copy it now; it won't be shown again.";
pub(crate) const QR_CODE: &str = "QR code";
pub(crate) const QR_CODE_OF_THE_LINK: &str = "QR code of the link";
pub(crate) const COPY_THE_LINK: &str = "Copy the link";

pub(crate) fn created_ago(age: &str) -> String {
    format!("Created {age} ago")
}

pub(crate) fn expires_in(now: &str) -> String {
    format!("expires in {now}")
}

pub(crate) const THIS_LINK_NO_LONGER_WORKS: &str = "This link no longer works";
pub(crate) const WHY_LINK_IS_DEAD: &str =
    "It has expired, was revoked or is incomplete. Ask whoever shared it for a new one.";
pub(crate) const SHARED_BY: &str = "Shared by ";
pub(crate) const AS_OF: &str = ", as of ";
pub(crate) const RELOAD: &str = "Reload";

pub(crate) fn only_the_owner_can_continue(name: &str) -> String {
    format!("You can read this conversation. Only {name} can continue it.")
}
