//! The things that a call of a pack names, for cards and policies.

use serde_json::Value;

/// Fields of inputs that name a document, each with its type.
const NAMED: [(&str, &str); 12] = [
    ("item", "Item"),
    ("bom", "BOM"),
    ("work_order", "Work Order"),
    ("sales_order", "Sales Order"),
    ("opening_entry", "POS Opening Entry"),
    ("project", "Project"),
    ("profile", "POS Profile"),
    ("room_type", "Hotel Room Type"),
    ("customer", "Customer"),
    ("employee", "Employee"),
    ("warehouse", "Warehouse"),
    ("price_list", "Price List"),
];

/// Fields of inputs that name several documents, each with their type.
const LISTED: [(&str, &str); 1] = [("timesheets", "Timesheet")];

/// The thing that a call is about, in words for a card: the first that it names, else the company.
pub(super) fn target(input: &Value) -> Option<String> {
    let text = |field: &str| input.get(field).and_then(Value::as_str);
    let named = NAMED
        .iter()
        .find_map(|(field, doctype)| Some(format!("{doctype} {}", text(field)?)));
    named.or_else(|| text("company").map(str::to_owned))
}

/// The things that a call touches, as a policy names them.
pub(super) fn objects(input: &Value) -> Vec<String> {
    let text = |field: &str| input.get(field).and_then(Value::as_str);
    let named = NAMED.iter().chain([&("company", "Company")]);
    let named = named.filter_map(|(field, doctype)| Some((doctype, text(field)?)));
    let listed = LISTED.iter().flat_map(|(field, doctype)| {
        let names = input.get(field).and_then(Value::as_array);
        let names = names.into_iter().flatten().filter_map(Value::as_str);
        names.map(move |name| (doctype, name))
    });
    let objects = named.chain(listed);
    objects
        .map(|(doctype, name)| format!("{doctype}/{name}").to_lowercase())
        .collect()
}
