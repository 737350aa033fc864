//! `frappe.client.*` and what belongs to the signed-in user.

use serde_json::{Map, Value, json};

use super::{MethodAnswer, MethodRow, MethodVerb, need};
use crate::books::{QUEUE_TIME, SimBooks, put_new};
use crate::cell::SimDoc;
use crate::docs;
use crate::listing::{self, Listing};
use crate::refusal::{SimResult, forbidden, invalid};
use crate::rights::{self, Right, demand_doc};
use crate::wire::Args;

/// Types whose own submit is not for callers from outside, and which queue above 100 rows.
pub(crate) const SUBMIT_ELSEWHERE: [(&str, &str); 2] = [
    ("Journal Entry", "accounts"),
    ("Stock Reconciliation", "items"),
];

pub(super) const METHODS: &[MethodRow] = &[
    ("ping", MethodVerb::Reads, |_, _| Ok(json!("pong").into())),
    ("frappe.ping", MethodVerb::Reads, |_, _| {
        Ok(json!("pong").into())
    }),
    (
        "frappe.auth.get_logged_user",
        MethodVerb::Reads,
        |books, _| Ok(json!(books.user).into()),
    ),
    ("frappe.client.submit", MethodVerb::Writes, submit),
    ("frappe.client.cancel", MethodVerb::Writes, cancel),
    ("frappe.client.get_count", MethodVerb::Reads, get_count),
    ("frappe.client.get_list", MethodVerb::Reads, get_list),
    ("frappe.client.get", MethodVerb::Reads, get),
    ("frappe.client.get_value", MethodVerb::Reads, get_value),
    (
        "frappe.client.get_single_value",
        MethodVerb::Reads,
        get_single_value,
    ),
    ("frappe.client.insert", MethodVerb::Writes, insert),
    ("frappe.client.save", MethodVerb::Writes, save),
    ("frappe.client.set_value", MethodVerb::Writes, set_value),
    ("frappe.client.delete", MethodVerb::Writes, delete),
    (
        "frappe.client.validate_link",
        MethodVerb::Reads,
        validate_link,
    ),
    (
        "frappe.client.has_permission",
        MethodVerb::Reads,
        has_permission,
    ),
    (
        "frappe.client.get_doc_permissions",
        MethodVerb::Reads,
        get_doc_permissions,
    ),
    ("frappe.client.get_time_zone", MethodVerb::Reads, |_, _| {
        Ok(json!({"time_zone": crate::clock::ZONE}).into())
    }),
    (
        "frappe.core.doctype.user.user.get_roles",
        MethodVerb::Reads,
        get_roles,
    ),
    (
        "frappe.core.doctype.user_permission.user_permission.get_user_permissions",
        MethodVerb::Reads,
        get_user_permissions,
    ),
    (
        "frappe.core.doctype.submission_queue.submission_queue.get_latest_submissions",
        MethodVerb::Reads,
        latest_submissions,
    ),
];

/// The `doc` argument, as an object or as JSON in a text.
fn doc_arg(books: &SimBooks, args: &Args) -> SimResult<SimDoc> {
    let Some(map) = args.object("doc") else {
        return Err(invalid(
            "FrappeTypeError",
            "Argument 'doc' should be a document",
        ));
    };
    let kind = map
        .get("doctype")
        .and_then(Value::as_str)
        .unwrap_or_default();
    docs::from_json(books, kind, &map)
}

fn shown(books: &SimBooks, doc: SimDoc) -> MethodAnswer {
    rights::blank(books, doc).json(true).into()
}

fn submit(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let doc = doc_arg(books, args)?;
    let doc = if doc.name.is_empty() {
        docs::insert(books, doc.with("docstatus", 1), None)?
    } else if let Some(queued) = queued_submit(books, &doc)? {
        queued
    } else {
        docs::submit(books, doc)?
    };
    Ok(shown(books, doc))
}

