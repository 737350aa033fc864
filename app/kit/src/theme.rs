//! The theme: dark, light, or the system's choice. Stored in a cookie, so that the first HTML
//! already has it.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::{browser, texts};

/// The name of the cookie.
const COOKIE: &str = "jarvis_theme";

/// The window's event after a change of the theme.
pub const CHANGED: &str = "jarvis-theme";

/// The theme of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    Dark,
    Light,
    #[default]
    System,
}

impl Theme {
    /// All themes, in the order of the form.
    pub const ALL: [Self; 3] = [Self::Dark, Self::Light, Self::System];

    /// Returns its name in the cookie and in the style sheet.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
            Self::System => "system",
        }
    }

    /// Returns its name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Dark => texts::DARK,
            Self::Light => texts::LIGHT,
            Self::System => texts::SYSTEM,
        }
    }

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// Returns the theme of a `Cookie` header.
    pub fn from_cookies(header: &str) -> Self {
        cookie_value(header, COOKIE)
            .and_then(Self::from_name)
            .unwrap_or_default()
    }

    /// Returns the theme that the page has now.
    pub fn of_page() -> Self {
        document()
            .document_element()
            .and_then(|html| html.get_attribute("data-theme"))
            .and_then(|name| Self::from_name(&name))
            .unwrap_or_default()
    }

    /// Applies this theme to the page, now and on later visits.
    pub fn choose(self) {
        if let Some(html) = document().document_element() {
            browser::report(html.set_attribute("data-theme", self.name()));
        }
        browser::announce(CHANGED);
        if let Some(document) = document().dyn_ref::<web_sys::HtmlDocument>() {
            browser::report(document.set_cookie(&self.cookie()));
        }
    }

    /// Returns the cookie that keeps it for a year. Scripts of the page write it too.
    fn cookie(self) -> String {
        lasting_cookie(COOKIE, self.name())
    }
}

/// Returns a cookie that keeps a choice for a year.
pub(crate) fn lasting_cookie(name: &str, value: &str) -> String {
    format!("{name}={value}; Path=/; Max-Age=31536000; SameSite=Lax")
}

/// Returns the value of a cookie in a `Cookie` header.
pub(crate) fn cookie_value<'a>(header: &'a str, cookie: &str) -> Option<&'a str> {
    header
        .split(';')
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, _)| *name == cookie)
        .map(|(_, value)| value)
}

/// Returns the name of the theme of a `Cookie` header.
#[cfg(feature = "ssr")]
pub fn theme_name(cookies: &str) -> &'static str {
    Theme::from_cookies(cookies).name()
}

/// Returns the cookie of a theme by its name; none if there is no such theme.
#[cfg(feature = "ssr")]
pub fn theme_cookie(name: &str) -> Option<String> {
    Theme::from_name(name).map(Theme::cookie)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_decides_and_dark_is_the_default() {
        for (header, theme) in [
            ("", Theme::System),
            ("session=abc", Theme::System),
            ("session=abc; jarvis_theme=light", Theme::Light),
            ("jarvis_theme=system;x=y", Theme::System),
            ("jarvis_theme=<script>", Theme::System),
        ] {
            assert_eq!(Theme::from_cookies(header), theme, "{header}");
        }
    }
}
