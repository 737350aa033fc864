//! Commands to the page, typed as a message.

use kit::browser;
use leptos::prelude::*;
use protocol::{COMMANDS, ConversationId, ErrorBody, ErrorCode};
use wasm_bindgen::JsCast;

use super::Assist;
use crate::{
    channel::Channel,
    chat::draft,
    dock::{Dock, Place},
    keys::Keys,
    layout::Layout,
    texts::assist as texts,
};

/// The commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slash {
    New,
    Plan,
    Stop,
    Search,
    Export,
    Help,
}

impl Slash {
    pub(super) const ALL: [Self; 6] = [
        Self::New,
        Self::Plan,
        Self::Stop,
        Self::Search,
        Self::Export,
        Self::Help,
    ];

    pub(super) fn word(self) -> &'static str {
        COMMANDS[self as usize]
    }

    pub(super) fn note(self) -> &'static str {
        match self {
            Self::New => texts::START_A_NEW_CONVERSATION,
            Self::Plan => texts::START_A_PLAN,
            Self::Stop => texts::STOP_THE_CURRENT_TURN,
            Self::Search => texts::SEARCH_CONVERSATIONS,
            Self::Export => texts::EXPORT_THIS_CONVERSATION,
            Self::Help => texts::SHOW_SHORTCUTS_AND_WHAT_YOU_CAN_ASK,
        }
    }

    /// Returns whether it makes sense here.
    pub(super) fn is_of_use(self, here: Option<ConversationId>, running: bool) -> bool {
        match self {
            Self::New | Self::Export => here.is_some(),
            Self::Stop => running,
            Self::Plan | Self::Search | Self::Help => true,
        }
    }

    /// Reads a text that is entirely a command, with its words.
    pub(super) fn of(text: &str) -> Option<(Self, &str)> {
        let text = text.trim_end();
        let (word, words) = match text.split_once(char::is_whitespace) {
            Some((word, words)) => (word, words.trim_start()),
            None => (text, ""),
        };
        let word = word.strip_prefix('/')?;
        let command = Self::ALL.into_iter().find(|it| it.word() == word)?;
        let fits = match command {
            Self::New | Self::Plan => true,
            Self::Search => !words.contains('\n'),
            Self::Export => matches!(words, "" | "md" | "json"),
            // Otherwise it is a message about stopping, or a question.
            Self::Stop | Self::Help => words.is_empty(),
        };
        fits.then_some((command, words))
    }
}

/// Everything that commands need.
#[derive(Clone, Copy)]
pub(super) struct SlashContext {
    assist: Assist,
    place: Place,
    dock: Dock,
    layout: Layout,
    keys: Keys,
    channel: Channel,
}

impl SlashContext {
    pub(super) fn new(assist: Assist) -> Self {
        Self {
            assist,
            place: Place::here(),
            dock: expect_context(),
            layout: expect_context(),
            keys: expect_context(),
            channel: expect_context(),
        }
    }

    /// Carries out a command. The field is already empty.
    pub(super) fn run(self, command: Slash, words: &str) {
        match command {
            Slash::New => self.begin(words),
            Slash::Plan => {
                self.dock.plan.set(true);
                self.begin(words);
            }
            Slash::Stop => match self.assist.running {
                Some(running) if running.running.get_untracked() => running.stop.run(()),
                _ => self.nothing(texts::NO_TURN_IS_RUNNING),
            },
            Slash::Search => self.search(words.to_owned()),
            Slash::Export => {
                let link = match words {
                    "json" => ".chat-menu a[href$='format=json']",
                    _ => ".chat-menu a[href$='format=md']",
                };
                if !browser::first(link, web_sys::HtmlElement::click) {
                    self.nothing(texts::THERES_NOTHING_TO_EXPORT_YET);
                }
            }
            Slash::Help => self.keys.show(),
        }
    }

    fn nothing(self, why: &str) {
        let error = ErrorBody::new(ErrorCode::Malformed, why);
        self.channel.toasts.error(error);
    }

    /// Begins a new conversation, with words in its field.
    fn begin(self, words: &str) {
        if self.assist.here.is_some() {
            if !words.is_empty() {
                draft::keep(draft::NEXT, words);
            }
            self.place.begin();
        } else if let Some(field) = self.assist.field.get_untracked() {
            field.set_value(words);
            self.assist.changed.run(());
        }
    }

    fn search(self, words: String) {
        self.layout.open(self.dock);
        let fill = move || {
            let found = document().get_element_by_id("search");
            let Some(field) = found.and_then(|it| it.dyn_into::<web_sys::HtmlInputElement>().ok())
            else {
                return;
            };
            browser::report(field.focus());
            if !words.is_empty() {
                field.set_value(&words);
                let typed = web_sys::EventInit::new();
                typed.set_bubbles(true);
                let typed = web_sys::Event::new_with_event_init_dict("input", &typed);
                browser::report(typed.and_then(|typed| field.dispatch_event(&typed)));
            }
        };
        // After the style has made it visible and the list has taken the focus.
        request_animation_frame(move || request_animation_frame(fill));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_commands_are_commands() {
        for (text, expect) in [
            ("/new", Some((Slash::New, ""))),
            (
                "/new how is pve?\nand agent?",
                Some((Slash::New, "how is pve?\nand agent?")),
            ),
            ("/plan a move ", Some((Slash::Plan, "a move"))),
            ("/stop ", Some((Slash::Stop, ""))),
            ("/stop the VM 101", None),
            ("/search  disk full", Some((Slash::Search, "disk full"))),
            ("/export json", Some((Slash::Export, "json"))),
            ("/export everything", None),
            ("/help", Some((Slash::Help, ""))),
            ("/help me", None),
            ("/newer", None),
            ("/etc/hosts is wrong", None),
            ("new", None),
            ("/", None),
        ] {
            assert_eq!(Slash::of(text), expect, "{text}");
        }
    }

    #[test]
    fn every_command_has_its_word() {
        let words = Slash::ALL.map(Slash::word);
        assert_eq!(words, COMMANDS);
        assert_eq!(Slash::Help.word(), "help");
    }
}
