//! Queries of pages: everything covered, and values for whoever may see them, with a record of the look.

mod proposal;

use field_redaction::Pseudonym;
use protocol::{ErrorBody, ErrorCode, PageQuery, Reference, UserId};
use serde_json::{Value, json};

use crate::{
    card::grouped,
    parts::{FieldParts, fault},
    ports::{FieldFaultCode, LookOrder, OutputTail, RunFilter},
    shape,
    texts::pages as say,
    things::{self, FieldThing},
};

/// Bundles, runs and proposals on the page of a device.
const NEWEST: u32 = 20;
/// Lines of a log.
const LINES: u32 = 200;
/// Values of one look.
const MOST_VALUES: usize = 500;
const LOOKS: u32 = 50;

/// Answers a page's query.
///
/// | kind | parts |
/// | --- | --- |
/// | `device` | `device`, `looks` |
/// | `bundle` | `bundle`, `section/NAME` |
/// | `proposal` | `proposal`, `version/N` |
/// | `run` | `run`, `log/out`, `log/err`, `log/out/STEP`, `log/err/STEP` |
/// | each | `values/TOKEN,TOKEN,…` |
pub(crate) async fn page(
    parts: &FieldParts,
    person: UserId,
    query: &PageQuery,
) -> Result<Value, ErrorBody> {
    let reference = Reference::new(&query.kind, &query.name);
    let thing = FieldThing::of(&reference).ok_or_else(no_page)?;
    let (part, rest) = match query.part.split_once('/') {
        Some((part, rest)) => (part, Some(rest)),
        None => (query.part.as_str(), None),
    };
    match (thing, part, rest) {
        (_, "values", Some(tokens)) => values(parts, person, &thing, tokens).await,
        (FieldThing::Device(id), "device", None) => device(parts, id).await,
        (FieldThing::Device(id), "looks", None) => looks(parts, id).await,
        (FieldThing::Bundle(id), "bundle", None) => bundle(parts, id).await,
        (FieldThing::Bundle(id), "section", Some(name)) => {
            let text = parts.ports.bundles.section(id, name).await?;
            Ok(json!({ "text": text }))
        }
        (FieldThing::Proposal(id), "proposal", None) => proposal::newest(parts, id).await,
        (FieldThing::Proposal(id), "version", Some(version)) => {
            let version = version.parse().map_err(|_| no_page())?;
            proposal::version(parts, id, version).await
        }
        (FieldThing::Run(id), "run", None) => run(parts, id).await,
        (FieldThing::Run(id), "log", Some(rest)) => log(parts, id, rest).await,
        _ => Err(no_page()),
    }
}

async fn device(parts: &FieldParts, id: &str) -> Result<Value, ErrorBody> {
    let device = parts.device(id)?;
    let ports = &parts.ports;
    let filter = RunFilter {
        device: Some(device.id.clone()),
        limit: NEWEST,
        ..RunFilter::default()
    };
    let bundles = ports.bundles.bundles(id, NEWEST).await?;
    let runs = ports.runs.runs(&filter).await?;
    let proposals = ports.proposals.proposals(id, NEWEST).await?;
    let mut page = shape::device(&device, &parts.snapshot(), parts.now());
    page["fingerprint"] = json!(grouped(&device.fingerprint));
    page["facts"] = device.facts.clone();
    page["sandboxes"] = json!(device.abilities);
    page["gaps"] = json!(device.gaps);
    page["bundles"] = bundles.iter().map(shape::bundle).collect();
    page["runs"] = runs.iter().map(shape::run).collect();
    page["proposals"] = proposals.iter().map(proposal::head).collect();
    Ok(page)
}

async fn bundle(parts: &FieldParts, id: &str) -> Result<Value, ErrorBody> {
    let bundles = &parts.ports.bundles;
    let bundle = bundles.bundle(id).await?;
    let bundle = bundle.ok_or_else(|| fault(FieldFaultCode::UnknownBundle))?;
    let mut page = shape::bundle(&bundle);
    page["device"] = json!(bundle.device);
    page["site"] = json!(bundle.site);
    page["legend"] = json!(bundles.legend(&bundle.site).await?);
    Ok(page)
}

async fn run(parts: &FieldParts, id: &str) -> Result<Value, ErrorBody> {
    let runs = &parts.ports.runs;
    let run = runs.run(id).await?;
    let run = run.ok_or_else(|| fault(FieldFaultCode::UnknownRun))?;
    let results = runs.results(id).await?;
    let mut page = shape::run(&run);
    page["site"] = json!(run.site);
    page["results"] = results.iter().map(|step| shape::step(step, true)).collect();
    page["package"] = runs
        .package(id)
        .await?
        .as_ref()
        .map_or(Value::Null, shape::package);
    Ok(page)
}

/// The last lines of a stream, of all steps or of one.
async fn log(parts: &FieldParts, id: &str, rest: &str) -> Result<Value, ErrorBody> {
    let (stream, step) = match rest.split_once('/') {
        Some((stream, step)) => (stream, Some(step.parse().map_err(|_| no_page())?)),
        None => (rest, None),
    };
    if !matches!(stream, "out" | "err") {
        return Err(no_page());
    }
    let tail = OutputTail {
        step,
        errors: stream == "err",
        lines: LINES,
    };
    let log = parts.ports.runs.log(id, &tail).await?;
    Ok(json!({ "text": log.text, "bytes": log.bytes, "is_cut": log.is_cut }))
}

/// The values of tokens on the page of a thing, for a person who may see them. Tokens that are none are
/// passed over.
async fn values(
    parts: &FieldParts,
    person: UserId,
    thing: &FieldThing<'_>,
    tokens: &str,
) -> Result<Value, ErrorBody> {
    let site = things::site_of(parts, thing).await.ok_or_else(no_page)?;
    let tokens = tokens.split(',').filter_map(Pseudonym::parse);
    let mut tokens: Vec<_> = tokens.map(|token| token.to_string()).collect();
    tokens.sort();
    tokens.dedup();
    tokens.truncate(MOST_VALUES);
    let look = LookOrder {
        site,
        tokens,
        person,
        place: thing.place(),
    };
    let shown = parts.ports.values.reveal(&look).await?;
    let shown = shown
        .iter()
        .map(|it| json!({ "token": it.token, "class": it.class, "value": it.value }));
    Ok(shown.collect())
}

/// The looks at values of a device's site.
async fn looks(parts: &FieldParts, id: &str) -> Result<Value, ErrorBody> {
    let device = parts.device(id)?;
    let looks = parts.ports.values.looks(&device.site, LOOKS).await?;
    let looks = looks.iter().map(|look| {
        json!({
            "at": look.at,
            "person": look.person,
            "place": look.place,
            "shown": look.shown,
        })
    });
    Ok(looks.collect())
}

fn no_page() -> ErrorBody {
    ErrorBody::new(ErrorCode::ToolInputInvalid, say::NO_PAGE)
}
