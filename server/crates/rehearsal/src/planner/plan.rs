//! Which tools to call next, given what is known by now.

use serde_json::{Map, Value, json};

use super::{
    Call,
    action::{Action, Object},
    arguments, facts,
    facts::{Guest, Kind},
    generic,
    intent::{Intent, Topic},
    view::{Tool, View},
    words::{parts, words},
};

/// Most nodes that are asked one by one.
const MOST_NODES: usize = 8;

/// The next calls; none when it is time to answer. Calls that were made since the newest words are
/// not repeated.
pub(super) fn calls(view: &View<'_>, intent: &Intent) -> Vec<Call> {
    if intent.talk.is_some() && intent.topics.is_empty() && intent.action.is_none() {
        return Vec::new();
    }
    let planned = match (&intent.action, &intent.command) {
        (Some(action), _) => order(view, intent, action),
        (None, Some(command)) => commands(intent, command),
        (None, None) => questions(view, intent),
    };
    let mut fresh: Vec<Call> = Vec::new();
    for call in planned {
        let done = view
            .done
            .iter()
            .any(|done| done.name == call.name && done.input == call.input);
        if !done && !fresh.contains(&call) {
            fresh.push(call);
        }
    }
    fresh
}

/// The command on each node that the words name.
fn commands(intent: &Intent, command: &str) -> Vec<Call> {
    let nodes = intent.nodes.iter().chain(&intent.stranger);
    nodes
        .take(MOST_NODES)
        .map(|node| Call {
            name: "execute_ssh".to_owned(),
            input: json!({ "node": node, "command": command }),
        })
        .collect()
}

fn questions(view: &View<'_>, intent: &Intent) -> Vec<Call> {
    let mut calls = Vec::new();
    for topic in topics(view, intent) {
        calls.extend(about(view, intent, topic));
    }
    if intent.why {
        calls.extend(tasks_about(view, intent));
    }
    if calls.is_empty()
        && view.done.is_empty()
        && let Some(Ok(call)) = generic::call(view, intent)
    {
        calls.push(call);
    }
    calls
}

/// The newest tasks of the node that a guest is on: they may tell why it is as it is.
fn tasks_about(view: &View<'_>, intent: &Intent) -> Option<Call> {
    let node = intent.guests.first()?.node.as_deref()?;
    let wide = Intent {
        limit: Some(50),
        ..Intent::default()
    };
    call(view, &wide, pick(view, Topic::Tasks)?, Some(node))
}

/// Calls for the past of the nodes, or of a guest that is known.
fn past(view: &View<'_>, intent: &Intent) -> Vec<Call> {
    let Some(tool) = pick(view, Topic::History) else {
        return Vec::new();
    };
    let said = words(&view.question);
    let spans = ["hour", "day", "week", "month"];
    let span = spans
        .into_iter()
        .find(|span| said.iter().any(|word| word == span))
        .unwrap_or("day");
    let guest = intent.vmids.iter().map(|vmid| ("guest", vmid.to_string()));
    let nodes = intent.nodes.iter().map(|node| ("node", node.clone()));
    guest
        .chain(nodes)
        .take(MOST_NODES)
        .map(|(kind, name)| Call {
            name: tool.name.to_owned(),
            input: json!({ "type": kind, "name": name, "span": span }),
        })
        .collect()
}

/// The topics, with those that names alone imply.
fn topics(view: &View<'_>, intent: &Intent) -> Vec<Topic> {
    let mut topics = intent.topics.clone();
    if topics.is_empty() && !intent.nodes.is_empty() {
        return vec![Topic::Nodes, Topic::Temperature];
    }
    if !intent.vmids.is_empty() && topics.iter().all(|topic| *topic == Topic::Nodes) {
        topics.clear();
    }
    let unnamed = topics.is_empty() && intent.nodes.is_empty();
    if unnamed && !intent.vmids.is_empty() {
        return match intent.guests.first().and_then(|guest| guest.kind) {
            Some(Kind::Vm) => vec![Topic::Vms],
            Some(Kind::Container) => vec![Topic::Containers],
            None => vec![Topic::Vms, Topic::Containers],
        };
    }
    // A name that nobody has mentioned yet: a guest or a node, so look at both.
    if unnamed && intent.stranger.is_some() && pick(view, Topic::Vms).is_some() {
        return vec![Topic::Cluster, Topic::Vms, Topic::Containers];
    }
    topics
}

