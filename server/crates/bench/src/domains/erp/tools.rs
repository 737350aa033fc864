//! Each reading tool by its own examples, on a site whose every answer takes a while.

use std::time::{Duration, Instant};

use agent::ports::{CallActor, CallOrigin, Progress, Tool, ToolCall, Toolset};
use anyhow::{Result, bail};
use erp::{Erp, ErpConfig};
use protocol::{CallId, ConversationId, Timestamp, UserId};
use serde_json::{Value, json};
use simerp::{SimErp, SimErpOptions, SimErpUser};

use crate::{report::Report, samples::Samples};

/// About so long each tool is measured at each delay.
const SPAN: Duration = Duration::from_secs(8);
/// Calls of a tool at least, and at most.
const CALLS: [usize; 2] = [5, 40];
/// The limit that is wanted for a tool, at 250 ms an answer.
const WANTED: Duration = Duration::from_millis(2_500);

/// The figures of all reading tools at one delay.
pub(super) async fn run(delay: Duration, report: &mut Report) -> Result<()> {
    let group = format!("tools at {} ms an answer", delay.as_millis());
    let company = SimErp::start(SimErpOptions::default()).await?;
    let (api_key, secret) = company.key(SimErpUser::Agent);
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
    for tool in erp.tools().iter().filter(|tool| tool.only_reads()) {
        let spec = tool.spec();
        let Some(input) = spec.example_inputs.first() else {
            report.note(format!("{} has no example to measure.", spec.name));
            continue;
        };
        let input = real(&company, input.clone());
        // The first call reads the type, which later ones have.
        company.control().set_delay(Duration::ZERO);
        once(tool.as_ref(), &spec.name, &input).await?;
        company.control().set_delay(delay);
        let mut samples = Samples::default();
        let began = Instant::now();
        while samples.len() < CALLS[0] || samples.len() < CALLS[1] && began.elapsed() < SPAN {
            let began = Instant::now();
            once(tool.as_ref(), &spec.name, &input).await?;
            samples.add(began.elapsed().as_micros() as u64);
        }
        let Some([p50, p95]) = samples.quantiles([0.5, 0.95]) else {
            continue;
        };
        report.value(&group, &format!("{}: p50", spec.name), "ms", p50);
        report.value(&group, &format!("{}: p95", spec.name), "ms", p95);
        if delay == Duration::from_millis(250) && p95 > WANTED.as_secs_f64() * 1_000.0 {
            report.note(format!("{} takes longer than wanted.", spec.name));
        }
    }
    company.shutdown().await;
    Ok(())
}

async fn once(tool: &dyn Tool, name: &str, input: &Value) -> Result<()> {
    let call = ToolCall {
        id: CallId::new(Timestamp(1), 1),
        name: name.to_owned(),
        input: input.clone(),
        origin: CallOrigin {
            conversation: ConversationId::new(Timestamp(1), 7),
            turn: None,
            message: None,
            actor: CallActor::Model,
            person: UserId::new(Timestamp(1), 3),
        },
    };
    match tool.call(call, Progress::ignored()).await {
        Ok(_) => Ok(()),
        Err(error) => bail!("{name} with {input}: {}", error.0),
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
