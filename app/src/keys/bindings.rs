//! Key bindings: the defaults, and a person's changes.

use super::chord;
use crate::panel::{self, PanelTab};

/// The action of a shortcut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyAct {
    Map,
    New,
    /// Opens the palette.
    Palette,
    Search,
    Dock,
    Chat,
    Feed,
    /// Opens a panel.
    Panel(&'static PanelTab),
    Compose,
    Stop,
    Next,
    Previous,
    Sidebar,
    /// Shows a board alone, for a screen on a wall.
    Wall,
    Settings,
}

impl KeyAct {
    /// Iterates in the order of the list.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let tabs = panel::present().map(|panel| &panel.tab);
        let panels = tabs.filter(|tab| tab.keys.is_some()).map(Self::Panel);
        [
            Self::Map,
            Self::Palette,
            Self::New,
            Self::Search,
            Self::Compose,
            Self::Stop,
            Self::Next,
            Self::Previous,
            Self::Chat,
        ]
        .into_iter()
        .chain(panels)
        .chain([
            Self::Feed,
            Self::Dock,
            Self::Sidebar,
            Self::Wall,
            Self::Settings,
        ])
    }

    /// Returns the word under which it is stored, and its default keys.
    fn word_and_keys(self) -> (&'static str, &'static str) {
        match self {
            Self::Map => ("map", "?"),
            Self::New => ("new", "N"),
            Self::Palette => ("palette", "Mod+K"),
            Self::Search => ("search", "Mod+/"),
            Self::Dock => ("dock", "Mod+I"),
            Self::Chat => ("chat", "C"),
            Self::Feed => ("feed", "F"),
            Self::Panel(tab) => tab.keys.unwrap_or_default(),
            Self::Compose => ("compose", "M"),
            Self::Stop => ("stop", "Escape"),
            Self::Next => ("next", "J"),
            Self::Previous => ("previous", "K"),
            Self::Sidebar => ("sidebar", "B"),
            Self::Wall => ("wall", "W"),
            Self::Settings => ("settings", "Mod+,"),
        }
    }
}

/// The reason why keys cannot be given to a shortcut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BindingRefused {
    /// Another shortcut has them.
    Taken(KeyAct),
    /// The browser or the fields of a page need them.
    NotFree,
}

/// The bindings that differ from the defaults.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Bindings(Vec<(KeyAct, String)>);

impl Bindings {
    /// Reads the form of [`Self::write`]. Invalid bindings are dropped.
    pub(super) fn read(kept: &str) -> Self {
        let mut read = Self::default();
        for (word, keys) in kept.lines().filter_map(|line| line.split_once(' ')) {
            let named = |act: &KeyAct| act.word_and_keys().0 == word;
            if let Some(act) = KeyAct::all().find(named) {
                read.0.push((act, keys.to_owned()));
            }
        }
        // Two may have swapped their keys, so they are checked together.
        let all = read.clone();
        read.0.retain(|(act, keys)| all.check(*act, keys).is_ok());
        read
    }

    pub(super) fn write(&self) -> String {
        let lines = self.0.iter();
        lines
            .map(|(act, keys)| format!("{} {keys}\n", act.word_and_keys().0))
            .collect()
    }

    pub(super) fn of(&self, act: KeyAct) -> &str {
        let own = self.0.iter().find(|(known, _)| *known == act);
        own.map_or(act.word_and_keys().1, |(_, keys)| keys)
    }

    /// Gives a shortcut other keys.
    pub(super) fn bind(&mut self, act: KeyAct, keys: &str) -> Result<(), BindingRefused> {
        self.check(act, keys)?;
        self.0.retain(|(known, _)| *known != act);
        if keys != act.word_and_keys().1 {
            self.0.push((act, keys.to_owned()));
        }
        Ok(())
    }

    fn check(&self, act: KeyAct, keys: &str) -> Result<(), BindingRefused> {
        let is_taken = |other: &KeyAct| *other != act && self.of(*other) == keys;
        if let Some(other) = KeyAct::all().find(is_taken) {
            return Err(BindingRefused::Taken(other));
        }
        if chord::is_free(keys) || keys == act.word_and_keys().1 {
            Ok(())
        } else {
            Err(BindingRefused::NotFree)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_keys_do_two_things() {
        crate::domains::with_all(|| {
            let mut bindings = Bindings::default();
            assert_eq!(
                bindings.bind(KeyAct::New, "K"),
                Err(BindingRefused::Taken(KeyAct::Previous))
            );
            assert_eq!(
                bindings.bind(KeyAct::New, "Mod+W"),
                Err(BindingRefused::NotFree)
            );
            assert_eq!(
                bindings.bind(KeyAct::New, "Escape"),
                Err(BindingRefused::Taken(KeyAct::Stop))
            );
            assert_eq!(bindings, Bindings::default());
            assert_eq!(bindings.bind(KeyAct::Previous, "P"), Ok(()));
            assert_eq!(bindings.bind(KeyAct::New, "K"), Ok(()));
            assert_eq!(
                (bindings.of(KeyAct::New), bindings.of(KeyAct::Previous)),
                ("K", "P")
            );
            assert_eq!(Bindings::read(&bindings.write()), bindings);
            // Back to the defaults.
            assert_eq!(bindings.bind(KeyAct::New, "N"), Ok(()));
            assert_eq!(bindings.bind(KeyAct::Previous, "K"), Ok(()));
            assert_eq!(bindings, Bindings::default());
            for (n, act) in KeyAct::all().enumerate() {
                let mut others = KeyAct::all().skip(n + 1);
                assert!(others.all(|other| bindings.of(other) != bindings.of(act)));
            }
        });
    }

    #[test]
    fn what_a_device_keeps_cannot_break_it() {
        crate::domains::with_all(|| {
            for kept in [
                "",
                "new",
                "new K\n",
                "nothing X\n",
                "new Mod+W\n",
                "map Tab\n",
            ] {
                assert_eq!(Bindings::read(kept), Bindings::default(), "{kept:?}");
            }
            let hud = KeyAct::all().find(|act| act.word_and_keys().0 == "hud");
            let two = Bindings::read("new X\nfeed X\nhud Z\n");
            assert_eq!(
                (
                    two.of(KeyAct::New),
                    two.of(KeyAct::Feed),
                    two.of(hud.unwrap())
                ),
                ("N", "F", "Z")
            );
        });
    }
}
