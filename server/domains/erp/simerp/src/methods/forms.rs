//! `frappe.desk.*`: metadata, history, link search, counts, reports, comments.

use serde_json::{Map, Value, json};

use super::client::{listing_of, permissions};
use super::{MethodAnswer, MethodRow, MethodVerb, need};
use crate::books::{SimBooks, put_new};
use crate::cell::SimDoc;
use crate::docs;
use crate::flow;
use crate::listing;
use crate::meta::{SimField, SimType};
use crate::refusal::{SimResult, no_document};
use crate::reports;
use crate::rights::{self, Right, demand_doc};
use crate::wire::Args;

pub(super) const METHODS: &[MethodRow] = &[
    (
        "frappe.desk.form.load.getdoctype",
        MethodVerb::Reads,
        getdoctype,
    ),
    (
        "frappe.desk.form.load.get_docinfo",
        MethodVerb::Reads,
        get_docinfo,
    ),
    (
        "frappe.desk.search.search_link",
        MethodVerb::Reads,
        search_link,
    ),
    (
        "frappe.desk.reportview.get_count",
        MethodVerb::Reads,
        get_count,
    ),
    (
        "frappe.desk.query_report.run",
        MethodVerb::Reads,
        run_report,
    ),
    (
        "frappe.desk.form.linked_with.get_submitted_linked_docs",
        MethodVerb::Reads,
        submitted_linked,
    ),
    (
        "frappe.desk.form.utils.add_comment",
        MethodVerb::Writes,
        add_comment,
    ),
    (
        "frappe.utils.change_log.get_versions",
        MethodVerb::Reads,
        |books, _| {
            let (frappe, erpnext) = if books.profile.is_16() {
                ("16.34.0", "16.34.0")
            } else {
                ("15.109.0", "15.109.0")
            };
            let app = |title: &str, version: &str| {
                let branch = format!("version-{}", &version[..2]);
                json!({
                    "title": title, "description": "", "branch": branch, "version": version,
                    "branch_version": format!("{version} (simulated)"),
                })
            };
            Ok(json!({"frappe": app("Frappe Framework", frappe), "erpnext": app("ERPNext", erpnext)}).into())
        },
    ),
];

fn field_json(field: &SimField, at: usize) -> Value {
    let mut out = json!({
        "doctype": "DocField", "idx": at + 1, "fieldname": field.name, "label": field.label,
        "fieldtype": field.kind.word(), "options": field.options,
        "reqd": i64::from(field.reqd()), "read_only": i64::from(field.read_only()),
        "permlevel": field.permlevel(), "allow_on_submit": i64::from(field.allow_on_submit()),
        "set_only_once": i64::from(field.set_only_once()), "unique": i64::from(field.unique()),
        "no_copy": i64::from(field.no_copy()), "in_list_view": i64::from(field.in_list()),
        "hidden": 0, "default": field.default, "fetch_from": field.fetch_from,
        "depends_on": null, "mandatory_depends_on": null, "precision": "",
        "is_custom_field": i64::from(field.is_custom),
    });
    for name in ["options", "default", "fetch_from"] {
        if out[name] == "" {
            out[name] = Value::Null;
        }
    }
    out
}

/// The metadata of one type.
pub(crate) fn meta_of(books: &SimBooks, of: &SimType) -> Value {
    let fields: Vec<_> = of
        .fields
        .iter()
        .enumerate()
        .map(|(at, field)| field_json(field, at))
        .collect();
    let permissions: Vec<_> = of
        .rights
        .iter()
        .flat_map(|(role, letters)| {
            let has = |letter: char| i64::from(letters.contains(letter));
            let high = letters.contains('d');
            (0..=i64::from(high)).map(move |level| {
                json!({
                    "doctype": "DocPerm", "role": role, "permlevel": level,
                    "read": has('r'), "write": has('w'), "create": has('c'), "submit": has('s'),
                    "cancel": has('x'), "delete": has('d'), "amend": has('a'), "report": has('r'),
                    "if_owner": 0,
                })
            })
        })
        .collect();
    let workflows: Vec<_> = flow::of(books, of.name)
        .iter()
        .map(|it| it.json(true))
        .collect();
    let title = if of.title.is_empty() {
        Value::Null
    } else {
        json!(of.title)
    };
    json!({
        "doctype": "DocType", "name": of.name, "module": "Aldergate",
        "istable": i64::from(of.is_table()), "issingle": i64::from(of.is_single()),
        "is_submittable": i64::from(of.is_submittable()),
        "track_changes": i64::from(of.keeps_versions()),
        "autoname": autoname(of), "title_field": title, "search_fields": of.search,
        "sort_field": if books.profile.is_16() { "creation" } else { "modified" },
        "sort_order": "DESC", "fields": fields, "permissions": permissions,
        "__workflow_docs": workflows,
    })
}

fn autoname(of: &SimType) -> String {
    let has_series = of.field("naming_series").is_some();
    match of.naming {
        _ if has_series => "naming_series:".to_owned(),
        "prompt" => "Prompt".to_owned(),
        "single" | "bom" => String::new(),
        other => match other.split_once(':') {
            Some(("series" | "ledger", prefix)) => format!("{prefix}.#####"),
            _ => other.to_owned(),
        },
    }
}

fn getdoctype(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let kind = need(args, "doctype")?;
    let of = books.type_of(&kind)?;
    let mut docs = vec![meta_of(books, &of)];
    for table in of.tables() {
        if let Some(child) = books.meta.get(table.options) {
            docs.push(meta_of(books, child));
        }
    }
    let mut root = Map::new();
    root.insert("docs".to_owned(), Value::Array(docs));
    root.insert("user_settings".to_owned(), json!("{}"));
    Ok(MethodAnswer::Root(root))
}

