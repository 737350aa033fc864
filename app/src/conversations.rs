//! The list of the person's conversations, and the ones opened in this tab.

use leptos::prelude::*;
use protocol::{ConversationId, ConversationSummary, OwnCall, SecondCall, Seq, Shelf, Timestamp};

use crate::{api::LIST_PAGE, conversation::Conversation};

/// The list in the sidebar, newest change first.
#[derive(Clone, Copy)]
pub(crate) struct ConversationList {
    pub(crate) lines: RwSignal<Vec<ConversationSummary>>,
    /// True if the server has older ones.
    pub(crate) more: RwSignal<bool>,
    /// The end of the pages loaded so far: an entry below it may be there without its neighbours.
    oldest: RwSignal<Option<Timestamp>>,
    /// Archived conversations, newest change first, as far as this tab knows them.
    pub(crate) archived: RwSignal<Vec<ConversationSummary>>,
    /// Conversations with calls that wait for a person, anywhere in the list, and own calls that
    /// wait.
    pub(crate) waiting: RwSignal<Vec<ConversationSummary>>,
    /// The newest unseen event of each conversation, as far as this tab knows them.
    pub(crate) unread: RwSignal<Vec<(ConversationId, Seq)>>,
    /// The person's own calls that this tab knows of, newest first. They are in no other list.
    pub(crate) actions: RwSignal<Vec<ConversationSummary>>,
    /// The own call that a page should show.
    pub(crate) wanted: RwSignal<Option<Box<OwnCall>>>,
    /// Cards of other people that wait for this person.
    pub(crate) seconds: RwSignal<Vec<SecondCall>>,
}

impl ConversationList {
    pub(crate) fn new() -> Self {
        Self {
            lines: RwSignal::new(Vec::new()),
            more: RwSignal::new(false),
            oldest: RwSignal::new(None),
            archived: RwSignal::new(Vec::new()),
            waiting: RwSignal::new(Vec::new()),
            unread: RwSignal::new(Vec::new()),
            actions: RwSignal::new(Vec::new()),
            wanted: RwSignal::new(None),
            seconds: RwSignal::new(Vec::new()),
        }
    }

    /// Sets the first entries, as the page came with them.
    pub(crate) fn start(self, lines: Vec<ConversationSummary>) {
        self.come_to(&lines);
        let unread = lines
            .iter()
            .filter_map(|line| Some((line.id, line.unread?)));
        self.unread.set(unread.collect());
        self.lines.set(lines);
    }

    /// Returns the start of the next page.
    pub(crate) fn oldest(self) -> Option<Timestamp> {
        self.oldest.get_untracked()
    }

    /// Handles a page. Pinned conversations come with the first one, regardless of their date.
    fn come_to(self, page: &[ConversationSummary]) {
        let mut by_date = page.iter().filter(|line| line.shelf != Shelf::Pinned);
        self.more.try_set(by_date.clone().count() >= LIST_PAGE);
        if let Some(last) = by_date.next_back() {
            self.oldest.try_set(Some(last.updated));
        }
    }

    /// Returns the number of calls that wait for a person, in all conversations, and those of other
    /// people.
    pub(crate) fn waiting_calls(self) -> usize {
        waiting_calls(&self.waiting.read(), &self.seconds.read())
    }

    /// Adds older entries below the existing ones.
    pub(crate) fn extend(self, older: Vec<ConversationSummary>) {
        self.come_to(&older);
        self.lines.try_update(|lines| {
            for line in older {
                self.note_unread(line.id, line.unread);
                if !lines.iter().any(|known| known.id == line.id) {
                    put(lines, line);
                }
            }
        });
    }

    /// Returns the time of the newest change: later changes may be missing here.
    pub(crate) fn newest(self) -> Timestamp {
        let lines = self.lines.try_read_untracked();
        let newest = lines.and_then(|lines| lines.first().map(|line| line.updated));
        newest.unwrap_or_default()
    }

    /// Adds or updates an entry.
    pub(crate) fn put(self, line: ConversationSummary) {
        self.put_waiting(&line);
        self.note_unread(line.id, line.unread);
        if line.action.is_some() {
            self.actions.try_update(|actions| put_action(actions, line));
            return;
        }
        if let Some(family) = line.family {
            // One entry represents all branches.
            let mine = |known: &ConversationSummary| {
                known.id == family.root || known.family.is_some_and(|it| it.root == family.root)
            };
            for lines in [self.lines, self.archived] {
                let others = |known: &ConversationSummary| known.id != line.id && mine(known);
                let there = lines.try_with_untracked(|lines| lines.iter().any(others));
                if family.front && there == Some(true) {
                    lines.try_update(|lines| lines.retain(|known| !others(known)));
                } else if !family.front {
                    take(lines, line.id);
                }
            }
            if !family.front {
                return;
            }
        }
        let (to, from) = match line.shelf {
            Shelf::Archived => (self.archived, self.lines),
            _ => (self.lines, self.archived),
        };
        take(from, line.id);
        to.try_update(|lines| put(lines, line));
    }

