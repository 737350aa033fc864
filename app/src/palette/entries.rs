//! The entries of the palette, and which of them fit the words typed.

use kit::format::upright;
use protocol::{ConversationId, ConversationSummary, Name, Questions};

use crate::{
    names::{rank, rank_text},
    panel, reference,
    texts::palette as texts,
};

/// The most entries on view: to reach another, keep typing.
const MOST: usize = 12;

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PaletteEntry {
    pub(super) name: String,
    /// Its kind, such as `Page` or `VM 110`.
    pub(super) kind: String,
    pub(super) does: Does,
}

/// The effect of choosing an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Does {
    /// Goes to a page of this frame.
    Page(String),
    /// Loads another page.
    Load(&'static str),
    Chat(ConversationId),
    /// Starts a conversation with this question in its field.
    Ask(String),
    Search(String),
    NewConversation,
    Dock,
    Shortcuts,
}

fn entry(name: &str, kind: &str, does: Does) -> PaletteEntry {
    PaletteEntry {
        name: name.to_owned(),
        kind: kind.to_owned(),
        does,
    }
}

/// Places and actions that do not depend on what there is.
fn places() -> Vec<PaletteEntry> {
    let tabs = panel::present().map(|panel| {
        let tab = &panel.tab;
        entry(tab.name, texts::PAGE, Does::Page(tab.path.to_owned()))
    });
    let mut found = vec![
        entry(
            texts::NEW_CONVERSATION,
            texts::ACTION,
            Does::NewConversation,
        ),
        entry(texts::FEED, texts::PAGE, Does::Page("/feed".to_owned())),
    ];
    found.extend(tabs);
    found.extend([
        entry(texts::CHAT_BESIDE_THE_PAGE, texts::ACTION, Does::Dock),
        entry(texts::KEYBOARD_SHORTCUTS, texts::ACTION, Does::Shortcuts),
        entry(texts::SETTINGS, texts::SETTINGS, Does::Load("/settings")),
    ]);
    found
}

/// Pages of the settings, which are found by their names alone: they are many.
const YOUR_SETTINGS: [(&str, &str); 9] = [
    (texts::APPEARANCE, "/settings/look"),
    (texts::NOTIFICATIONS, "/settings/notifications"),
    (texts::ASSISTANT, "/settings/assistant"),
    (texts::PASSKEYS, "/settings/passkeys"),
    (texts::SESSIONS, "/settings/sessions"),
    (texts::API_TOKENS, "/settings/tokens"),
    (texts::YOUR_KEYS, "/settings/keys"),
    (texts::PROMPTS, "/settings/prompts"),
    (texts::DATA_IMPORT_AND_EXPORT, "/settings/import"),
];
const SETTINGS_OF_ADMINS: [(&str, &str); 6] = [
    (texts::USERS, "/settings/users"),
    (texts::MODEL, "/settings/model"),
    (texts::PERSONA, "/settings/persona"),
    (texts::POLICY, "/settings/policy"),
    (texts::SYSTEMS, "/settings/systems"),
    (texts::MCP_SERVERS, "/settings/mcp"),
];

fn settings(is_admin: bool) -> impl Iterator<Item = PaletteEntry> {
    let of_admins = SETTINGS_OF_ADMINS.iter().filter(move |_| is_admin);
    let pages = YOUR_SETTINGS.iter().chain(of_admins);
    pages.map(|(name, path)| entry(name, texts::SETTINGS, Does::Load(path)))
}

/// The things to search.
pub(super) struct Findable<'a> {
    pub(super) conversations: &'a [ConversationSummary],
    pub(super) names: &'a [Name],
    pub(super) questions: &'a [Questions],
    /// True if the person may open the settings of the installation.
    pub(super) is_admin: bool,
}

