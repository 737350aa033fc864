//! What a session has defaults for: the company alone, as a fresh ERPNext sets it up.

use serde_json::{Value, json};

use super::{MethodAnswer, MethodRow, MethodVerb};
use crate::books::SimBooks;
use crate::refusal::SimResult;
use crate::rights;
use crate::wire::Args;

pub(super) const METHODS: &[MethodRow] = &[(
    "frappe.core.doctype.session_default_settings.session_default_settings.get_session_default_values",
    MethodVerb::Reads,
    values,
)];

/// Answers with a list as JSON in a text. It needs no right, unlike the settings that the defaults come from.
fn values(books: &mut SimBooks, _: &Args) -> SimResult<MethodAnswer> {
    let own = books.company_defaults.get(&books.user);
    let company = own.or_else(|| books.company_defaults.get(OF_ALL));
    let allowed = rights::allowed(books).remove("Company");
    // One that user permissions keep from the user is no default.
    let company = company.filter(|it| allowed.is_none_or(|names| names.contains(*it)));
    let fields = json!([{
        "fieldname": "company", "fieldtype": "Link", "options": "Company",
        "label": "Default Company", "default": company,
    }]);
    Ok(Value::from(fields.to_string()).into())
}

/// The user whose defaults are those of all who have none.
pub(crate) const OF_ALL: &str = "__default";
