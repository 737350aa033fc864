//! The drawings that this person alone sees. The board, which all tabs share, has none of them: the page
//! reads them, and again when the board tells that some such drawing was written. They bring their notices:
//! the engine's are everybody's.

use kit::effect;
use leptos::prelude::*;
use markets_wire::State;
use protocol::RaisedNotice;
use serde_json::Value;

use super::{
    page_state::{ChartPageState, is_private},
    place::BOARD,
};
use crate::api;

impl ChartPageState {
    /// Keeps them up to date from now on.
    pub(super) fn follow_own(self) {
        effect(move || {
            let asked = self.own.get();
            leptos::task::spawn_local(self.read_own(asked));
        });
    }

    async fn read_own(self, asked: u32) {
        let (kind, name) = ("drawings".to_owned(), "own".to_owned());
        let answer = api::page(BOARD.to_owned(), kind, name, String::new()).await;
        // A later answer is newer, or the page is gone.
        if self.own.try_get_untracked() != Some(asked) {
            return;
        }
        match answer {
            Ok(answer) => self.put_own(answer.value),
            Err(error) => self.channel.toasts.error(error.0),
        }
    }

    fn put_own(self, own: Value) {
        let Value::Object(own) = own else {
            return;
        };
        let drawings = self.drawings();
        for id in untrack(|| drawings.names()) {
            if is_private(&drawings, &id) && !own.contains_key(&id) {
                drawings.remove(&id);
            }
        }
        for (id, mut part) in own {
            let told = part.as_object_mut().and_then(|part| part.remove("notice"));
            let before = self.state_of(&id);
            drawings.put(&id, part);
            // Announced once, like everybody's notices: of a position that was on the page before.
            if let Some(Value::String(text)) = told
                && before.is_some()
                && before != self.state_of(&id)
            {
                let raised = RaisedNotice { grave: false, text };
                self.channel.raised.set(Some(raised));
            }
        }
    }

    /// Returns the state of a position on the page.
    fn state_of(self, id: &str) -> Option<State> {
        let drawing = untrack(|| self.drawing(id))?;
        Some(drawing.record()?.life.as_ref()?.state)
    }
}