/// A journal entry or count with more than 100 rows is submitted in the background: the answer is the draft.
pub(crate) fn queued_submit(books: &mut SimBooks, doc: &SimDoc) -> SimResult<Option<SimDoc>> {
    let table = SUBMIT_ELSEWHERE.iter().find(|(kind, _)| *kind == doc.kind);
    let Some((kind, table)) = table else {
        return Ok(None);
    };
    let stored = books.load(kind, &doc.name)?;
    if stored.rows(table).len() <= 100 || stored.docstatus() != 0 {
        return Ok(None);
    }
    demand_doc(books, &stored, Right::Submit)?;
    if doc.text("modified") != stored.text("modified") {
        return Ok(None);
    }
    let created = books.stamp();
    let due = books.now.unix() + QUEUE_TIME;
    // Older releases, and counts in all, run it as an action: no entry tells of it.
    let is_action = !books.profile.is_16() || *kind == "Stock Reconciliation";
    let job = SimDoc::new("Submission Queue")
        .with("is_action", is_action)
        .with("status", "Queued")
        .with("ref_doctype", *kind)
        .with("ref_docname", &doc.name)
        .with("created_at", created)
        .with("due", due);
    put_new(books, job);
    books.messages.push(format!(
        "The task has been enqueued as a background job: {}",
        doc.name
    ));
    Ok(Some(SimDoc::clone(&stored)))
}

fn latest_submissions(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let (kind, name) = (need(args, "doctype")?, need(args, "docname")?);
    let found = books
        .all("Submission Queue")
        .filter(|it| it.text("ref_doctype") == kind && it.text("ref_docname") == name);
    let found = found.filter(|it| !it.flag("is_action"));
    let newest = found.max_by(|a, b| a.text("creation").cmp(b.text("creation")));
    Ok(newest
        .map_or(Value::Null, |it| {
            json!({
                "latest_submission": it.name, "exc": it.get("exception").json(),
                "status": it.text("status"),
            })
        })
        .into())
}

fn cancel(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let (kind, name) = (need(args, "doctype")?, need(args, "name")?);
    let doc = docs::cancel(books, &kind, &name)?;
    Ok(shown(books, doc))
}

fn get_count(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let kind = need(args, "doctype")?;
    // Without regard to what the user may see.
    let count = listing::count_all(books, &kind, args.json("filters").as_ref())?;
    Ok(json!(count).into())
}

/// A list as the arguments ask for it.
pub(crate) fn listing_of(args: &Args) -> Listing {
    let number = |names: &[&str]| names.iter().find_map(|name| args.number(name));
    let limit = number(&["limit_page_length", "page_length", "limit"]);
    Listing {
        fields: args.json("fields"),
        filters: args.json("filters"),
        or_filters: args.json("or_filters"),
        order_by: args.text("order_by"),
        group_by: args.text("group_by"),
        start: number(&["limit_start", "start"]).unwrap_or_default(),
        limit: match limit {
            None => Some(20),
            Some(0) => None,
            Some(limit) => Some(limit),
        },
        parent: args.text("parent"),
    }
}

fn get_list(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let kind = need(args, "doctype")?;
    let (rows, _) = listing::list(books, &kind, &listing_of(args))?;
    Ok(Value::Array(rows).into())
}

fn get(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let kind = need(args, "doctype")?;
    let name = match args.text("name") {
        name if name.is_empty() => first(books, &kind, args)?,
        name => name,
    };
    let doc = books.load(&kind, &name)?;
    demand_doc(books, &doc, Right::Read)?;
    Ok(shown(books, SimDoc::clone(&doc)))
}

fn first(books: &SimBooks, kind: &str, args: &Args) -> SimResult<String> {
    let of = Listing {
        filters: args.json("filters"),
        limit: Some(1),
        ..Listing::default()
    };
    let (rows, _) = listing::list(books, kind, &of)?;
    let name = rows
        .first()
        .and_then(|row| row["name"].as_str().map(str::to_owned));
    name.ok_or_else(|| crate::refusal::no_document(kind, ""))
}

fn get_value(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let kind = need(args, "doctype")?;
    let fields = match args.json("fieldname") {
        Some(Value::Array(fields)) => Value::Array(fields),
        Some(Value::String(field)) => json!([field]),
        _ => json!(["name"]),
    };
    let filters = match args.json("filters") {
        Some(Value::String(name)) => json!({ "name": name }),
        Some(filters) => filters,
        None => json!({}),
    };
    let of = Listing {
        fields: Some(fields),
        filters: Some(filters),
        limit: Some(1),
        parent: args.text("parent"),
        ..Listing::default()
    };
    let (mut rows, _) = listing::list(books, &kind, &of)?;
    Ok(if rows.is_empty() {
        json!({})
    } else {
        rows.remove(0)
    }
    .into())
}

