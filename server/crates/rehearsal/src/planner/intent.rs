//! What the user wants to know or to have done, from the words alone.

mod command;
mod talk;
mod topic;

use serde_json::{Map, Value, json};

use super::{
    action::{self, Action},
    chart::Subject,
    facts::{self, Guest, Node},
    view::View,
    words::{is_filler, original, words},
};
pub(super) use talk::Talk;
pub(super) use topic::Topic;

/// What the user wants.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Intent {
    pub(super) topics: Vec<Topic>,
    pub(super) nodes: Vec<String>,
    pub(super) guests: Vec<Guest>,
    /// Numbers that can only be guests, known or not.
    pub(super) vmids: Vec<u64>,
    /// A word that may be the name of something that no data has named yet.
    pub(super) stranger: Option<String>,
    /// Such as `running`: only guests in this state are asked for.
    pub(super) state: Option<String>,
    /// Only what failed is asked for.
    pub(super) failures: bool,
    /// The reason of a guest's state is asked for.
    pub(super) why: bool,
    /// The node with this word in its role is meant.
    pub(super) role: Option<&'static str>,
    /// So many entries of a list.
    pub(super) limit: Option<u64>,
    pub(super) action: Option<Action>,
    /// Only this command on a node can tell.
    pub(super) command: Option<String>,
    pub(super) talk: Option<Talk>,
    /// The chart that is meant, where tools know charts.
    pub(super) chart: Option<Subject>,
}

impl Intent {
    pub(super) fn wants(&self, topic: Topic) -> bool {
        self.topics.contains(&topic)
    }

    /// Arguments that the words give by name.
    pub(super) fn presets(&self) -> Map<String, Value> {
        let mut presets = Map::new();
        if let Some(node) = self.nodes.first() {
            presets.insert("node".to_owned(), json!(node));
        }
        if let Some(vmid) = self.vmids.first() {
            presets.insert("vmid".to_owned(), json!(vmid));
        }
        if let Some(limit) = self.limit {
            presets.insert("limit".to_owned(), json!(limit));
        }
        if let Some(chart) = &self.chart {
            presets.insert("symbol".to_owned(), json!(chart.symbol));
            presets.insert("timeframe".to_owned(), json!(chart.timeframe));
        }
        if self.failures {
            presets.insert("errors_only".to_owned(), json!(true));
        }
        presets
    }
}

/// Reads the newest words, and earlier ones where they point back.
pub(super) fn read(view: &View<'_>) -> Intent {
    let nodes = facts::nodes(view);
    let guests = facts::guests(view);
    let mut intent = read_words(&view.question, &nodes, &guests);
    intent.talk = talk::read(&view.question);
    intent.chart = Subject::of(view);
    let said = words(&view.question);
    let points_back = said.iter().any(|word| {
        matches!(
            word.as_str(),
            "it" | "its" | "there" | "same" | "that" | "them" | "their"
        )
    }) || said.first().is_some_and(|word| word == "and")
        || view.question.to_lowercase().starts_with("what about");
    let which_one = said.windows(2).any(|pair| {
        pair[0] == "which" && matches!(pair[1].as_str(), "one" | "ones")
            || pair[0] == "of" && pair[1] == "them"
    });
    if (points_back || which_one) && intent.talk.is_none() {
        // "Which one uses the most memory?": one of those that were spoken of, else a node.
        let figures = which_one && intent.topics == [Topic::Nodes];
        if figures {
            intent.topics.clear();
        }
        point_back(view, &nodes, &guests, &mut intent);
        let guests = |topic: &Topic| matches!(topic, Topic::Vms | Topic::Containers);
        if figures {
            intent.topics.retain(guests);
            if intent.topics.is_empty() {
                intent.topics.push(Topic::Nodes);
            }
            (intent.nodes, intent.vmids, intent.guests) = Default::default();
        }
    }
    if view.tool("execute_ssh").is_none() || intent.action.is_some() {
        intent.command = None;
    }
    if intent.command.is_some() {
        intent.topics.clear();
        intent.vmids.clear();
        intent.guests.clear();
    }
    intent
}

/// Fills what the words leave open from what was said or read before.
fn point_back(view: &View<'_>, nodes: &[Node], guests: &[Guest], intent: &mut Intent) {
    let named = !intent.nodes.is_empty() || !intent.vmids.is_empty();
    for earlier in &view.earlier_questions {
        let before = read_words(earlier, nodes, guests);
        if !named && intent.nodes.is_empty() && intent.vmids.is_empty() {
            intent.nodes = before.nodes;
            intent.vmids = before.vmids;
            intent.guests = before.guests;
            intent.stranger = intent.stranger.take().or(before.stranger);
        }
        if intent.topics.is_empty() && intent.action.is_none() && intent.command.is_none() {
            intent.topics = before.topics;
            intent.command = before.command;
        }
        let found = !intent.nodes.is_empty() || !intent.vmids.is_empty();
        if found && !(intent.topics.is_empty() && intent.action.is_none()) {
            return;
        }
    }
    // A node that was never named but read by itself.
    if intent.nodes.is_empty() && intent.vmids.is_empty() {
        let last = view.earlier.iter().rev();
        intent.nodes = last
            .filter_map(|done| done.input["node"].as_str())
            .take(1)
            .map(str::to_owned)
            .collect();
    }
}

