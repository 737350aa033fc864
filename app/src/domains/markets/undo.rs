//! Undo and redo of a person's own changes of drawings, by edits as any other.
//!
//! It lasts as long as the page is open. What happened to a position is not undone: it is a record
//! of what was.

use leptos::prelude::*;
use markets_wire::State;
use serde_json::{Map, Value};

use super::{
    drawing::{Drawing, call_of},
    edit::{Course, Edit, Edits, Undoing},
    page_state::ChartPageState,
    texts::drawings::reasons,
};

/// The most changes that can be undone.
const MOST: usize = 100;

/// Fields of a drawing that the call takes which draws it again, beside its shape.
const KEPT: [&str; 6] = ["label", "note", "tags", "importance", "visible_on", "style"];

impl ChartPageState {
    /// Returns whether there is a change to undo, of one drawing or of any.
    pub(super) fn can_undo(self, id: Option<&str>) -> bool {
        let undoings = self.edits.undoings.read();
        undoings.iter().any(|it| it.is_of(id))
    }

    /// Undoes the newest change, of one drawing or of any; returns whether there was one.
    pub(super) fn undo_change(self, id: Option<&str>) -> bool {
        self.take_back(self.edits.undoings, id, Course::Back)
    }

    /// Makes the change again that was undone last; returns whether there was one.
    pub(super) fn redo_change(self) -> bool {
        self.take_back(self.edits.redoings, None, Course::Again)
    }

    fn take_back(
        self,
        stack: RwSignal<Vec<Undoing>>,
        id: Option<&str>,
        course: fn(String) -> Course,
    ) -> bool {
        // A change that is being saved is newer than all that can be undone.
        if untrack(|| self.channel.bars().is_some() || self.edits.is_busy()) {
            return false;
        }
        let newest = stack.try_update(|undoings| {
            let at = undoings.iter().rposition(|it| it.is_of(id))?;
            Some(undoings.remove(at))
        });
        let Some(Undoing { id, edit }) = newest.flatten() else {
            return false;
        };
        self.queue(edit, course(id));
        true
    }

    /// Notes a change that was made, with its inverse and the drawing that it returned.
    pub(super) fn note_done(self, course: &Course, inverse: Option<Edit>, made: Option<&Drawing>) {
        let Some(made) = made else {
            return;
        };
        let Edits {
            undoings, redoings, ..
        } = self.edits;
        let (into, other) = match course {
            Course::Back(_) => (redoings, undoings),
            Course::Forward | Course::Again(_) => (undoings, redoings),
        };
        let old = match course {
            Course::Forward => None,
            Course::Back(old) | Course::Again(old) => Some(old),
        };
        let id = made.id();
        other.update(|undoings| match old {
            Some(old) => follow(undoings, old, id),
            None => undoings.clear(),
        });
        let is_new = inverse.is_none() && made.version() == 1;
        let edit = inverse.or_else(|| is_new.then(|| removal(id, course.reason_back())));
        into.update(|undoings| {
            if let Some(old) = old {
                follow(undoings, old, id);
            }
            if let Some(edit) = edit {
                let id = id.to_owned();
                undoings.push(Undoing { id, edit });
                let more = undoings.len().saturating_sub(MOST);
                undoings.drain(..more);
            }
        });
    }
}

/// Follows a drawing to its new identifier, if it has another one.
fn follow(undoings: &mut [Undoing], old: &str, new: &str) {
    for it in undoings.iter_mut().filter(|it| it.id == old) {
        it.follow(new);
    }
}

fn removal(id: &str, reason: &str) -> Edit {
    Edit::Remove {
        id: id.to_owned(),
        reason: reason.to_owned(),
    }
}

/// Returns the edit that takes back another one of this course, from the drawing before that.
pub(super) fn inverse(edit: &Edit, course: &Course, before: &Drawing) -> Option<Edit> {
    let content = before.content_json()?;
    match edit {
        Edit::Update { id, changes, .. } => Some(Edit::Update {
            id: id.clone(),
            reason: course.reason_back().to_owned(),
            changes: values_before(changes, content),
        }),
        Edit::Remove { .. } => {
            // A position that somebody has accepted has a past, which a new one would not have.
            if matches!(before.position(), Some((_, state)) if state != State::Signal) {
                return None;
            }
            let (tool, input) =
                call_of(content.get("shape")?, before.symbol(), before.is_private())?;
            let Value::Object(mut input) = input else {
                return None;
            };
            for name in KEPT {
                if let Some(value) = content.get(name) {
                    input.insert(name.to_owned(), value.clone());
                }
            }
            let word = match course {
                Course::Back(_) => reasons::REDONE,
                Course::Forward | Course::Again(_) => reasons::RESTORED,
            };
            let reason = reasons::again(word, &before.reason());
            input.insert("reason".to_owned(), reason.into());
            Some(Edit::Call {
                tool,
                input: input.into(),
            })
        }
        Edit::Call { .. } | Edit::Event { .. } => None,
    }
}

