//! Settings of the dock on this device.

use kit::browser;
use leptos::prelude::*;

const KEY: &str = "jarvis.dock";
/// The least width, in pixels.
pub(super) const LEAST: i32 = 300;
const MOST: i32 = 900;
/// The least width left to the page, in pixels.
const PAGE: i32 = 320;

/// Side of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum DockSide {
    Left,
    #[default]
    Right,
}

impl DockSide {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DockSettings {
    pub(super) open: bool,
    pub(super) side: DockSide,
    /// Width in pixels, as the person chose it; see [`Self::shown_width`].
    pub(super) width: i32,
}

impl Default for DockSettings {
    fn default() -> Self {
        Self {
            open: false,
            side: DockSide::default(),
            width: 420,
        }
    }
}

impl DockSettings {
    /// Reads the stored form: `open right 420`.
    fn read(kept: &str) -> Option<Self> {
        let mut words = kept.split(' ');
        Some(Self {
            open: words.next()? == "open",
            side: match words.next()? {
                "left" => DockSide::Left,
                _ => DockSide::Right,
            },
            width: words.next()?.parse().ok()?,
        })
    }

    fn write(self) -> String {
        let open = if self.open { "open" } else { "closed" };
        format!("{open} {} {}", self.side.word(), self.width)
    }

    pub(super) fn recall() -> Self {
        let kept = browser::recall_here(KEY);
        kept.and_then(|kept| Self::read(&kept)).unwrap_or_default()
    }

    pub(super) fn keep(self) {
        browser::remember_here(KEY, &self.write());
    }

    /// Returns whether the width is the default.
    pub(super) fn is_usual_width(self) -> bool {
        self.width == Self::default().width
    }

    /// Returns the width that fits into a window.
    pub(super) fn shown_width(self, window: i32) -> i32 {
        self.width.clamp(LEAST, most(window))
    }

    /// Applies the width to the style sheet.
    pub(super) fn apply(self) {
        let width = format!("{}px", self.shown_width(window_width()));
        if let Some(html) = document().document_element() {
            browser::set_property(&html, "--dock", &width);
        }
    }
}

/// Returns the greatest width in a window.
pub(super) fn most(window: i32) -> i32 {
    (window - PAGE).clamp(LEAST, MOST)
}

pub(super) fn window_width() -> i32 {
    let html = document().document_element();
    html.map_or(0, |html| html.client_width())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_keeps_its_settings() {
        let settings = DockSettings {
            open: true,
            side: DockSide::Left,
            width: 512,
        };
        assert_eq!(DockSettings::read(&settings.write()), Some(settings));
        let default = DockSettings::default();
        assert_eq!(DockSettings::read(&default.write()), Some(default));
        for unreadable in ["", "open", "open right", "open right wide"] {
            assert_eq!(DockSettings::read(unreadable), None, "{unreadable}");
        }
    }

    #[test]
    fn the_page_keeps_its_room() {
        let settings = |width| DockSettings {
            width,
            ..DockSettings::default()
        };
        for (chosen, window, shown) in [
            (420, 1440, 420),
            (2000, 1440, 900),
            (900, 1024, 704),
            (1, 1440, 300),
            (420, 390, 300),
        ] {
            assert_eq!(
                settings(chosen).shown_width(window),
                shown,
                "{chosen} in {window}"
            );
        }
    }
}
