//! The height of rows in tables and lists. Stored in a cookie like the theme; the server alone reads
//! it, and the style sheet follows the attribute of the page.

use crate::{
    texts,
    theme::{cookie_value, lasting_cookie},
};

/// The name of the cookie.
const COOKIE: &str = "jarvis_density";

/// The density of tables and lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Density {
    /// Rows of 32 px.
    #[default]
    Compact,
    /// Rows of 40 px.
    Comfortable,
}

impl Density {
    /// All densities, in the order of the form.
    pub const ALL: [Self; 2] = [Self::Compact, Self::Comfortable];

    /// Returns its name in the cookie and in the style sheet.
    pub fn name(self) -> &'static str {
        match self {
            Self::Compact => "compact",
            Self::Comfortable => "comfortable",
        }
    }

    /// Returns its name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Compact => texts::COMPACT,
            Self::Comfortable => texts::COMFORTABLE,
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|density| density.name() == name)
    }

    /// Returns the density of a `Cookie` header.
    pub fn from_cookies(header: &str) -> Self {
        cookie_value(header, COOKIE)
            .and_then(Self::from_name)
            .unwrap_or_default()
    }

    /// Returns the cookie that keeps it for a year.
    pub fn cookie(self) -> String {
        lasting_cookie(COOKIE, self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_decides_and_compact_is_the_default() {
        for (header, density) in [
            ("", Density::Compact),
            (
                "jarvis_theme=light; jarvis_density=comfortable",
                Density::Comfortable,
            ),
            ("jarvis_density=<script>", Density::Compact),
        ] {
            assert_eq!(Density::from_cookies(header), density, "{header}");
        }
    }
}
