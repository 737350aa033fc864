//! Routes of both versions.

use serde_json::{Map, Value, json};

use crate::books::SimBooks;
use crate::cell::SimDoc;
use crate::docs;
use crate::files;
use crate::listing::{self, Listing};
use crate::methods::{self, MethodAnswer, SUBMIT_ELSEWHERE};
use crate::refusal::{SimRefusal, SimResult, forbidden, invalid};
use crate::rights::{self, Right, demand_doc};
use crate::wire::{self, ApiVersion, Args, ErpAnswer, ErpRequest};

/// Finds the route and works; the caller commits or rolls back.
pub(super) fn answer(
    books: &mut SimBooks,
    request: &ErpRequest,
    hook: bool,
) -> SimResult<ErpAnswer> {
    let segments: Vec<&str> = request.segments.iter().map(String::as_str).collect();
    let method = request.method.as_str();
    match (request.version, segments.as_slice()) {
        (ApiVersion::V1, ["method", "run_doc_method"]) => run_unsaved(books, request),
        (_, ["method", "upload_file"]) => upload(books, request),
        (_, ["method", path]) => called(books, request, path),
        (ApiVersion::V2, ["method", kind, function]) => {
            let path = format!("{kind}.{function}");
            called(books, request, &path)
        }
        (ApiVersion::V1, ["resource", kind]) => match method {
            "GET" => v1_list(books, request, kind),
            "POST" => create(books, request, kind, hook),
            _ => Err(wrong_verb()),
        },
        (ApiVersion::V1, ["resource", kind, rest @ ..]) => {
            let name = rest.join("/");
            match method {
                "POST" | "GET" if !request.args.text("run_method").is_empty() => {
                    let what = request.args.text("run_method");
                    run_doc_method(books, request, kind, &name, &what)
                }
                "GET" => read(books, request, kind, &name),
                "PUT" => update(books, request, kind, &name, hook),
                "DELETE" => delete(books, request, kind, &name),
                _ => Err(wrong_verb()),
            }
        }
        (ApiVersion::V2, ["doctype", kind, "meta"]) => {
            let of = books.type_of(kind)?;
            if books.user == "Guest" {
                return Err(forbidden("Not permitted"));
            }
            let meta = methods::meta_of(books, &of);
            Ok(wire::success(request.version, "data", meta, 200, &[]))
        }
        (ApiVersion::V2, ["doctype", kind, "count"]) => {
            let of = Listing {
                filters: request.args.json("filters"),
                limit: request.args.number("limit"),
                ..Listing::default()
            };
            let count = listing::count(books, kind, &of)?;
            Ok(wire::success(
                request.version,
                "data",
                json!(count),
                200,
                &[],
            ))
        }
        (ApiVersion::V2, ["document", kind]) => match method {
            "GET" => v2_list(books, request, kind),
            "POST" => create(books, request, kind, hook),
            _ => Err(wrong_verb()),
        },
        (ApiVersion::V2, ["document", kind, name, "method", what]) => {
            run_doc_method(books, request, kind, name, what)
        }
        (ApiVersion::V2, ["document", kind, name, "copy"]) => {
            let doc = books.load(kind, name)?;
            demand_doc(books, &doc, Right::Read)?;
            let copy = docs::copy_of(books, &doc).json(true);
            Ok(wire::success(request.version, "data", copy, 200, &[]))
        }
        (ApiVersion::V2, ["document", kind, rest @ ..]) => {
            let name = rest.join("/");
            match method {
                "GET" => read(books, request, kind, &name),
                "PATCH" | "PUT" => update(books, request, kind, &name, hook),
                "DELETE" => delete(books, request, kind, &name),
                _ => Err(wrong_verb()),
            }
        }
        _ => Err(SimRefusal::new(
            404,
            "PageDoesNotExistError",
            "Page not found",
        )),
    }
}

fn wrong_verb() -> SimRefusal {
    forbidden("Not permitted")
}

