//! The outcome of a change whose answer was lost: the document itself says whether it took place.

use serde_json::Value;

use super::{UpdateDocInput, UpdatePlan};
use crate::tools::writing::draft::{self, DraftRowChange};
use crate::{
    dates,
    site::{Document, ErpSite},
    texts::{acting as shared, draft as say},
};

/// The state of a document whose change got no answer.
pub(super) enum UpdateState {
    /// It is as it was read.
    Untouched,
    /// It is as asked for, by this user.
    Done(Box<Document>),
    /// Somebody changed it, and it is not as asked for.
    Otherwise(String),
}

/// Looks at a document whose change got no answer.
pub(super) async fn look(
    site: &ErpSite,
    input: &UpdateDocInput,
    plan: &UpdatePlan,
) -> Result<UpdateState, String> {
    let found = site.document(&plan.meta, &input.name).await;
    let stored = found.map_err(|error| shared::cannot_look(&error.reason()))?;
    let text = |field: &str| {
        stored
            .get(field)
            .and_then(Value::as_str)
            .unwrap_or_default()
    };
    if text("modified") == input.modified {
        return Ok(UpdateState::Untouched);
    }
    if text("modified_by") == plan.who.user && holds(input, plan, &stored) {
        return Ok(UpdateState::Done(Box::new(stored)));
    }
    let at = dates::moment(text("modified"), &plan.who.time_zone);
    let changed = say::changed_otherwise(&at, text("modified_by"));
    Ok(UpdateState::Otherwise(changed))
}

/// True if a document says all that was asked for.
fn holds(input: &UpdateDocInput, plan: &UpdatePlan, stored: &Document) -> bool {
    let is = |values: &Document, name: &str, value: &Value| {
        draft::is_same(values.get(name).unwrap_or(&Value::Null), value)
    };
    let has_fields = plan
        .fields
        .iter()
        .all(|(name, value)| is(stored, name, value));
    let rows = |change: &DraftRowChange| {
        let rows = draft::rows_in(stored, &change.table).iter();
        rows.filter_map(Value::as_object).collect::<Vec<_>>()
    };
    let says = |row: &Document, change: &DraftRowChange| {
        let mut fields = change.fields.iter();
        fields.all(|it| {
            let value = if it.value.as_str() == Some("") {
                &Value::Null
            } else {
                &it.value
            };
            is(row, &it.field, value)
        })
    };
    let counts = plan
        .tables
        .iter()
        .all(|it| draft::rows_in(stored, &it.table).len() == it.rows.len());
    has_fields
        && counts
        && input.rows.iter().all(|change| {
            let named =
                |row: &&Document| row.get("name").and_then(Value::as_str) == change.row.as_deref();
            match (&change.row, change.fields.is_empty()) {
                (None, _) => rows(change).into_iter().any(|row| says(row, change)),
                (Some(_), true) => !rows(change).iter().any(named),
                (Some(_), false) => rows(change)
                    .into_iter()
                    .find(named)
                    .is_some_and(|row| says(row, change)),
            }
        })
}