/// Returns the entries that fit, the best first. Without words: the places, then the newest
/// conversations.
pub(super) fn fitting(words: &str, of: &Findable<'_>) -> Vec<PaletteEntry> {
    let wanted = words.trim().to_lowercase();
    let conversations = of.conversations.iter().map(|line| PaletteEntry {
        name: upright(line.title.clone()),
        kind: texts::CONVERSATION.to_owned(),
        does: Does::Chat(line.id),
    });
    if wanted.is_empty() {
        let all = places().into_iter().chain(conversations);
        return all.take(MOST).collect();
    }
    let mut found: Vec<(u8, PaletteEntry)> = Vec::new();
    let mut offer = |entry: PaletteEntry, rank: Option<u8>| {
        let Some(rank) = rank else { return };
        // A thing may have many names; the first that fits is enough.
        if !found.iter().any(|(_, known)| known.does == entry.does) {
            found.push((rank, entry));
        }
    };
    let of_text = |entry: &PaletteEntry| rank_text(&entry.name.to_lowercase(), &wanted);
    for entry in places().into_iter().chain(settings(of.is_admin)) {
        let rank = of_text(&entry);
        offer(entry, rank);
    }
    for Name { name, of, note } in of.names {
        let Some(path) = reference::path_of(of) else {
            continue;
        };
        let entry = PaletteEntry {
            name: upright(name.clone()),
            kind: match &**note {
                "" => reference::label(of),
                note => upright(note.to_owned()),
            },
            does: Does::Page(path),
        };
        offer(entry, rank(&name.to_lowercase(), of, &wanted));
    }
    for entry in conversations {
        let rank = of_text(&entry);
        offer(entry, rank);
    }
    for questions in of.questions {
        for text in questions.suggested.iter().chain(&questions.more) {
            let entry = PaletteEntry {
                name: text.clone(),
                kind: texts::ASK.to_owned(),
                does: Does::Ask(text.clone()),
            };
            let rank = of_text(&entry);
            offer(entry, rank);
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    let mut entries: Vec<_> = found
        .into_iter()
        .map(|(_, entry)| entry)
        .take(MOST)
        .collect();
    let typed = words.trim().to_owned();
    entries.push(PaletteEntry {
        name: texts::ask(&typed),
        kind: texts::ASK.to_owned(),
        does: Does::Ask(typed.clone()),
    });
    entries.push(PaletteEntry {
        name: texts::search_conversations_for(&typed),
        kind: texts::SEARCH.to_owned(),
        does: Does::Search(typed),
    });
    entries
}

#[cfg(test)]
mod tests {
    use protocol::Reference;

    use super::*;
    use crate::domains::with_all;

    fn names(words: &str) -> Vec<String> {
        let name = |name: &str, kind: &str, id: &str| Name::new(name, Reference::new(kind, id));
        let things = [
            name("CT 200", "guest", "200"),
            name("nas", "storage", "pve/nas"),
            name("pihole", "guest", "200"),
            name("truenas", "guest", "110"),
        ];
        let questions = [Questions {
            toolset: "homelab".to_owned(),
            suggested: vec!["Is truenas healthy?".to_owned()],
            more: Vec::new(),
        }];
        let of = Findable {
            conversations: &[],
            names: &things,
            questions: &questions,
            is_admin: false,
        };
        let found = fitting(words, &of).into_iter();
        found
            .map(|entry| format!("{}: {}", entry.kind, entry.name))
            .collect()
    }

    #[test]
    fn a_panel_of_the_table_brings_its_page() {
        with_all(|| {
            for panel in panel::all() {
                let page = format!("Page: {}", panel.tab.name);
                assert!(names(panel.tab.name).contains(&page), "{page}");
            }
        });
    }

    #[test]
    fn the_best_fit_comes_first_and_what_was_typed_can_be_asked() {
        with_all(|| {
            assert_eq!(
                names("nas"),
                [
                    "Storage nas on pve: nas",
                    "Guest 110: truenas",
                    "Ask: Is truenas healthy?",
                    "Ask: Ask “nas”",
                    "Search: Search conversations for “nas”",
                ]
            );
            // By its number, once, under the name that was found.
            assert_eq!(names("200")[0], "Guest 200: CT 200");
            assert_eq!(names("pih")[0], "Guest 200: pihole");
            assert_eq!(names("set")[0], "Settings: Settings");
            assert_eq!(names("passk")[0], "Settings: Passkeys");
            let settings = |found: Vec<String>| {
                let of_settings = found.iter().filter(|name| name.starts_with("Settings"));
                of_settings.count()
            };
            assert_eq!(settings(names("  ")), 1);
            assert!(!names("users").iter().any(|name| name == "Settings: Users"));
            assert_eq!(names("  ")[0], "Action: New conversation");
            assert_eq!(names("<b>")[0], "Ask: Ask “<b>”");
        });
    }
}
