//! Each reading tool by its own examples, and the card of each tool that acts, those of the packs too, on a site
//! whose every answer takes a while.

use std::{
    cell::Cell,
    sync::Arc,
    time::{Duration, Instant},
};

use agent::ports::{CallActor, CallOrigin, Progress, Tool, ToolCall, ToolExample, Toolset};
use anyhow::{Context, Result, bail, ensure};
use erp::{Erp, ErpConfig};
use protocol::{CallId, ConversationId, Tier, Timestamp, UserId};
use serde_json::{Value, json};
use simerp::{SimErp, SimErpOptions, SimErpUser};

use super::pack_cards;
use crate::{report::Report, samples::Samples, texts};

/// About so long each tool is measured at each delay.
const SPAN: Duration = Duration::from_secs(8);
/// Calls of a tool at least, and at most.
const CALLS: [usize; 2] = [5, 40];
/// The limit that is wanted for a tool, at 250 ms an answer.
const WANTED: Duration = Duration::from_millis(2_500);
/// The limit that is wanted from a call to its card, at 250 ms an answer.
const WANTED_CARD: Duration = Duration::from_secs(3);

/// The figures of all reading tools, and of the cards, at one delay.
pub(super) async fn run(delay: Duration, report: &mut Report) -> Result<()> {
    let group = format!("tools at {} ms an answer", delay.as_millis());
    let company = SimErp::start(SimErpOptions::default()).await?;
    let erp = connected(&company, SimErpUser::Agent).await?;
    for tool in tools(&erp).iter().filter(|tool| tool.only_reads()) {
        let spec = tool.spec();
        // The first call reads the type, which later ones have.
        company.control().set_delay(Duration::ZERO);
        let mut inputs = Vec::new();
        for input in spec.examples.iter().filter_map(ToolExample::input) {
            let input = real(&company, input);
            if inputs.contains(&input) {
                continue;
            }
            match once(tool.as_ref(), &spec.name, &input).await {
                Ok(()) => inputs.push(input),
                Err(error) => report.note(texts::left_out(&error.to_string())),
            }
        }
        if inputs.is_empty() {
            report.note(texts::without_example(&spec.name));
            continue;
        }
        company.control().set_delay(delay);
        let turn = Cell::new(0);
        let samples = measured(inputs.len(), || {
            let input = &inputs[turn.replace(turn.get() + 1) % inputs.len()];
            once(tool.as_ref(), &spec.name, input)
        });
        let samples = samples.await?;
        let limit = wanted(delay, WANTED);
        print(report, &group, &spec.name, &samples, limit);
    }
    let group = format!("cards at {} ms an answer", delay.as_millis());
    let manager = connected(&company, SimErpUser::Manager).await?;
    company.control().set_delay(Duration::ZERO);
    let mut shown = Vec::from(cards(&company)?);
    shown.extend(pack_cards::all(&company)?);
    shown.push(("amend_doc", cancelled(&erp).await?));
    all_are_shown(&erp, &shown)?;
    for (name, input) in shown {
        // Who approves has to be somebody else, and prices are for who leads.
        let erp = match name {
            "apply_workflow" | "set_item_price" => &manager,
            _ => &erp,
        };
        let all = tools(erp);
        let tool = all.iter().find(|tool| tool.spec().name == name);
        let tool = tool.with_context(|| format!("no {name}"))?;
        company.control().set_delay(Duration::ZERO);
        show(tool.as_ref(), name, &input).await?;
        let before = company.control().requests().len();
        show(tool.as_ref(), name, &input).await?;
        let requests = company.control().requests().len() - before;
        company.control().set_delay(delay);
        let samples = measured(0, || show(tool.as_ref(), name, &input)).await?;
        let limit = wanted(delay, WANTED_CARD);
        print(report, &group, name, &samples, limit);
        report.value(&group, &format!("{name}: requests"), "", requests as f64);
    }
    company.shutdown().await;
    Ok(())
}

/// The toolset with the key of a user.
async fn connected(company: &SimErp, user: SimErpUser) -> Result<Erp> {
    let (api_key, secret) = company.key(user);
    let config = ErpConfig {
        url: company.url(),
        api_key,
        api_secret: secret.into(),
        is_simulated: true,
        ..ErpConfig::default()
    };
    let erp = Erp::connect(config)?;
    if let Err(error) = erp.verify().await {
        bail!("the company refused: {error}");
    }
    Ok(erp)
}

