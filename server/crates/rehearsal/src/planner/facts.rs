//! What the data says of nodes and guests: names to plan with.

use serde_json::Value;

use super::view::View;

/// A node that the data names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) name: String,
    /// None when the data does not say.
    pub(super) online: Option<bool>,
    /// What it is for, such as `compute and NAS`.
    pub(super) role: Option<String>,
}

/// What kind a guest is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Vm,
    Container,
}

/// A guest that the data names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Guest {
    pub(super) vmid: u64,
    pub(super) name: Option<String>,
    pub(super) node: Option<String>,
    pub(super) kind: Option<Kind>,
}

/// All nodes that are known, in the order of the newest data that names them.
pub(super) fn nodes(view: &View<'_>) -> Vec<Node> {
    let mut found = Vec::new();
    for (_, data) in view.all_data() {
        walk(data, "", &mut |key, object| {
            let under_nodes = key == "nodes" || key == "node" || object["type"] == "node";
            let name = object["node"]
                .as_str()
                .or_else(|| object["name"].as_str().filter(|_| under_nodes));
            let Some(name) = name else { return };
            let online = if under_nodes { online(object) } else { None };
            add(&mut found, name, online);
            if let (true, Some(role)) = (under_nodes, object["role"].as_str())
                && let Some(node) = found.iter_mut().find(|node| node.name == name)
            {
                node.role.get_or_insert_with(|| role.to_owned());
            }
        });
        names_of_nodes(data, &mut found);
    }
    for tool in &view.tools {
        let choices = tool.schema["properties"]["node"]["enum"].as_array();
        for name in choices.into_iter().flatten().filter_map(Value::as_str) {
            add(&mut found, name, None);
        }
    }
    found
}

fn add(found: &mut Vec<Node>, name: &str, online: Option<bool>) {
    match found.iter_mut().find(|node| node.name == name) {
        Some(node) => node.online = node.online.or(online),
        None => found.push(Node {
            name: name.to_owned(),
            online,
            role: None,
        }),
    }
}

/// Nodes as keys (`"nodes": {"pve": …}`) or as plain strings.
fn names_of_nodes(data: &Value, found: &mut Vec<Node>) {
    let Some(fields) = data.as_object() else {
        return;
    };
    match fields.get("nodes") {
        Some(Value::Object(nodes)) => {
            for (name, value) in nodes {
                match value {
                    Value::Object(_) => add(found, name, online(value)),
                    Value::String(line) => add(found, name, online_line(line)),
                    _ => {}
                }
            }
        }
        Some(Value::Array(names)) => {
            for name in names.iter().filter_map(Value::as_str) {
                add(found, name, None);
            }
        }
        _ => {}
    }
}

/// Reads `online, CPU 12 %` and `OFFLINE`.
fn online_line(line: &str) -> Option<bool> {
    let first = line.split(|c: char| !c.is_alphanumeric()).next();
    match first.map(str::to_lowercase).as_deref() {
        Some("online") => Some(true),
        Some("offline") => Some(false),
        _ => None,
    }
}

fn online(node: &Value) -> Option<bool> {
    match &node["online"] {
        Value::Bool(online) => return Some(*online),
        Value::Number(number) => return Some(number.as_u64() != Some(0)),
        _ => {}
    }
    match node["status"].as_str().or_else(|| node["state"].as_str()) {
        Some("online" | "ok" | "running") => Some(true),
        Some("offline" | "down" | "unreachable") => Some(false),
        _ => None,
    }
}

/// All guests that are known.
pub(super) fn guests(view: &View<'_>) -> Vec<Guest> {
    let mut found: Vec<Guest> = Vec::new();
    for (tool, data) in view.all_data() {
        walk(data, "", &mut |key, object| {
            let Some(vmid) = object["vmid"].as_u64() else {
                return;
            };
            let own = object["type"].as_str().or_else(|| object["kind"].as_str());
            let hint = [own.unwrap_or_default(), key, tool];
            let kind = hint.iter().find_map(|hint| kind(hint));
            let text = |key: &str| object[key].as_str().map(str::to_owned);
            match found.iter_mut().find(|guest| guest.vmid == vmid) {
                Some(guest) => {
                    guest.name = guest.name.take().or_else(|| text("name"));
                    guest.node = guest.node.take().or_else(|| text("node"));
                    guest.kind = guest.kind.or(kind);
                }
                None => found.push(Guest {
                    vmid,
                    name: text("name"),
                    node: text("node"),
                    kind,
                }),
            }
        });
    }
    found
}

fn kind(hint: &str) -> Option<Kind> {
    let hint = hint.to_lowercase();
    if hint.contains("lxc") || hint.contains("container") {
        Some(Kind::Container)
    } else if hint.contains("qemu") || hint.contains("vm") && !hint.contains("vmid") {
        Some(Kind::Vm)
    } else {
        None
    }
}

/// Calls `visit` with every object and the key that it stands under; list items have the key of
/// their list.
pub(super) fn walk(value: &Value, key: &str, visit: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(fields) => {
            visit(key, value);
            for (key, value) in fields {
                walk(value, key, visit);
            }
        }
        Value::Array(items) => {
            for item in items {
                walk(item, key, visit);
            }
        }
        _ => {}
    }
}