fn about(view: &View<'_>, intent: &Intent, topic: Topic) -> Vec<Call> {
    if topic == Topic::Overview {
        let all = [
            Topic::Cluster,
            Topic::Vms,
            Topic::Containers,
            Topic::Storage,
            Topic::Tasks,
        ];
        return all
            .into_iter()
            .flat_map(|topic| about(view, intent, topic))
            .collect();
    }
    if topic == Topic::History {
        return past(view, intent);
    }
    let Some(tool) = pick(view, topic) else {
        // Without a tool for one node the list of all has its figures too.
        return match topic {
            Topic::Nodes if intent.topics != [Topic::Cluster] => {
                about(view, intent, Topic::Cluster)
            }
            Topic::Cluster => pick(view, Topic::Resources)
                .into_iter()
                .filter_map(|tool| call(view, intent, tool, None))
                .collect(),
            _ => Vec::new(),
        };
    };
    let per_node = needs(tool, "node");
    if !per_node || !intent.nodes.is_empty() {
        let takes_node = tool.schema["properties"].get("node").is_some();
        let mut nodes: Vec<Option<&str>> = intent.nodes.iter().map(|n| Some(n.as_str())).collect();
        if nodes.is_empty() || !takes_node {
            nodes = vec![None];
        }
        return nodes
            .into_iter()
            .filter_map(|node| call(view, intent, tool, node))
            .collect();
    }
    let known = nodes_meant(view, intent);
    let wanted: Vec<&str> = match &intent.stranger {
        Some(name) if !known.is_empty() || view.done.is_empty() => vec![name],
        _ => known
            .iter()
            .filter(|node| node.online != Some(false))
            .map(|node| node.name.as_str())
            .take(MOST_NODES)
            .collect(),
    };
    if wanted.is_empty() {
        // The names come from a list first.
        let list = [Topic::Cluster, Topic::Resources]
            .into_iter()
            .filter_map(|topic| pick(view, topic))
            .find(|list| !needs(list, "node"));
        return list
            .into_iter()
            .filter_map(|list| call(view, intent, list, None))
            .collect();
    }
    wanted
        .into_iter()
        .filter_map(|node| call(view, intent, tool, Some(node)))
        .collect()
}

fn call(view: &View<'_>, intent: &Intent, tool: &Tool<'_>, node: Option<&str>) -> Option<Call> {
    let mut presets = intent.presets();
    match node {
        Some(node) => presets.insert("node".to_owned(), json!(node)),
        None => presets.remove("node"),
    };
    let input = arguments::fill(tool.schema, &view.question, &presets).ok()?;
    Some(Call {
        name: tool.name.to_owned(),
        input,
    })
}

fn needs(tool: &Tool<'_>, property: &str) -> bool {
    let required = tool.schema["required"].as_array();
    required.into_iter().flatten().any(|name| name == property)
}

/// The nodes that may be meant: the one whose role is named, once the roles are known, else all.
fn nodes_meant(view: &View<'_>, intent: &Intent) -> Vec<facts::Node> {
    let known = facts::nodes(view);
    let Some(role) = intent.role else {
        return known;
    };
    let with_role = |node: &&facts::Node| {
        let role_of = node.role.as_deref().unwrap_or_default();
        words(role_of).iter().any(|word| word == role)
    };
    let meant: Vec<facts::Node> = known.iter().filter(with_role).cloned().collect();
    let listed = view
        .done
        .iter()
        .any(|done| done.name == "get_cluster_status");
    match (meant.is_empty(), listed) {
        (false, _) => meant,
        // The list of nodes has their roles.
        (true, false) => Vec::new(),
        (true, true) => known,
    }
}

