//! Subjects of actions, and the offers that apply to them now.

use homelab_wire::OffersPart;
use kit::format::upright;
use protocol::{Known, Offer, OwnCall, Reference};
use serde_json::{Map, Value};

use crate::domains::homelab::{ClusterObject, board::HudBoard, texts};

/// A thing on the board that tools act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::domains::homelab) enum Subject {
    Guest(u64),
    Node(String),
}

/// A subject in the board's present state.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ActSubject {
    subject: Subject,
    /// `VM`, `CT` or `node`.
    on: String,
    /// Name of the node that it is, or is on.
    node: String,
    name: Option<String>,
    pub(super) state: Known<String>,
}

impl Subject {
    /// Returns the key of its part of the board.
    pub(super) fn key(&self) -> String {
        match self {
            Self::Guest(vmid) => format!("guest/{vmid}"),
            Self::Node(name) => format!("node/{name}"),
        }
    }

    /// Returns the thing whose page shows it.
    pub(super) fn page(&self) -> ClusterObject {
        match self {
            Self::Guest(vmid) => ClusterObject::Guest(*vmid),
            Self::Node(name) => ClusterObject::Node(name.clone()),
        }
    }

    pub(super) fn reference(&self) -> Reference {
        let thing = self.page();
        Reference::new(thing.kind(), thing.name())
    }

    /// Returns the subject of a call; none if it is nothing on the board.
    pub(super) fn of(own: &OwnCall) -> Option<Self> {
        match (own.input.get("vmid"), own.input.get("node")) {
            (Some(vmid), _) => vmid.as_u64().map(Self::Guest),
            (None, Some(node)) => node.as_str().map(|node| Self::Node(node.to_owned())),
            (None, None) => None,
        }
    }

    /// Returns its present state on the board, if it is there. Follows changes.
    pub(super) fn thing(&self, board: &HudBoard) -> Option<ActSubject> {
        use leptos::prelude::Read;

        let subject = self.clone();
        match self {
            Self::Guest(vmid) => {
                let guest = board.guests().get(&vmid.to_string())?;
                let guest = guest.read();
                Some(ActSubject {
                    subject,
                    on: guest.kind.clone(),
                    node: guest.node.clone(),
                    name: guest.name.clone(),
                    state: guest.state.clone(),
                })
            }
            Self::Node(name) => {
                let node = board.nodes().get(name)?;
                let node = node.read();
                Some(ActSubject {
                    subject,
                    on: "node".to_owned(),
                    node: node.name.clone(),
                    name: None,
                    state: node.state.clone(),
                })
            }
        }
    }
}

impl ActSubject {
    /// Returns its name in full: `VM 101 (nextcloud) on node pve`.
    pub(super) fn title(&self) -> String {
        let node = upright(self.node.clone());
        match (&self.subject, &self.name) {
            (Subject::Node(_), _) => texts::node(&node),
            (Subject::Guest(vmid), Some(name)) => {
                let name = upright(name.clone());
                texts::named_guest_on(&self.on, *vmid, &name, &node)
            }
            (Subject::Guest(vmid), None) => texts::guest_on(&self.on, *vmid, &node),
        }
    }

    /// Returns the offers that make sense in its state.
    pub(super) fn offers(&self, part: &OffersPart) -> Vec<Offer> {
        let state = self.state.value();
        let fits = |offer: &&Offer| {
            offer.on == self.on
                && state == Some(&offer.when)
                && (offer.only.is_empty() || offer.only.contains(&self.node))
        };
        part.offers.iter().filter(fits).cloned().collect()
    }

    /// Returns the reason why nobody may act on it, if there is one.
    pub(super) fn barred(&self, part: &OffersPart) -> Option<String> {
        let node = format!("node/{}", self.node);
        let found = part.barred.iter().find(|barred| {
            barred.key == self.subject.key() || barred.key.eq_ignore_ascii_case(&node)
        });
        found.map(|barred| barred.reason.clone())
    }

    /// Returns the call of an offer.
    pub(super) fn call(&self, offer: &Offer) -> OwnCall {
        let mut input = Map::new();
        input.insert("node".to_owned(), self.node.clone().into());
        if let Subject::Guest(vmid) = self.subject {
            input.insert("vmid".to_owned(), vmid.into());
        }
        if let Value::Object(with) = &offer.with {
            input.extend(with.clone());
        }
        OwnCall {
            tool: offer.tool.clone(),
            input: Value::Object(input),
        }
    }
}

#[cfg(test)]
mod tests {
    use homelab_wire::Barred;
    use serde_json::json;

    use super::*;

    fn offer(tool: &str, on: &str, when: &str) -> Offer {
        Offer {
            tool: tool.to_owned(),
            label: tool.to_owned(),
            on: on.to_owned(),
            when: when.to_owned(),
            only: Vec::new(),
            with: Value::Null,
        }
    }

    fn guest(vmid: u64, state: Known<String>) -> ActSubject {
        ActSubject {
            subject: Subject::Guest(vmid),
            on: "CT".to_owned(),
            node: "pve".to_owned(),
            name: Some("pi\u{202e}hole".to_owned()),
            state,
        }
    }

    #[test]
    fn what_makes_sense_is_offered() {
        let part = OffersPart {
            offers: vec![
                offer("start_container", "CT", "stopped"),
                offer("stop_container", "CT", "running"),
                offer("stop_vm", "VM", "running"),
                Offer {
                    only: vec!["pve".to_owned()],
                    with: json!({ "service": "pveproxy" }),
                    ..offer("restart_service", "node", "online")
                },
            ],
            barred: vec![Barred {
                key: "node/PVE2".to_owned(),
                reason: "Protected.".to_owned(),
            }],
        };
        let tools = |thing: &ActSubject| {
            let offers = thing.offers(&part).into_iter();
            offers.map(|offer| offer.tool).collect::<Vec<_>>()
        };
        let is = |state: &str| Known::Value(state.to_owned());
        assert_eq!(tools(&guest(7, is("running"))), ["stop_container"]);
        assert_eq!(tools(&guest(7, is("stopped"))), ["start_container"]);
        assert!(tools(&guest(7, Known::unknown("no answer"))).is_empty());
        let node = |name: &str| ActSubject {
            subject: Subject::Node(name.to_owned()),
            on: "node".to_owned(),
            node: name.to_owned(),
            name: None,
            state: is("online"),
        };
        assert_eq!(tools(&node("pve")), ["restart_service"]);
        assert!(tools(&node("pve2")).is_empty());
        let call = node("pve").call(&part.offers[3]);
        assert_eq!(call.input, json!({ "node": "pve", "service": "pveproxy" }));
        assert_eq!(Subject::of(&call), Some(Subject::Node("pve".to_owned())));

        let running = guest(7, is("running"));
        let call = running.call(&part.offers[1]);
        assert_eq!(call.input, json!({ "node": "pve", "vmid": 7 }));
        assert_eq!(Subject::of(&call), Some(Subject::Guest(7)));
        assert_eq!(running.barred(&part), None);
        let on_protected = ActSubject {
            node: "pve2".to_owned(),
            ..running
        };
        assert_eq!(on_protected.barred(&part).as_deref(), Some("Protected."));
        assert!(!on_protected.title().contains('\u{202e}'));
    }
}