/// All tools, those of the packs too.
fn tools(erp: &Erp) -> Vec<Arc<dyn Tool>> {
    let packs = erp.packs();
    let of_packs = packs.iter().flat_map(Toolset::tools);
    erp.tools().into_iter().chain(of_packs).collect()
}

/// The times of many runs, one after the other: of so many at least.
async fn measured(least: usize, run: impl AsyncFn() -> Result<()>) -> Result<Samples> {
    let mut samples = Samples::default();
    let began = Instant::now();
    let least = least.max(CALLS[0]);
    while samples.len() < least || samples.len() < CALLS[1] && began.elapsed() < SPAN {
        let began = Instant::now();
        run().await?;
        samples.add(began.elapsed().as_micros() as u64);
    }
    Ok(samples)
}

/// Limits hold at 250 ms an answer, and are not printed at other speeds.
fn wanted(delay: Duration, limit: Duration) -> Option<Duration> {
    (delay == Duration::from_millis(250)).then_some(limit)
}

fn print(report: &mut Report, group: &str, name: &str, samples: &Samples, limit: Option<Duration>) {
    let Some([p50, p95]) = samples.quantiles([0.5, 0.95]) else {
        return;
    };
    report.value(group, &format!("{name}: p50"), "ms", p50);
    report.value(group, &format!("{name}: p95"), "ms", p95);
    if limit.is_some_and(|limit| p95 > limit.as_secs_f64() * 1_000.0) {
        report.note(texts::too_slow(name));
    }
}

