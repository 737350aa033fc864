//! The things that a call of a pack names, for cards and policies.

use serde_json::Value;

/// Fields of inputs that name a document, each with its type.
const NAMED: [(&str, &str); 11] = [
    ("item", "Item"),
    ("bom", "BOM"),
    ("work_order", "Work Order"),
    ("sales_order", "Sales Order"),
    ("project", "Project"),
    ("profile", "POS Profile"),
    ("room_type", "Hotel Room Type"),
    ("customer", "Customer"),
    ("employee", "Employee"),
    ("warehouse", "Warehouse"),
    ("price_list", "Price List"),
];

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
    named
        .filter_map(|(field, doctype)| Some(format!("{doctype}/{}", text(field)?).to_lowercase()))
        .collect()
}