fn read_words(question: &str, nodes: &[Node], guests: &[Guest]) -> Intent {
    let said = words(question);
    let mut intent = Intent {
        action: action::read(question),
        ..Intent::default()
    };
    for node in nodes {
        let named = original(question).into_iter().any(|word| {
            // A node called Home must not hear every mention of home.
            let plain = node.name.eq_ignore_ascii_case("home") || is_filler(&node.name);
            if plain {
                word == node.name
            } else {
                word.eq_ignore_ascii_case(&node.name)
            }
        });
        if named || after_word(&said, "node", &node.name) || after_word(&said, "on", &node.name) {
            intent.nodes.push(node.name.clone());
        }
    }
    for (at, word) in said.iter().enumerate() {
        if let Ok(number) = word.parse::<u64>() {
            let known = guests.iter().find(|guest| guest.vmid == number);
            let before = at.checked_sub(1).and_then(|at| said.get(at));
            let called = before.is_some_and(|word| {
                matches!(
                    word.as_str(),
                    "vm" | "ct" | "lxc" | "container" | "guest" | "machine" | "vmid" | "id" | "for"
                ) || action::is_verb(word)
            });
            if number >= 100 && (called || known.is_some()) {
                intent.vmids.push(number);
            } else if number > 0 && number <= 500 {
                intent.limit = Some(number);
            }
        }
    }
    for guest in guests {
        let named = guest.name.as_ref().is_some_and(|name| {
            said.iter().any(|word| word.eq_ignore_ascii_case(name))
                && !nodes
                    .iter()
                    .any(|node| node.name.eq_ignore_ascii_case(name))
        });
        if named && !intent.vmids.contains(&guest.vmid) {
            intent.vmids.push(guest.vmid);
        }
        if intent.vmids.contains(&guest.vmid) {
            intent.guests.push(guest.clone());
        }
    }
    topic::read(&said, &mut intent);
    intent.state = ["running", "stopped", "paused", "suspended"]
        .into_iter()
        .find(|state| said.iter().any(|word| word == state))
        .map(str::to_owned);
    intent.failures = said
        .iter()
        .any(|word| matches!(word.as_str(), "failed" | "failing" | "failures" | "errors"));
    intent.why = said.first().is_some_and(|word| word == "why") && intent.state.is_some();
    intent.command = command::read(question, &said, intent.limit);
    intent.stranger = stranger(question, &intent);
    intent
}

/// Whether `name` stands directly after `word`.
fn after_word(said: &[String], word: &str, name: &str) -> bool {
    said.windows(2)
        .any(|pair| pair[0] == word && pair[1].eq_ignore_ascii_case(name))
}

/// A word that looks like a name: after `node`, `on`, `vm`, `called` and the like, or the only
/// one in "how is X doing".
fn stranger(question: &str, intent: &Intent) -> Option<String> {
    if !intent.nodes.is_empty() || !intent.vmids.is_empty() {
        return None;
    }
    let said = original(question);
    let plain = |word: &str| {
        let word = word.to_lowercase();
        is_filler(&word)
            || word.parse::<u64>().is_ok()
            || topic::is_sign(&word)
            || matches!(
                word.as_str(),
                "each"
                    | "every"
                    | "running"
                    | "stopped"
                    | "named"
                    | "called"
                    | "machine"
                    | "machines"
                    | "status"
                    | "using"
                    | "uses"
                    | "needs"
                    | "most"
                    | "going"
                    | "things"
                    | "service"
                    | "left"
                    | "free"
                    | "full"
                    | "today"
                    | "doing"
                    | "last"
                    | "recent"
                    | "latest"
            )
    };
    let named = said.windows(2).find_map(|pair| {
        let lead = pair[0].to_lowercase();
        let leads = matches!(
            lead.as_str(),
            "node"
                | "on"
                | "host"
                | "vm"
                | "container"
                | "lxc"
                | "ct"
                | "guest"
                | "called"
                | "named"
        ) || action::is_verb(&lead);
        (leads && !plain(pair[1])).then(|| pair[1].to_owned())
    });
    let doing = || {
        let rest: Vec<&&str> = said.iter().filter(|word| !plain(word)).collect();
        match rest[..] {
            [only]
                if said
                    .first()
                    .is_some_and(|first| first.eq_ignore_ascii_case("is"))
                    && intent.state.is_some()
                    || ["how", "why"].iter().any(|word| {
                        said.first()
                            .is_some_and(|first| first.eq_ignore_ascii_case(word))
                    }) =>
            {
                Some((*only).to_owned())
            }
            _ => None,
        }
    };
    named.or_else(doing)
}