    /// Changes the signal only if something changed: entries change often.
    fn put_waiting(self, line: &ConversationSummary) {
        let known = self.waiting.try_with_untracked(|waiting| {
            let known = waiting.iter().find(|known| known.id == line.id);
            known.map_or(line.waiting.is_empty(), |known| {
                known.waiting == line.waiting && known.title == line.title
            })
        });
        if known == Some(false) {
            self.waiting.try_update(|waiting| {
                waiting.retain(|known| known.id != line.id);
                if !line.waiting.is_empty() {
                    waiting.push(line.clone());
                }
            });
        }
    }

    /// Returns the newest unseen event of a conversation.
    pub(crate) fn unread_in(self, id: ConversationId) -> Option<Seq> {
        let unread = self.unread.read();
        let found = unread.iter().find(|(of, _)| *of == id);
        found.map(|(_, seq)| *seq)
    }

    /// Returns the number of calls that wait for a person in a conversation.
    pub(crate) fn waiting_in(self, id: ConversationId) -> usize {
        let waiting = self.waiting.read();
        let found = waiting.iter().find(|line| line.id == id);
        found.map_or(0, |line| line.waiting.len())
    }

    /// Changes the signal only if something changed.
    pub(crate) fn note_unread(self, id: ConversationId, seq: Option<Seq>) {
        let known = self.unread.try_with_untracked(|unread| {
            let found = unread.iter().find(|(of, _)| *of == id);
            found.map(|(_, seq)| *seq)
        });
        if known.is_some_and(|known| known != seq) {
            self.unread.try_update(|unread| {
                unread.retain(|(of, _)| *of != id);
                unread.extend(seq.map(|seq| (id, seq)));
            });
        }
    }

    /// Returns whether another branch represents the family in the list.
    pub(crate) fn is_behind(self, id: ConversationId, root: ConversationId) -> bool {
        let other = |line: &ConversationSummary| {
            line.id != id && line.family.is_some_and(|family| family.root == root)
        };
        [self.lines, self.archived]
            .iter()
            .any(|lines| lines.try_with_untracked(|lines| lines.iter().any(other)) == Some(true))
    }

    pub(crate) fn remove(self, id: ConversationId) {
        self.note_unread(id, None);
        for lines in [self.lines, self.archived, self.waiting] {
            take(lines, id);
        }
    }

    pub(crate) fn rename(self, id: ConversationId, title: &str) {
        for lines in [self.lines, self.archived] {
            lines.try_update(|lines| {
                if let Some(line) = lines.iter_mut().find(|line| line.id == id) {
                    title.clone_into(&mut line.title);
                }
            });
        }
    }
}

/// Removes an entry, and changes the signal only if it was there.
fn take(lines: RwSignal<Vec<ConversationSummary>>, id: ConversationId) {
    let there = lines.try_with_untracked(|lines| lines.iter().any(|line| line.id == id));
    if there == Some(true) {
        lines.try_update(|lines| lines.retain(|line| line.id != id));
    }
}

/// Number of ended own calls that are kept.
const ENDED: usize = 20;

fn put_action(actions: &mut Vec<ConversationSummary>, line: ConversationSummary) {
    match actions.iter_mut().find(|known| known.id == line.id) {
        Some(known) => *known = line,
        None => {
            let place = actions.partition_point(|known| known.created > line.created);
            actions.insert(place, line);
        }
    }
    let mut ended = 0;
    actions.retain(|known| {
        ended += usize::from(!known.running);
        known.running || ended <= ENDED
    });
}

fn put(lines: &mut Vec<ConversationSummary>, line: ConversationSummary) {
    lines.retain(|known| known.id != line.id);
    let place = lines.partition_point(|known| known.updated > line.updated);
    lines.insert(place, line);
}

/// Conversations that were opened in this tab, so that returning to one shows it at once.
#[derive(Clone, Copy)]
pub(crate) struct Opened {
    conversations: StoredValue<Vec<Conversation>>,
    /// The row of a conversation that its view should scroll to.
    pub(crate) wanted: RwSignal<Option<(ConversationId, String)>>,
}

