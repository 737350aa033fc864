//! The destination of a person who had to sign in first.

use std::time::Duration;

use crate::{auth::Auth, presented::Presented};

/// The lifetime of the cookie with the destination.
const LIFE: Duration = Duration::from_secs(15 * 60);
const LONGEST: usize = 512;

impl Auth {
    /// Returns the value of the `Set-Cookie` header that stores a path; none for a path that is no
    /// destination.
    pub fn remember(&self, path: &str) -> Option<String> {
        (path != "/" && is_way(path)).then(|| self.onward_cookie(path, LIFE))
    }

    /// Returns the destination after a sign-in.
    pub fn onward(&self, presented: &Presented<'_>) -> String {
        let path = presented
            .cookie(&self.onward_name())
            .filter(|path| is_way(path));
        path.unwrap_or("/").to_owned()
    }

    /// Returns the value of the `Set-Cookie` header that deletes the path, if one is stored.
    pub fn forget(&self, presented: &Presented<'_>) -> Option<String> {
        presented.cookie(&self.onward_name())?;
        Some(self.onward_cookie("", Duration::ZERO))
    }

    fn onward_name(&self) -> String {
        format!("{}-to", self.cookie)
    }

    fn onward_cookie(&self, path: &str, life: Duration) -> String {
        self.cookie_text(&self.onward_name(), path, "Lax", life)
    }
}

/// Returns whether a path is on this server: `//host` would be another one.
fn is_way(path: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/-_.~%:@".contains(&b);
    path.len() <= LONGEST
        && path.starts_with('/')
        && !path.starts_with("//")
        && path.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_server_are_ways() {
        for good in ["/", "/hud", "/shared/a-B_9", "/task/UPID%3Apve:1@pam"] {
            assert!(is_way(good), "{good}");
        }
        let long = format!("/{}", "a".repeat(LONGEST));
        for bad in [
            "",
            "hud",
            "//other.example",
            "/\\other.example",
            "https://other.example",
            "/a;b",
            "/a b",
            "/\u{e9}",
            "/?to=//other.example",
            &long,
        ] {
            assert!(!is_way(bad), "{bad}");
        }
    }
}
