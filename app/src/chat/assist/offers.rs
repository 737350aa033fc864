//! Completions of the word at the caret.

use kit::format::upright;
use protocol::{Name, Prompt, Reference};

use super::{
    slash::Slash,
    token::{MentionMark, MentionToken},
};
use crate::names::rank;

/// The most offers at once: to reach another, keep typing.
const MOST: usize = 8;
/// Length of a prompt's preview, in characters.
const SHOWN: usize = 80;

/// One line of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AssistOffer {
    pub(super) name: String,
    pub(super) note: String,
    pub(super) gives: Gives,
}

/// The effect of taking an offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Gives {
    Command(Slash),
    /// Inserts a prompt.
    Text(String),
    /// Inserts these words, which stand for a thing that goes along.
    Mention(Reference, String),
}

impl AssistOffer {
    /// The thing that it mentions.
    fn of(&self) -> Option<&Reference> {
        match &self.gives {
            Gives::Mention(of, _) => Some(of),
            Gives::Command(_) | Gives::Text(_) => None,
        }
    }
}

/// Returns commands first, then the person's prompts.
pub(super) fn after_slash(
    token: &MentionToken,
    of_use: impl Fn(Slash) -> bool,
    prompts: &[Prompt],
) -> Vec<AssistOffer> {
    let commands = Slash::ALL.into_iter().filter(|it| of_use(*it));
    let commands = commands.map(|it| AssistOffer {
        name: format!("/{}", it.word()),
        note: it.note().to_owned(),
        gives: Gives::Command(it),
    });
    let prompts = prompts.iter().map(|prompt| AssistOffer {
        name: format!("/{}", prompt.name),
        note: beginning(&prompt.text),
        gives: Gives::Text(prompt.text.clone()),
    });
    let word = token.word.to_lowercase();
    let fits = |offer: &AssistOffer| offer.name[1..].starts_with(&word);
    commands.chain(prompts).filter(fits).take(MOST).collect()
}

/// Returns the things that fit the word, the best first.
pub(super) fn after_at(token: &MentionToken, names: &[Name]) -> Vec<AssistOffer> {
    debug_assert_eq!(
        token.mark,
        MentionMark::At,
        "the other list is for commands"
    );
    let word = token.word.to_lowercase();
    let mut offers: Vec<(u8, AssistOffer)> = Vec::new();
    for Name { name, of, .. } in names {
        let Some(rank) = rank(&name.to_lowercase(), of, &word) else {
            continue;
        };
        // A thing may have many names: it is offered once, by the one that was given to it.
        let known = offers.iter_mut().find(|(_, offer)| offer.of() == Some(of));
        match known {
            Some((best, _)) => *best = rank.min(*best),
            None => offers.push((rank, thing(of, names))),
        }
    }
    // One after the other: a sort is much code for so few.
    let mut best = Vec::new();
    while best.len() < MOST {
        let places = offers.iter().enumerate();
        let first = places.min_by_key(|(_, (rank, offer))| (*rank, &*offer.name));
        let Some(at) = first.map(|(at, _)| at) else {
            break;
        };
        best.push(offers.swap_remove(at).1);
    }
    best
}

/// Offers a thing by the name that was given to it, with its kind, identifier and place.
///
/// The name becomes the person's word. That is safe with the names that the server sends: letters and
/// digits, with a letter among them, of one thing alone. Without such a name it is the identifier.
fn thing(of: &Reference, names: &[Name]) -> AssistOffer {
    let given = names
        .iter()
        .find(|name| name.of == *of && !name.note.is_empty());
    let (name, note, words) = match given {
        Some(Name { name, note, .. }) => (name.clone(), upright(note.clone()), name.clone()),
        None => {
            let first = names.iter().find(|name| name.of == *of);
            let name = first.map_or_else(|| words(of), |first| first.name.clone());
            (name, crate::reference::label(of), words(of))
        }
    };
    AssistOffer {
        name: upright(name),
        note,
        gives: Gives::Mention(of.clone(), words),
    }
}

/// Returns the text for a thing by its identifier.
fn words(Reference { kind, id, .. }: &Reference) -> String {
    match id.split_once('/') {
        Some((node, name)) => format!("{kind} {name} on {node}"),
        None => format!("{kind} {id}"),
    }
}

fn beginning(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(SHOWN) {
        Some((at, _)) => upright(format!("{}…", &line[..at])),
        None => upright(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(offers: &[AssistOffer]) -> Vec<&str> {
        offers.iter().map(|offer| &*offer.name).collect()
    }

    #[test]
    fn commands_and_prompts_by_their_beginning() {
        let prompts = [Prompt {
            name: "nightly".to_owned(),
            text: "What failed\nlast night?".to_owned(),
        }];
        let offers = |text: &str| {
            let token = MentionToken::at(text, text.len()).unwrap();
            after_slash(&token, |it| it != Slash::Stop, &prompts)
        };
        assert_eq!(shown(&offers("/n")), ["/new", "/nightly"]);
        assert_eq!(shown(&offers("/S")), ["/search"]);
        assert_eq!(shown(&offers("/x")), [""; 0]);
        assert_eq!(offers("/")[5].note, "What failed last night?");
    }

    #[test]
    fn things_by_name_and_number_and_each_once() {
        let name = |name: &str, kind: &str, id: &str, note: &str| Name {
            note: note.to_owned(),
            ..Name::new(name, Reference::new(kind, id))
        };
        let names = [
            name("CT 200", "guest", "200", ""),
            name("VM 101", "guest", "101", ""),
            name("VM 102", "guest", "102", ""),
            name("local-zfs", "storage", "pve/local-zfs", "storage · pve"),
            name("nextcloud", "guest", "101", "VM 101 · pve"),
            name("old-pve", "guest", "200", "CT 200 · agent"),
            name("pve", "node", "pve", "node"),
        ];
        let offers = |text: &str| after_at(&MentionToken::at(text, text.len()).unwrap(), &names);
        let shown = |text: &str| -> Vec<_> {
            let offers = offers(text).into_iter();
            offers.map(|it| (it.name, it.note)).collect()
        };
        let line = |name: &str, note: &str| (name.to_owned(), note.to_owned());
        assert_eq!(shown("@next"), [line("nextcloud", "VM 101 · pve")]);
        let both = [
            line("VM 102", "guest 102"),
            line("nextcloud", "VM 101 · pve"),
        ];
        assert_eq!(shown("@10"), both);
        let pve = [line("pve", "node"), line("old-pve", "CT 200 · agent")];
        assert_eq!(shown("@PVE"), pve);
        assert_eq!(offers("@").len(), 5);
        let said = |text: &str| match &offers(text)[0].gives {
            Gives::Mention(_, words) => words.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(said("@101"), "nextcloud");
        assert_eq!(said("@102"), "guest 102");
        assert_eq!(said("@local"), "local-zfs");
    }
}
