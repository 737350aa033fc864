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
    Mention(Reference),
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
    for Name { name, of } in names {
        // A thing may have many names; the first match is enough.
        let known = |(_, offer): &(u8, AssistOffer)| offer.gives == Gives::Mention(of.clone());
        let Some(rank) =
            rank(&name.to_lowercase(), of, &word).filter(|_| !offers.iter().any(known))
        else {
            continue;
        };
        offers.push((
            rank,
            AssistOffer {
                name: upright(name.clone()),
                note: crate::reference::label(of),
                gives: Gives::Mention(of.clone()),
            },
        ));
    }
    offers.sort_by_key(|(rank, _)| *rank);
    let offers = offers.into_iter().map(|(_, offer)| offer);
    offers.take(MOST).collect()
}

/// Returns the text for a thing in a message: its identifier. A name that somebody gave to it must
/// not become the person's word.
pub(super) fn words(Reference { kind, id, .. }: &Reference) -> String {
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
        let name = |name: &str, kind: &str, id: &str| Name {
            name: name.to_owned(),
            of: Reference::new(kind, id),
        };
        let names = [
            name("VM 101", "guest", "101"),
            name("local-zfs", "storage", "pve/local-zfs"),
            name("nextcloud", "guest", "101"),
            name("pve", "node", "pve"),
            name("old-pve", "guest", "200"),
        ];
        let offers = |text: &str| after_at(&MentionToken::at(text, text.len()).unwrap(), &names);
        assert_eq!(shown(&offers("@next")), ["nextcloud"]);
        assert_eq!(shown(&offers("@10")), ["VM 101"]);
        assert_eq!(shown(&offers("@PVE")), ["pve", "old-pve"]);
        let said = |text: &str| match &offers(text)[0].gives {
            Gives::Mention(of) => words(of),
            other => panic!("{other:?}"),
        };
        assert_eq!(said("@next"), "guest 101");
        assert_eq!(said("@local"), "storage local-zfs on pve");
    }
}