fn told(request: &ErpRequest, told: MethodAnswer, messages: &[String]) -> ErpAnswer {
    match told {
        MethodAnswer::Message(value) => {
            wire::success(request.version, "message", value, 200, messages)
        }
        MethodAnswer::Root(map) if request.version == ApiVersion::V1 => {
            wire::root(request.version, map, messages)
        }
        MethodAnswer::Root(mut map) => {
            let data = map.get("data").cloned().unwrap_or(Value::Null);
            map.insert("data".to_owned(), data);
            wire::root(request.version, map, messages)
        }
    }
}

fn called(books: &mut SimBooks, request: &ErpRequest, path: &str) -> SimResult<ErpAnswer> {
    let done = methods::call(books, path, &request.method, &request.args)?;
    Ok(told(request, done, &books.messages))
}

fn upload(books: &mut SimBooks, request: &ErpRequest) -> SimResult<ErpAnswer> {
    if request.method != "POST" {
        return Err(wrong_verb());
    }
    let doc = files::upload(books, &request.args, request.file.as_ref())?;
    let doc = rights::blank(books, doc).json(true);
    Ok(told(request, doc.into(), &books.messages))
}

fn data(books: &SimBooks, request: &ErpRequest, value: Value) -> ErpAnswer {
    wire::success(request.version, "data", value, 200, &books.messages)
}

fn shown(books: &SimBooks, request: &ErpRequest, doc: SimDoc) -> ErpAnswer {
    // Version 1 leaves nulls out.
    let nulls = request.version == ApiVersion::V2;
    let doc = rights::blank(books, doc).json(nulls);
    data(books, request, doc)
}

fn v1_list(books: &SimBooks, request: &ErpRequest, kind: &str) -> SimResult<ErpAnswer> {
    let args = &request.args;
    let number = |names: [&str; 2]| names.iter().find_map(|name| args.number(name));
    let of = Listing {
        start: number(["limit_start", "start"]).unwrap_or_default(),
        // Zero is no limit.
        limit: match number(["limit_page_length", "limit"]) {
            None => Some(20),
            Some(0) => None,
            limit => limit,
        },
        ..asked(args)
    };
    let (rows, _) = listing::list(books, kind, &of)?;
    Ok(data(books, request, Value::Array(rows)))
}

fn asked(args: &Args) -> Listing {
    Listing {
        fields: args.json("fields"),
        filters: args.json("filters"),
        or_filters: args.json("or_filters"),
        order_by: args.text("order_by"),
        group_by: args.text("group_by"),
        parent: args.text("parent"),
        ..Listing::default()
    }
}

fn v2_list(books: &SimBooks, request: &ErpRequest, kind: &str) -> SimResult<ErpAnswer> {
    let args = &request.args;
    let of = Listing {
        start: args.number("start").unwrap_or_default(),
        limit: Some(args.number("limit").unwrap_or(20)),
        or_filters: None,
        ..asked(args)
    };
    let (rows, more) = listing::list(books, kind, &of)?;
    let mut body = Map::new();
    body.insert("data".to_owned(), Value::Array(rows));
    body.insert("has_next_page".to_owned(), json!(more));
    Ok(wire::root(request.version, body, &books.messages))
}

fn read(books: &SimBooks, request: &ErpRequest, kind: &str, name: &str) -> SimResult<ErpAnswer> {
    let of = books.type_of(kind)?;
    // A missing document is 403 without the right to read the type.
    rights::demand(books, &of, Right::Read)?;
    let doc = books.load(kind, name)?;
    demand_doc(books, &doc, Right::Read)?;
    Ok(shown(books, request, SimDoc::clone(&doc)))
}

fn body_of(args: &Args) -> Map<String, Value> {
    args.object("data").unwrap_or_else(|| args.0.clone())
}

fn create(
    books: &mut SimBooks,
    request: &ErpRequest,
    kind: &str,
    hook: bool,
) -> SimResult<ErpAnswer> {
    if books.user == "Guest" {
        let of = books.type_of(kind)?;
        rights::demand(books, &of, Right::Create)?;
    }
    let body = body_of(&request.args);
    let mut doc = docs::from_json(books, kind, &body)?;
    // A caller's name counts over version 2 of 16 only, or where the type asks for one.
    let own = std::mem::take(&mut doc.name);
    let named = request.version == ApiVersion::V2 && books.profile.is_16() && !own.is_empty();
    if books.type_of(kind)?.naming == "prompt" {
        let sent = body
            .get("__newname")
            .and_then(Value::as_str)
            .unwrap_or(&own);
        sent.clone_into(&mut doc.name);
    }
    if hook {
        super::raise_rates(&mut doc);
    }
    let doc = docs::insert(books, doc, named.then_some(own.as_str()))?;
    Ok(shown(books, request, doc))
}