fn get_single_value(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let (kind, field) = (need(args, "doctype")?, need(args, "field")?);
    let on = books.type_of(&kind)?;
    rights::demand(books, &on, Right::Read)?;
    Ok(books.setting(&kind, &field).json().into())
}

fn insert(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let mut doc = doc_arg(books, args)?;
    doc.name = String::new();
    let doc = docs::insert(books, doc, None)?;
    Ok(shown(books, doc))
}

fn save(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let doc = doc_arg(books, args)?;
    let modified = doc.text("modified").to_owned();
    let doc = docs::save(books, doc, Some(&modified))?;
    Ok(shown(books, doc))
}

fn set_value(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let (kind, name) = (need(args, "doctype")?, need(args, "name")?);
    let mut doc = SimDoc::clone(&*books.load(&kind, &name)?);
    let values = match args.json("fieldname") {
        Some(Value::Object(map)) => map,
        Some(Value::String(field)) => {
            let value = args.0.get("value").cloned().unwrap_or(Value::Null);
            Map::from_iter([(field, value)])
        }
        _ => Map::new(),
    };
    docs::lay_over(books, &mut doc, &values)?;
    let doc = docs::save(books, doc, None)?;
    Ok(shown(books, doc))
}

fn delete(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let (kind, name) = (need(args, "doctype")?, need(args, "name")?);
    docs::delete(books, &kind, &name)?;
    Ok(Value::Null.into())
}

fn validate_link(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let (kind, name) = (need(args, "doctype")?, need(args, "docname")?);
    let on = books.type_of(&kind)?;
    if kind != "DocType" && !rights::may(books, &on, Right::Read) {
        return Err(forbidden(format!(
            "You do not have Read or Select Permissions for {kind}"
        )));
    }
    let Some(stored) = books.stored_name(&kind, &name) else {
        return Ok(json!({}).into());
    };
    let mut out = Map::from_iter([("name".to_owned(), json!(stored))]);
    if let Some(Value::Array(fields)) = args.json("fields")
        && let Some(doc) = books.find(&kind, &stored)
    {
        let doc = rights::blank(books, SimDoc::clone(doc));
        for field in fields.iter().filter_map(Value::as_str) {
            out.insert(field.to_owned(), doc.cell(field).json());
        }
    }
    Ok(Value::Object(out).into())
}

fn has_permission(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let kind = need(args, "doctype")?;
    let right = Right::from_word(&args.text("perm_type")).unwrap_or(Right::Read);
    let on = books.type_of(&kind)?;
    let name = args.text("docname");
    let has = match books.find(&kind, &name) {
        Some(doc) => demand_doc(books, doc, right).is_ok(),
        None => rights::may(books, &on, right),
    };
    Ok(json!({ "has_permission": has }).into())
}

pub(super) fn permissions(books: &SimBooks, doc: &SimDoc) -> Value {
    let rights = Right::ALL.into_iter().map(|right| {
        let has = demand_doc(books, doc, right).is_ok();
        (right.word().to_owned(), json!(i64::from(has)))
    });
    Value::Object(rights.collect())
}

fn get_doc_permissions(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let (kind, name) = (need(args, "doctype")?, need(args, "docname")?);
    let doc = books.load(&kind, &name)?;
    Ok(json!({ "permissions": permissions(books, &doc) }).into())
}

fn get_roles(books: &mut SimBooks, args: &Args) -> SimResult<MethodAnswer> {
    let uid = args.text("uid");
    let user = if uid.is_empty() {
        books.user.clone()
    } else {
        uid
    };
    Ok(json!(rights::roles(books, &user)).into())
}

/// Allowed documents of the signed-in user, by type.
fn get_user_permissions(books: &mut SimBooks, _: &Args) -> SimResult<MethodAnswer> {
    let allowed = rights::allowed(books).into_iter().map(|(kind, names)| {
        let rows = names
            .into_iter()
            .map(|name| json!({"doc": name, "applicable_for": null, "is_default": 0}));
        (kind, Value::Array(rows.collect()))
    });
    Ok(Value::Object(allowed.collect()).into())
}