/// Returns the values that the fields of a patch have in a content.
fn values_before(patch: &Value, content: &Value) -> Value {
    let Value::Object(patch) = patch else {
        return content.clone();
    };
    let fields = patch.iter().filter_map(|(name, value)| {
        let before = content.get(name)?;
        Some((name.clone(), values_before(value, before)))
    });
    Value::Object(fields.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use protocol::FromJson;
    use serde_json::json;

    use super::*;

    fn line() -> Drawing {
        line_of("everyone")
    }

    fn line_of(owner: &str) -> Drawing {
        let at = "2017-03-10T13:00:00Z";
        Drawing::from_json(json!({
            "id": "call_01", "owner": owner, "symbol": "EURUSD", "version": 3,
            "actor": "model", "group": "trn_1", "reason": "a high", "created_at": at,
            "removed": false, "dropped": 0, "changes": [],
            "content": { "shape": { "kind": "horizontal_line", "price": 1.085 }, "label": "Top",
                "note": "", "tags": [], "importance": "high", "locked": false, "hidden": false,
                "style": { "colour": "red", "line": "solid", "width": 0 }, "visible_on": ["H4"] },
        }))
        .unwrap()
    }

    #[test]
    fn an_update_goes_back_to_the_values_before() {
        let edit = Edit::Update {
            id: "call_01".to_owned(),
            reason: "edited by hand".to_owned(),
            changes: json!({ "label": "Roof", "style": { "colour": "cyan" },
                "shape": { "kind": "horizontal_line", "price": 1.09 } }),
        };
        for (course, reason) in [
            (Course::Forward, "undone by hand"),
            (Course::Back("call_01".to_owned()), "redone by hand"),
            (Course::Again("call_01".to_owned()), "undone by hand"),
        ] {
            let back = inverse(&edit, &course, &line()).unwrap();
            let expect = Edit::Update {
                id: "call_01".to_owned(),
                reason: reason.to_owned(),
                changes: json!({ "label": "Top", "style": { "colour": "red" },
                    "shape": { "kind": "horizontal_line", "price": 1.085 } }),
            };
            assert_eq!(back, expect);
        }
    }

    #[test]
    fn a_removed_drawing_is_drawn_again() {
        let back =
            |course: &Course, before: &Drawing| inverse(&removal("call_01", "any"), course, before);
        let Some(Edit::Call { tool, input }) = back(&Course::Forward, &line()) else {
            panic!("no call");
        };
        assert_eq!(tool, "draw_horizontal_line");
        let expect = json!({ "symbol": "EURUSD", "price": 1.085, "label": "Top", "note": "",
            "tags": [], "importance": "high", "visible_on": ["H4"],
            "style": { "colour": "red", "line": "solid", "width": 0 },
            "reason": "restored by hand: a high" });
        assert_eq!(input, expect);
        // What one person alone saw does not come back for everybody.
        let Some(Edit::Call { input, .. }) = back(&Course::Forward, &line_of("usr_1")) else {
            panic!("no call");
        };
        assert_eq!(input["seen_by"], "me");
        // Drawing it was undone, and is made again.
        let undone = Course::Back("call_01".to_owned());
        let Some(Edit::Call { input, .. }) = back(&undone, &line()) else {
            panic!("no call");
        };
        assert_eq!(input["reason"], "redone by hand: a high");
    }

    #[test]
    fn a_reason_tells_once_that_a_drawing_came_back() {
        for before in [
            "a high",
            "redone by hand: a high",
            "restored by hand: redone by hand: a high",
        ] {
            let again = reasons::again(reasons::REDONE, before);
            assert_eq!(again, "redone by hand: a high");
        }
    }

    #[test]
    fn what_is_undone_follows_a_new_identifier() {
        let mut undoing = Undoing {
            id: "call_01".to_owned(),
            edit: removal("call_01", "undone by hand"),
        };
        undoing.follow("call_02");
        assert_eq!(
            (undoing.id, undoing.edit),
            ("call_02".to_owned(), removal("call_02", "undone by hand"))
        );
    }
}