impl Opened {
    /// The most conversations kept; the oldest are dropped.
    const MOST: usize = 6;

    pub(crate) fn new() -> Self {
        Self {
            conversations: StoredValue::new(Vec::new()),
            wanted: RwSignal::new(None),
        }
    }

    pub(crate) fn get(self, id: ConversationId) -> Option<Conversation> {
        self.conversations
            .try_with_value(|opened| opened.iter().find(|known| known.id() == id).cloned())
            .flatten()
    }

    /// Links changed names.
    pub(crate) fn relink(self) {
        let opened = self.conversations.try_get_value().unwrap_or_default();
        for conversation in opened {
            conversation.relink();
        }
    }

    /// Handles an update of the list, which may be a new branch of a conversation that is open
    /// here.
    pub(crate) fn hear_of(self, line: &ConversationSummary) {
        if line.family.is_some() {
            let opened = self.conversations.try_get_value().unwrap_or_default();
            for conversation in opened {
                conversation.hear_of(line);
            }
        }
    }

    /// Shows in an open conversation that another one continues it.
    pub(crate) fn link(self, line: &ConversationSummary) {
        if let Some(from) = line.from.and_then(|from| self.get(from)) {
            from.next().set(Some(line.id));
        }
    }

    pub(crate) fn insert(self, conversation: Conversation) {
        self.conversations.try_update_value(|opened| {
            opened.retain(|known| known.id() != conversation.id());
            opened.push(conversation);
            let over = opened.len().saturating_sub(Self::MOST);
            opened.drain(..over);
        });
    }

    pub(crate) fn remove(self, id: ConversationId) {
        self.conversations.try_update_value(|opened| {
            opened.retain(|known| known.id() != id);
            for before in opened {
                let next = before.next();
                if next.get_untracked() == Some(id) {
                    next.set(None);
                }
            }
        });
    }
}

/// Counts the calls that wait for the person: in these conversations, and of other people who need
/// a second person.
pub(crate) fn waiting_calls(waiting: &[ConversationSummary], seconds: &[SecondCall]) -> usize {
    let own: usize = waiting.iter().map(|line| line.waiting.len()).sum();
    own + seconds.len()
}

#[cfg(test)]
mod tests {
    use protocol::{Mode, Timestamp, Usage};

    use super::*;

    fn line(n: u128, updated: i64) -> ConversationSummary {
        ConversationSummary {
            id: ConversationId::new(Timestamp(0), n),
            title: n.to_string(),
            model: "model".to_owned(),
            mode: Mode::Default,
            created: Timestamp(0),
            updated: Timestamp(updated),
            messages: 0,
            usage: Usage::default(),
            cost: None,
            running: false,
            waiting: Vec::new(),
            from: None,
            action: None,
            shelf: Shelf::Listed,
            imported: None,
            family: None,
            folder: None,
            unread: None,
        }
    }

    /// Returns the titles of entries, in order.
    fn order(lines: &[ConversationSummary]) -> Vec<&str> {
        lines.iter().map(|line| line.title.as_str()).collect()
    }

    #[test]
    fn a_line_is_in_one_place_and_pages_go_on_by_date() {
        Owner::new().with(|| {
            let list = ConversationList::new();
            let on = |line: ConversationSummary, shelf| ConversationSummary { shelf, ..line };
            list.start(vec![line(2, 20), on(line(1, 1), Shelf::Pinned)]);
            // A pinned one is old, and does not mark the end of the page.
            assert_eq!(list.oldest(), Some(Timestamp(20)));
            list.put(on(line(2, 20), Shelf::Archived));
            assert_eq!(order(&list.lines.read_untracked()), ["1"]);
            assert_eq!(order(&list.archived.read_untracked()), ["2"]);
            list.put(line(2, 30));
            list.extend(vec![line(3, 10)]);
            assert_eq!(order(&list.lines.read_untracked()), ["2", "3", "1"]);
            assert_eq!(list.oldest(), Some(Timestamp(10)));
            assert!(list.archived.read_untracked().is_empty());
        });
    }

    #[test]
    fn a_changed_line_moves_to_its_place() {
        let mut lines = vec![line(3, 30), line(2, 20), line(1, 10)];
        put(&mut lines, line(1, 25));
        assert_eq!(order(&lines), ["3", "1", "2"]);
        put(&mut lines, line(4, 40));
        assert_eq!(lines[0].title, "4");
    }
}
