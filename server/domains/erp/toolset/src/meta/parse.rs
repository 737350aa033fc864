//! Reading of a type out of the documents that `getdoctype` answers with.

use serde_json::Value;

use super::{
    MetaField, MetaFieldKind, TypeMeta, WorkflowMeta,
    rights::{PermissionRow, TypeRight},
};

/// The type, from a list whose first entry it is; the types of its tables follow. None if the list
/// is not of this form.
pub(super) fn read(docs: &Value) -> Option<TypeMeta> {
    let (first, rest) = docs.as_array()?.split_first()?;
    let permissions = first["permissions"].as_array().into_iter().flatten();
    Some(TypeMeta {
        name: first["name"].as_str()?.to_owned(),
        is_submittable: flag(&first["is_submittable"]),
        is_table: flag(&first["istable"]),
        is_single: flag(&first["issingle"]),
        autoname: text(&first["autoname"]),
        title_field: some(&first["title_field"]),
        fields: fields(first)?,
        tables: rest
            .iter()
            .filter_map(|doc| Some((doc["name"].as_str()?.to_owned(), fields(doc)?)))
            .collect(),
        permissions: permissions.map(permission).collect(),
        workflow: WorkflowMeta::of(&first["__workflow_docs"]),
    })
}

fn fields(doc: &Value) -> Option<Vec<MetaField>> {
    let fields = doc["fields"].as_array()?.iter();
    Some(fields.filter_map(field).collect())
}

fn field(field: &Value) -> Option<MetaField> {
    let fieldtype = text(&field["fieldtype"]);
    Some(MetaField {
        name: some(&field["fieldname"])?,
        label: text(&field["label"]),
        kind: MetaFieldKind::of(&fieldtype),
        fieldtype,
        options: text(&field["options"]),
        is_mandatory: flag(&field["reqd"]),
        is_read_only: flag(&field["read_only"]),
        is_hidden: flag(&field["hidden"]),
        in_list_view: flag(&field["in_list_view"]),
        is_unique: flag(&field["unique"]),
        is_set_once: flag(&field["set_only_once"]),
        allows_change_after_submit: flag(&field["allow_on_submit"]),
        is_not_copied: flag(&field["no_copy"]),
        permlevel: level(&field["permlevel"]),
        length: usize::try_from(field["length"].as_u64().unwrap_or_default()).unwrap_or_default(),
        default: some(&field["default"]),
        fetch_from: some(&field["fetch_from"]),
        fetches_if_empty: flag(&field["fetch_if_empty"]),
        has_condition: some(&field["mandatory_depends_on"]).is_some(),
    })
}

fn permission(row: &Value) -> PermissionRow {
    PermissionRow {
        role: text(&row["role"]),
        permlevel: level(&row["permlevel"]),
        only_if_owner: flag(&row["if_owner"]),
        rights: TypeRight::ALL
            .into_iter()
            .filter(|it| flag(&row[it.word()]))
            .collect(),
    }
}

/// Frappe writes flags as 0 and 1, and older records as texts.
fn flag(value: &Value) -> bool {
    match value {
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_i64() != Some(0),
        Value::String(text) => text == "1",
        _ => false,
    }
}

fn level(value: &Value) -> u8 {
    let level = value.as_u64().and_then(|level| u8::try_from(level).ok());
    // A level that is none must open nothing.
    level.unwrap_or(if value.is_null() { 0 } else { u8::MAX })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn some(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_type_with_table_rights_and_workflow() {
        let docs = json!([
            {
                "name": "Trip", "is_submittable": 1, "title_field": "driver",
                "fields": [
                    {"fieldname": "driver", "fieldtype": "Link", "options": "Employee", "reqd": 1, "in_list_view": 1},
                    {"fieldname": "s1", "fieldtype": "Section Break"},
                    {"fieldname": "cost", "fieldtype": "Currency", "permlevel": 1},
                    {"fieldname": "stops", "fieldtype": "Table", "options": "Trip Stop"},
                    {"fieldtype": "Column Break"},
                ],
                "permissions": [
                    {"role": "Driver", "read": 1, "write": 1, "if_owner": 1},
                    {"role": "Boss", "read": 1, "submit": 1},
                    {"role": "Boss", "permlevel": 1, "read": 1, "write": "1"},
                ],
                "__workflow_docs": [
                    {"name": "Trip Approval", "is_active": 1, "states": [{"state": "Open"}],
                     "transitions": [{"state": "Open", "action": "Approve", "next_state": "Done", "allowed": "Boss", "allow_self_approval": 0}]},
                    {"name": "Open", "doctype": "Workflow State"},
                ],
            },
            {"name": "Trip Stop", "fields": [{"fieldname": "city", "fieldtype": "Data"}]},
        ]);
        let trip = read(&docs).unwrap();
        assert!(trip.is_submittable && !trip.is_table);
        assert_eq!(
            trip.list_columns(),
            ["name", "driver", "docstatus", "modified"]
        );
        let stops = trip.field("stops").unwrap();
        assert_eq!(trip.rows_of(stops).unwrap()[0].name, "city");
        let driver = trip.rights(&["Driver".to_owned()]);
        assert!(
            driver.can(TypeRight::Write)
                && !driver.can(TypeRight::Submit)
                && !driver.reads_level(1)
        );
        assert_eq!(
            driver.shown(),
            json!({"all": [], "own_only": ["read", "write"]})
        );
        let boss = trip.rights(&["Boss".to_owned()]);
        assert!(boss.reads_level(1) && boss.writes_level(1) && !boss.writes_level(0));
        let roles = ["Boss".to_owned()];
        let workflow = trip.workflow.unwrap();
        let step = workflow.steps("Open", &roles).next().unwrap();
        assert!(step.action == "Approve" && !step.allows_self_approval);
        assert_eq!(read(&json!([])), None);
        assert_eq!(level(&json!(-1)), u8::MAX);
    }
}