/// The tool for a topic: by its known name, else by the words in its name.
fn pick<'v>(view: &'v View<'_>, topic: Topic) -> Option<&'v Tool<'v>> {
    let (known, signs): (&str, &[&[&str]]) = match topic {
        Topic::Overview => return None,
        Topic::Cluster => (
            "get_cluster_status",
            &[&["cluster", "status"], &["list", "nodes"]],
        ),
        Topic::Nodes => ("get_node_status", &[&["node", "status"], &["node", "info"]]),
        Topic::Vms => ("get_vms", &[&["vms"], &["qemu"]]),
        Topic::Containers => ("get_containers", &[&["containers"], &["lxc"]]),
        Topic::Storage => ("get_storage", &[&["storage"], &["storages"]]),
        Topic::Temperature => (
            "get_node_temperature",
            &[&["temperature"], &["temperatures"], &["sensors"]],
        ),
        Topic::Tasks => ("get_recent_tasks", &[&["tasks"]]),
        Topic::Backups => ("get_backups", &[&["backups"]]),
        Topic::History => ("get_history", &[&["history"]]),
        Topic::Resources => ("get_cluster_resources", &[&["resources"]]),
    };
    view.tool(known).or_else(|| {
        view.tools.iter().find(|tool| {
            let name = parts(tool.name);
            let reads = !name
                .iter()
                .any(|part| super::action::changes_something(part));
            reads
                && signs
                    .iter()
                    .any(|sign| sign.iter().all(|word| name.iter().any(|part| part == word)))
        })
    })
}

/// The tool for an order.
pub(super) fn tool_for<'v>(
    view: &'v View<'_>,
    action: &Action,
    target: Option<&Guest>,
    on_node: bool,
) -> Option<&'v Tool<'v>> {
    let kind = target.and_then(|guest| guest.kind);
    let nouns: &[&str] = match (action.object, kind) {
        (Some(Object::Container), _) | (None, Some(Kind::Container)) => {
            &["container", "lxc", "ct", "guest"]
        }
        (Some(Object::Vm), Some(Kind::Container)) => &["container", "lxc", "ct", "guest"],
        (Some(Object::Vm), _) | (None, Some(Kind::Vm)) => &["vm", "guest", "qemu"],
        (Some(Object::Node), _) => &["node", "host"],
        (Some(Object::Service), _) => &["service"],
        (None, None) if action.command.is_some() => &["ssh", "command", "shell"],
        (None, None) if on_node => &["node", "host"],
        (None, None) => &["vm", "guest", "container"],
    };
    action.verbs.iter().find_map(|verb| {
        view.tools.iter().find(|tool| {
            let name = parts(tool.name);
            let has = |word: &str| name.iter().any(|part| part == word);
            has(verb) && nouns.iter().any(|noun| has(noun))
        })
    })
}

fn order(view: &View<'_>, intent: &Intent, action: &Action) -> Vec<Call> {
    let target = target(view, intent);
    let Some(tool) = tool_for(view, action, target.as_ref(), !intent.nodes.is_empty()) else {
        return Vec::new();
    };
    if view.done.iter().any(|done| done.name == tool.name) {
        return Vec::new();
    }
    let mut presets: Map<String, Value> = intent.presets();
    if let Some(guest) = &target {
        presets.insert("vmid".to_owned(), json!(guest.vmid));
        if let (Some(node), false) = (&guest.node, presets.contains_key("node")) {
            presets.insert("node".to_owned(), json!(node));
        }
    }
    if let Some(name) = &intent.stranger {
        presets.insert("service".to_owned(), json!(name));
        presets.insert("name".to_owned(), json!(name));
        if action.object == Some(Object::Node) {
            presets.insert("node".to_owned(), json!(name));
        }
    }
    if let (Some(place), false) = (&action.place, presets.contains_key("node")) {
        presets.insert("node".to_owned(), json!(place));
    }
    if let Some(command) = &action.command {
        presets.insert("command".to_owned(), json!(command));
    }
    match arguments::fill(tool.schema, &view.question, &presets) {
        Ok(input) => vec![Call {
            name: tool.name.to_owned(),
            input,
        }],
        // Where the guest is, and under which number, stands in the lists of guests.
        Err(missing) if matches!(missing.0.as_str(), "node" | "vmid") && view.done.is_empty() => {
            [Topic::Vms, Topic::Containers]
                .into_iter()
                .filter_map(|topic| pick(view, topic))
                .filter_map(|list| call(view, &Intent::default(), list, None))
                .collect()
        }
        Err(_) => Vec::new(),
    }
}

/// The one guest that the words mean.
pub(super) fn target(view: &View<'_>, intent: &Intent) -> Option<Guest> {
    if let Some(guest) = intent.guests.first() {
        return Some(guest.clone());
    }
    let name = intent.stranger.as_deref()?;
    facts::guests(view).into_iter().find(|guest| {
        guest
            .name
            .as_deref()
            .is_some_and(|n| n.eq_ignore_ascii_case(name))
    })
}
