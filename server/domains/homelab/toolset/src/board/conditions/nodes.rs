//! Node conditions: down, unsteady, hot, disk full.

use homelab_wire::NodePart;

use super::{SurveyState, full, read};
use crate::{config::NoticeKind, texts};

/// Age in milliseconds at which a temperature is out of date. Temperatures are read rarely while
/// nobody is watching.
const OLD: i64 = 15 * 60 * 1000;

impl SurveyState<'_> {
    pub(super) fn nodes(&mut self) {
        let nodes: Vec<NodePart> = self.parts("node").filter_map(|(_, it)| read(it)).collect();
        for node in &nodes {
            self.is_down(node);
            self.is_unsteady(node);
            self.is_hot(node);
            self.root_disk(node);
        }
    }

    fn is_down(&mut self, node: &NodePart) {
        let name = &node.name;
        let key = format!("node/{name}/down");
        let text = match (node.state.value().map(String::as_str), &node.past) {
            (Some("online"), _) => return,
            (Some(state), _) => texts::conditions::node_is(name, state),
            // Listed as online, but silent.
            (None, Some(_)) => texts::conditions::node_does_not_answer(name),
            (None, None) => return self.unsure(&key),
        };
        self.add(&key, NoticeKind::Node, true, &about(name), text);
    }

    fn is_unsteady(&mut self, node: &NodePart) {
        let name = &node.name;
        if let Some(times) = node.unsteady {
            let key = format!("node/{name}/unsteady");
            let text = texts::conditions::node_comes_and_goes(name, times);
            self.add(&key, NoticeKind::Node, false, &about(name), text);
        }
    }

    fn is_hot(&mut self, node: &NodePart) {
        let name = &node.name;
        let key = format!("node/{name}/hot");
        let fresh = node.celsius_at.is_some_and(|at| self.now.0 - at.0 <= OLD);
        let Some(celsius) = node.celsius.value().filter(|_| fresh) else {
            return self.unsure(&key);
        };
        let limit = f64::from(self.config.notices.celsius);
        if *celsius >= limit {
            let text = texts::conditions::hot_processor(name, *celsius);
            self.add(&key, NoticeKind::Temperature, false, &about(name), text);
        }
    }

    fn root_disk(&mut self, node: &NodePart) {
        let name = &node.name;
        let key = format!("node/{name}/disk");
        // A figure from before the node went silent proves nothing now.
        let now = node.disk_used.value().filter(|_| node.past.is_none());
        let Some(percent) = full(now, node.disk_total) else {
            return self.unsure(&key);
        };
        let text = texts::conditions::full_root_disk(name, percent);
        self.fills(&key, percent, &about(name), text);
    }

    /// Raises a filling disk or storage, first as a warning, then as grave.
    pub(super) fn fills(&mut self, key: &str, percent: f64, about: &str, text: String) {
        let grave = percent >= f64::from(self.config.notices.full_percent);
        if percent >= f64::from(self.config.storage_warning_percent) {
            self.add(key, NoticeKind::Storage, grave, about, text);
        }
    }
}

fn about(name: &str) -> String {
    format!("node {name}")
}
