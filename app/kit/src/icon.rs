//! Line icons on a grid of 24.

use leptos::prelude::*;

/// The outline of an icon, as an SVG path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Icon(&'static str);

impl Icon {
    pub const ARCHIVE: Self = Self("M4 5h16v4H4zM5.5 9v10h13V9M10 13h4");
    pub const ARROW_DOWN: Self = Self("M12 5v14M6 13l6 6 6-6");
    /// A paper clip.
    pub const ATTACH: Self = Self(
        "M20 11l-8.5 8.5a5 5 0 01-7-7L13 4a3.3 3.3 0 014.7 4.7l-8.5 8.5a1.7 1.7 0 01-2.4-2.4l7.7-7.3",
    );
    pub const BACK: Self = Self("M19 12H5M11 6l-6 6 6 6");
    pub const BELL: Self = Self("M6 16V11a6 6 0 0112 0v5l2 2H4zM10 21h4");
    pub const BLOCKED: Self = Self("M12 3a9 9 0 100 18 9 9 0 000-18zM5.7 5.7l12.6 12.6");
    /// A speech bubble.
    pub const BUBBLE: Self = Self("M4 5h16v11H10l-4 4v-4H4z");
    pub const CHECK: Self = Self("M5 12.5l4.5 4.5L19 7.5");
    pub const CHEVRON: Self = Self("M9 6l6 6-6 6");
    /// A processor.
    pub const CHIP: Self =
        Self("M7 7h10v10H7zM10 3v4M14 3v4M10 17v4M14 17v4M3 10h4M3 14h4M17 10h4M17 14h4");
    pub const CLOCK: Self = Self("M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5l3.5 2");
    pub const CLOSE: Self = Self("M6 6l12 12M18 6L6 18");
    pub const COPY: Self = Self("M9 9h11v11H9zM15 9V4H4v11h5");
    /// A window with a column beside its content.
    pub const DOCK: Self = Self("M4 5h16v14H4zM14 5v14M16.5 9h1M16.5 12h1");
    pub const EDIT: Self = Self("M4 20l1-4L16.5 4.5l3 3L8 19zM14 7l3 3");
    pub const EYE: Self = Self(
        "M2.5 12C5 7.5 8 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.5 6.5-9.5 6.5S5 16.5 2.5 12zM12 9a3 3 0 100 6 3 3 0 000-6z",
    );
    /// A raised hand: a person is needed.
    pub const HAND: Self = Self(
        "M7 12V6.5a1.5 1.5 0 013 0V11m0-6.5a1.5 1.5 0 013 0V11m0-5a1.5 1.5 0 013 0V12m0-3.5a1.5 1.5 0 013 0V14a7 7 0 01-7 7c-3 0-4.5-1.5-6-4l-2.5-4.2a1.5 1.5 0 012.6-1.5L7 13.5",
    );
    pub const INFO: Self = Self("M12 3a9 9 0 100 18 9 9 0 000-18zM12 11v5M12 8v.5");
    pub const KEY: Self = Self("M8 4a4 4 0 100 8 4 4 0 000-8zM11 11l9 9M16 16l2.5-2.5");
    /// Two links of a chain.
    pub const LINK: Self = Self(
        "M10 14a4 4 0 005.6 0l3-3a4 4 0 00-5.6-5.6l-1 1M14 10a4 4 0 00-5.6 0l-3 3a4 4 0 005.6 5.6l1-1",
    );
    pub const LOCK: Self = Self("M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3");
    /// Three dots: a menu.
    pub const MORE: Self = Self("M5 12h.01M12 12h.01M19 12h.01");
    pub const MOON: Self = Self("M20 14.5A8 8 0 019.5 4 8 8 0 1020 14.5z");
    pub const NEW: Self = Self("M12 5v14M5 12h14");
    /// A stop sign.
    pub const OCTAGON: Self = Self("M8 3h8l5 5v8l-5 5H8l-5-5V8zM9.5 9.5h5v5h-5z");
    /// An arrow out of a frame.
    pub const OPEN: Self = Self("M14 5h5v5M19 5l-8 8M10 6H5v13h13v-5");
    pub const PIN: Self = Self("M9 4h6l-1 6 3.5 4h-11l3.5-4zM12 14v6");
    pub const QUESTION: Self =
        Self("M9 9a3 3 0 115 2.2c-1.2 1-2 1.6-2 2.8M12 17.5v.5M12 3a9 9 0 100 18 9 9 0 000-18z");
    /// Two servers, one above the other.
    pub const RACK: Self = Self("M4 4h16v6H4zM4 14h16v6H4zM7.5 7h.01M7.5 17h.01");
    pub const RETRY: Self = Self("M20 12a8 8 0 11-2.5-5.8M20 3v5h-5");
    pub const SCREEN: Self = Self("M3 5h18v11H3zM9 20h6M12 16v4");
    /// Four squares.
    pub const TILES: Self = Self("M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z");
    /// Lines of a table.
    pub const ROWS: Self = Self("M4 6h16M4 12h16M4 18h16");
    pub const SEARCH: Self = Self("M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L20 20");
    pub const SEND: Self = Self("M12 19V5M6 11l6-6 6 6");
    pub const SHIELD: Self = Self("M12 3l7.5 3v5.5c0 4.5-3 7.8-7.5 9.5-4.5-1.7-7.5-5-7.5-9.5V6z");
    pub const SIDEBAR: Self = Self("M4 5h16v14H4zM10 5v14");
    pub const STOP: Self = Self("M7 7h10v10H7z");
    pub const SUN: Self = Self(
        "M12 8a4 4 0 100 8 4 4 0 000-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5",
    );
    /// Arrows to both sides.
    pub const SWAP: Self = Self("M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4");
    pub const THOUGHT: Self =
        Self("M12 3l1.8 5.2L19 10l-5.2 1.8L12 17l-1.8-5.2L5 10l5.2-1.8zM18.5 16v4M16.5 18h4");
    pub const TRASH: Self = Self("M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5");
    /// An arrow back.
    pub const UNDO: Self = Self("M9 7L4 12l5 5M4 12h10a5 5 0 010 10h-3");
    pub const UNLOCK: Self = Self("M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 016.8-1.2");
    pub const USER: Self = Self("M12 4a4 4 0 100 8 4 4 0 000-8zM4 20c1-4 4-5.5 8-5.5s7 1.5 8 5.5");
    /// Two people.
    pub const USERS: Self = Self(
        "M9 5a3.5 3.5 0 100 7 3.5 3.5 0 000-7zM2.5 19c.8-3.5 3-5 6.5-5s5.7 1.5 6.5 5M16 5.5a3 3 0 010 6M18 14.5c2 .7 3 2.2 3.5 4.5",
    );
    pub const WARNING: Self = Self("M12 4L2.5 20h19zM12 10v4.5M12 17v.5");

    /// Makes an icon that a single page uses.
    pub const fn outline(path: &'static str) -> Self {
        Self(path)
    }
}

/// Draws an icon. Hidden from screen readers: the element beside or around it has a name.
pub fn icon(icon: Icon) -> AnyView {
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
            <path d=icon.0 />
        </svg>
    }
    .into_any()
}
