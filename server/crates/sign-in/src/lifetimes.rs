//! Lifetimes of what grants access.

use std::time::Duration;

use protocol::Timestamp;

/// The idle timeout of a session.
pub(crate) const IDLE: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// The longest life of a session.
pub(crate) const ABSOLUTE: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// The age up to which a sign-in is fresh. Creating credentials and changing rules need a fresh one.
pub(crate) const FRESH: Duration = Duration::from_secs(15 * 60);
/// The time that open sessions of a proxied user last after the proxy last vouched for them.
pub(crate) const PROXY_WORD: Duration = Duration::from_secs(24 * 60 * 60);
/// The least interval between updates of a session's last use.
pub(crate) const SEEN_STEP: Duration = Duration::from_secs(5 * 60);
/// The lifetime of a sign-in link.
pub(crate) const LINK_LIFE: Duration = Duration::from_secs(60 * 60);

/// The age up to which a session that began with a link may set a password without the old one.
pub(crate) const RESET: Duration = Duration::from_secs(15 * 60);

pub(crate) fn earlier(now: Timestamp, by: Duration) -> Timestamp {
    Timestamp(
        now.0
            .saturating_sub(i64::try_from(by.as_millis()).unwrap_or(i64::MAX)),
    )
}

pub(crate) fn later(now: Timestamp, by: Duration) -> Timestamp {
    Timestamp(
        now.0
            .saturating_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX)),
    )
}