fn update(
    books: &mut SimBooks,
    request: &ErpRequest,
    kind: &str,
    name: &str,
    hook: bool,
) -> SimResult<ErpAnswer> {
    let of = books.type_of(kind)?;
    rights::demand(books, &of, Right::Write)?;
    let mut doc = SimDoc::clone(&*books.load(kind, name)?);
    let body = body_of(&request.args);
    docs::lay_over(books, &mut doc, &body)?;
    if let Some(status) = body.get("docstatus").and_then(Value::as_i64) {
        doc.set("docstatus", status);
    }
    if hook {
        super::raise_rates(&mut doc);
    }
    let modified = body.get("modified").and_then(Value::as_str);
    let doc = docs::save(books, doc, modified)?;
    Ok(shown(books, request, doc))
}

fn delete(
    books: &mut SimBooks,
    request: &ErpRequest,
    kind: &str,
    name: &str,
) -> SimResult<ErpAnswer> {
    let of = books.type_of(kind)?;
    rights::demand(books, &of, Right::Delete)?;
    docs::delete(books, kind, name)?;
    Ok(wire::success(
        request.version,
        "data",
        json!("ok"),
        202,
        &books.messages,
    ))
}

/// Methods of a stored document. Some types keep their submit for themselves.
fn run_doc_method(
    books: &mut SimBooks,
    request: &ErpRequest,
    kind: &str,
    name: &str,
    what: &str,
) -> SimResult<ErpAnswer> {
    let stored = books.load(kind, name)?;
    demand_doc(books, &stored, Right::Read)?;
    let hidden = SUBMIT_ELSEWHERE.iter().any(|(it, _)| *it == kind);
    let doc = match what {
        "submit" | "cancel" if hidden => {
            return Err(forbidden(format!(
                "Method <strong>{what}</strong> is not whitelisted."
            )));
        }
        "submit" => docs::submit_stored(books, kind, name)?,
        "cancel" => docs::cancel(books, kind, name)?,
        _ => {
            return Err(forbidden(format!(
                "Method <strong>{what}</strong> is not whitelisted."
            )));
        }
    };
    let doc = rights::blank(books, doc).json(true);
    if request.version == ApiVersion::V2 {
        let mut body = Map::new();
        body.insert("data".to_owned(), Value::Null);
        body.insert("docs".to_owned(), json!([doc]));
        return Ok(wire::root(request.version, body, &books.messages));
    }
    Ok(data(books, request, doc))
}

/// `run_doc_method` with an unsaved document: prices and totals without saving.
fn run_unsaved(books: &mut SimBooks, request: &ErpRequest) -> SimResult<ErpAnswer> {
    let Some(map) = request.args.object("docs") else {
        return Err(invalid(
            "FrappeTypeError",
            "Argument 'docs' should be a document",
        ));
    };
    let kind = map
        .get("doctype")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let mut doc = docs::from_json(books, kind, &map)?;
    match (doc.kind, request.args.text("method").as_str()) {
        ("Sales Invoice" | "Sales Order" | "Delivery Note", "set_missing_values")
        | ("Stock Entry", "get_stock_and_rate")
        | ("Purchase Order", "get_last_purchase_rate") => {
            docs::fill_fetched(books, &mut doc);
            crate::rules::validate(books, &mut doc)?;
        }
        (_, what) => {
            return Err(forbidden(format!(
                "Method <strong>{what}</strong> is not whitelisted."
            )));
        }
    }
    let mut body = Map::new();
    body.insert("docs".to_owned(), json!([doc.json(true)]));
    body.insert("message".to_owned(), Value::Null);
    Ok(wire::root(request.version, body, &books.messages))
}