/// Calls whose cards a person waits for: a draft invoice that is submitted, one that is made of an order, one
/// that is cancelled, a purchase that is approved, an order that is new, one that is changed, one that is
/// closed, and one that gets a comment.
fn cards(company: &SimErp) -> Result<[(&'static str, Value); 8]> {
    let find = |doctype: &str, fits: fn(&Value) -> bool| find(company, doctype, fits);
    let draft = find("Sales Invoice", |it| it["docstatus"] == 0)?;
    let order = find("Sales Order", |it| it["status"] == "To Deliver and Bill")?;
    let submit = json!({
        "doctype": "Sales Invoice", "name": draft["name"], "modified": draft["modified"],
    });
    let make = json!({
        "source_doctype": "Sales Order", "source_name": order["name"],
        "target_doctype": "Sales Invoice",
    });
    let posted = find("Sales Invoice", |it| {
        it["docstatus"] == 1 && it["outstanding_amount"] == it["grand_total"]
    })?;
    let cancel = json!({
        "doctype": "Sales Invoice", "name": posted["name"], "modified": posted["modified"],
        "reason": "Wrong customer",
    });
    let waiting = find("Purchase Order", |it| {
        it["workflow_state"] == "Pending Approval"
    })?;
    let approve = json!({
        "doctype": "Purchase Order", "name": waiting["name"], "modified": waiting["modified"],
        "action": "Approve",
    });
    let field = |field: &str, value: Value| json!({ "field": field, "value": value });
    let row = [
        field("item_code", json!("PUMP")),
        field("qty", json!(4)),
        field("rate", json!(20)),
    ];
    let create = json!({
        "doctype": "Sales Order",
        "fields": [
            field("customer", json!("Harbour Wheels")),
            field("company", json!("Aldergate Cycles")),
            field("delivery_date", json!("2099-12-24")),
        ],
        "tables": [{ "table": "items", "rows": [{ "fields": row }] }],
    });
    let unsent = find("Sales Order", |it| it["docstatus"] == 0)?;
    let update = json!({
        "doctype": "Sales Order", "name": unsent["name"], "modified": unsent["modified"],
        "submitted": false, "fields": [field("po_no", json!("Bench 1"))],
    });
    let close = json!({
        "doctype": "Sales Order", "name": order["name"], "modified": order["modified"],
        "status": "close",
    });
    let comment = json!({
        "doctype": "Sales Order", "name": order["name"], "text": "The customer called.",
    });
    Ok([
        ("submit_doc", submit),
        ("make_from", make),
        ("cancel_doc", cancel),
        ("apply_workflow", approve),
        ("create_doc", create),
        ("update_doc", update),
        ("set_order_status", close),
        ("add_comment", comment),
    ])
}

/// The first document of a type that fits.
pub(super) fn find(company: &SimErp, doctype: &str, fits: fn(&Value) -> bool) -> Result<Value> {
    let control = company.control();
    let names = control.names(doctype).into_iter();
    let mut all = names.filter_map(|name| control.document(doctype, &name));
    let found = all.find(fits);
    found.with_context(|| format!("the company has no such {doctype}"))
}

/// Makes an order that was cancelled; returns the call that amends it.
async fn cancelled(erp: &Erp) -> Result<Value> {
    let field = |field: &str, value: Value| json!({ "field": field, "value": value });
    let row = [
        field("item_code", json!("PUMP")),
        field("qty", json!(7)),
        field("rate", json!(21)),
    ];
    let create = json!({
        "doctype": "Sales Order",
        "fields": [
            field("customer", json!("Merlin Bikes")),
            field("company", json!("Aldergate Cycles")),
            field("delivery_date", json!("2099-11-30")),
        ],
        "tables": [{ "table": "items", "rows": [{ "fields": row }] }],
    });
    let mut at = done(erp, "create_doc", &create).await?;
    for (name, more) in [("submit_doc", None), ("cancel_doc", Some("Bench"))] {
        let get = json!({ "doctype": "Sales Order", "name": at["name"] });
        let read = done(erp, "get_doc", &get).await?;
        let mut input = json!({
            "doctype": "Sales Order", "name": at["name"], "modified": read["modified"],
        });
        if let Some(reason) = more {
            input["reason"] = json!(reason);
        }
        at = done(erp, name, &input).await?;
    }
    let change = field("delivery_date", json!("2099-12-01"));
    Ok(json!({ "doctype": "Sales Order", "name": at["name"], "fields": [change] }))
}

/// Runs a tool of the ERP to its end; returns its result.
async fn done(erp: &Erp, name: &str, input: &Value) -> Result<Value> {
    let all = erp.tools();
    let tool = all.iter().find(|tool| tool.spec().name == name);
    let tool = tool.with_context(|| format!("no {name}"))?;
    match tool.call(call(name, input), Progress::ignored()).await {
        Ok(output) => Ok(output.data),
        Err(error) => bail!("{name} with {input}: {}", error.0),
    }
}

/// Fails if a tool that acts has no card among these: one that is added is measured too.
fn all_are_shown(erp: &Erp, shown: &[(&'static str, Value)]) -> Result<()> {
    let acting = tools(erp).into_iter();
    let acting = acting.filter(|tool| !tool.only_reads() && tool.spec().tier != Tier::Black);
    for tool in acting {
        let name = tool.spec().name;
        ensure!(
            shown.iter().any(|(it, _)| *it == name),
            "{name} has no card to measure"
        );
    }
    Ok(())
}

async fn show(tool: &dyn Tool, name: &str, input: &Value) -> Result<()> {
    match tool.preview(&call(name, input)).await {
        Ok(_) => Ok(()),
        Err(error) => bail!("the card of {name} with {input}: {error}"),
    }
}

async fn once(tool: &dyn Tool, name: &str, input: &Value) -> Result<()> {
    match tool.call(call(name, input), Progress::ignored()).await {
        Ok(_) => Ok(()),
        Err(error) => bail!("{name} with {input}: {}", error.0),
    }
}

fn call(name: &str, input: &Value) -> ToolCall {
    ToolCall {
        id: CallId::new(Timestamp(1), 1),
        name: name.to_owned(),
        input: input.clone(),
        approval: None,
        origin: CallOrigin {
            conversation: ConversationId::new(Timestamp(1), 7),
            turn: None,
            message: None,
            actor: CallActor::Model,
            person: UserId::new(Timestamp(1), 3),
        },
    }
}

/// The input of an example with a document that the company has: its numbers depend on the day.
fn real(company: &SimErp, mut input: Value) -> Value {
    let control = company.control();
    if let (Some(doctype), true) = (input["doctype"].as_str(), input["name"].is_string()) {
        let submitted = control.names(doctype).into_iter().find(|name| {
            let document = control.document(doctype, name);
            document.is_some_and(|it| it["docstatus"] == 1)
        });
        if let Some(name) = submitted {
            input["name"] = json!(name);
        }
    }
    input
}