fn get_docinfo(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let (kind, name) = (need(args, "doctype")?, need(args, "name")?);
    let doc = books.load(&kind, &name)?;
    demand_doc(books, &doc, Right::Read)?;
    let entries = |of: &'static str, field: &'static str, type_field: &'static str| {
        let mut found: Vec<_> = books
            .by(of, field, &name)
            .filter(|it| it.text(type_field) == kind)
            .cloned()
            .collect();
        found.sort_by(|a, b| b.text("creation").cmp(a.text("creation")));
        found
    };
    let comments = entries("Comment", "reference_name", "reference_doctype");
    let of_type = |kind: &str| -> Vec<Value> {
        let some = comments.iter().filter(|it| it.text("comment_type") == kind);
        some.map(|it| it.json(true)).collect()
    };
    let versions: Vec<_> = entries("Version", "docname", "ref_doctype")
        .iter()
        .take(10)
        .map(|it| it.json(true))
        .collect();
    let info = json!({
        "doctype": kind, "name": name,
        "comments": of_type("Comment"), "workflow_logs": of_type("Workflow"),
        "info_logs": of_type("Info"), "versions": versions,
        "communications": [], "automated_messages": [], "attachments": [], "assignments": [],
        "shared": [], "views": [], "energy_point_logs": [], "tags": "",
        "permissions": permissions(books, &doc), "user_info": {},
    });
    let mut root = Map::new();
    root.insert("docinfo".to_owned(), info);
    Ok(MethodAnswer::Root(root))
}

fn search_link(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let kind = need(args, "doctype")?;
    let on = books.type_of(&kind)?;
    let limit = args.number("page_length").unwrap_or(10);
    let text = args.text("txt").to_lowercase();
    if kind == "DocType" {
        // Without regard to rights.
        let names = books
            .meta
            .all()
            .filter(|it| it.name.to_lowercase().contains(&text));
        let rows = names
            .take(limit)
            .map(|it| json!({"value": it.name, "description": "Aldergate"}));
        return Ok(Value::Array(rows.collect()).into());
    }
    rights::demand(books, &on, Right::Read)?;
    let mut of = listing_of(args);
    of.fields = Some(json!(["name"]));
    of.limit = None;
    of.start = 0;
    let (rows, _) = listing::list(books, &kind, &of)?;
    let mut hits = Vec::new();
    for row in &rows {
        let name = row["name"].as_str().unwrap_or_default();
        let Some(doc) = books.find(&kind, name) else {
            continue;
        };
        if doc.flag("disabled") {
            continue;
        }
        let fields = on
            .search
            .split(',')
            .chain([on.title])
            .filter(|it| !it.is_empty());
        let mut shown: Vec<String> = Vec::new();
        let mut hit = name.to_lowercase().contains(&text);
        for field in fields {
            let value = doc.get(field).shown();
            hit |= value.to_lowercase().contains(&text);
            if !value.is_empty() && value != name && field != on.title && !shown.contains(&value) {
                shown.push(value);
            }
        }
        if hit {
            let starts = !name.to_lowercase().starts_with(&text);
            hits.push((
                starts,
                name.to_owned(),
                doc.get(on.title).shown(),
                shown.join(", "),
            ));
        }
    }
    hits.sort();
    let rows = hits
        .into_iter()
        .take(limit)
        .map(|(_, value, label, description)| {
            let mut row = json!({"value": value, "description": description});
            if !label.is_empty() && row["value"] != json!(label) {
                row["label"] = json!(label);
            }
            row
        });
    Ok(Value::Array(rows.collect()).into())
}

fn get_count(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let kind = need(args, "doctype")?;
    let mut of = listing_of(args);
    of.limit = args.number("limit").filter(|limit| *limit > 0);
    of.order_by = String::new();
    Ok(json!(listing::count(books, &kind, &of)?).into())
}

fn run_report(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let name = need(args, "report_name")?;
    let filters = args.object("filters").unwrap_or_default();
    let now = args.flag("ignore_prepared_report");
    reports::run(books, &name, &Args(filters), now).map(MethodAnswer::Message)
}

fn submitted_linked(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let (kind, name) = (need(args, "doctype")?, need(args, "name")?);
    let doc = books.load(&kind, &name)?;
    demand_doc(books, &doc, Right::Read)?;
    let found = docs::submitted_links(books, doc.kind, &name);
    let rows: Vec<_> = found
        .iter()
        .map(|(kind, name)| json!({"doctype": kind, "name": name, "docstatus": 1}))
        .collect();
    Ok(json!({"docs": rows, "count": rows.len()}).into())
}

fn add_comment(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let kind = need(args, "reference_doctype")?;
    let name = need(args, "reference_name")?;
    let doc = books.load(&kind, &name)?;
    demand_doc(books, &doc, Right::Read)?;
    if books.meta.get(&kind).is_none() {
        return Err(no_document("DocType", &kind));
    }
    let comment = SimDoc::new("Comment")
        .with("comment_type", "Comment")
        .with("comment_email", args.text("comment_email"))
        .with("comment_by", args.text("comment_by"))
        .with("reference_doctype", doc.kind)
        .with("reference_name", &name)
        .with("content", args.text("content"));
    let name = put_new(books, comment);
    Ok(books.load("Comment", &name)?.json(true).into())
}
