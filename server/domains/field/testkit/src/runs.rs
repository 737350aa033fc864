//! Runs, which go as the scenario says.

use async_trait::async_trait;
use field::{
    RawStep,
    field_queue::report::{JobEnding, JobReport, UnknownReason},
    ports::{
        CallId, CancelOrder, CancelResult, DeviceStanding, FieldFault, FieldFaultCode, FieldRuns,
        LogText, OutputTail, PackageFacts, RunFilter, RunOfCall, RunOrder, RunPhase, RunRecord,
        StepResult, Timestamp,
    },
    step_result,
};

use crate::{
    MemoryField,
    state::{FieldState, RunScenario},
};

#[async_trait]
impl FieldRuns for MemoryField {
    async fn queue(&self, order: &RunOrder) -> Result<RunRecord, FieldFault> {
        let now = self.env.now();
        self.change(|state| {
            state.storage()?;
            if let Some(known) = state.runs.iter().find(|run| run.call == order.call) {
                return Ok(known.clone());
            }
            let core = &order.core;
            let device = state.devices.iter().find(|it| it.id == core.device());
            let device = device.ok_or(FieldFaultCode::UnknownDevice)?.clone();
            if device.standing != DeviceStanding::Adopted {
                return Err(FieldFaultCode::NotAdopted.into());
            }
            if device.fingerprint != core.device_key() {
                return Err(FieldFaultCode::OtherKey.into());
            }
            let run = RunRecord {
                id: state.id("run_"),
                call: order.call,
                site: device.site,
                device: device.id,
                title: order.title.clone(),
                proposal: order.proposal.clone(),
                revision: 1,
                phase: RunPhase::Queued,
                steps: u32::try_from(order.steps.len()).unwrap(),
                step: None,
                steps_ended: 0,
                steps_failed: 0,
                output: 0,
                sandbox: None,
                queued: now,
                claim_until: order.claim_until,
                started: None,
                ended: None,
                cancel_asked: false,
                late: None,
                resolution: None,
                is_simulated: device.is_simulated,
            };
            let id = run.id.clone();
            state.runs.push(run);
            state.orders.push(order.clone());
            if state.scenario != RunScenario::Waits {
                finish(state, &id, now);
            }
            Ok(found(state, &id).expect("it was queued").clone())
        })
    }

    async fn run(&self, id: &str) -> Result<Option<RunRecord>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            Ok(found(state, id).cloned())
        })
    }

    async fn run_of(&self, call: CallId) -> Result<Option<RunOfCall>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let known = state.runs.iter().find(|run| run.call == call);
            Ok(known.map(|run| RunOfCall::There(Box::new(run.clone()))))
        })
    }

    async fn run_after(&self, id: &str, revision: u64) -> Result<RunRecord, FieldFault> {
        let mut snapshots = self.snapshot.subscribe();
        loop {
            let run = self.run(id).await?.ok_or(FieldFaultCode::UnknownRun)?;
            if run.revision != revision {
                return Ok(run);
            }
            snapshots.changed().await.expect("the memory is there");
        }
    }

    async fn runs(&self, filter: &RunFilter) -> Result<Vec<RunRecord>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let fits = |run: &&RunRecord| {
                filter.site.as_ref().is_none_or(|site| run.site == *site)
                    && filter.device.as_ref().is_none_or(|it| run.device == *it)
                    && (filter.phases.is_empty() || filter.phases.contains(&run.phase.word()))
            };
            let newest = state.runs.iter().rev().filter(fits);
            Ok(newest.take(filter.limit as usize).cloned().collect())
        })
    }

    async fn results(&self, id: &str) -> Result<Vec<StepResult>, FieldFault> {
        let mut state = self.state.lock().unwrap();
        state.storage()?;
        let run = found(&state, id).ok_or(FieldFaultCode::UnknownRun)?.clone();
        if run.started.is_none() {
            return Ok(Vec::new());
        }
        let order = order(&state, run.call).clone();
        let outputs = state.outputs.clone();
        let vault = state.vault(&run.site);
        let is_lost = run.phase == RunPhase::Unknown(UnknownReason::Lost);
        let told = if is_lost { 2 } else { order.steps.len() };
        let last = match &run.phase {
            RunPhase::Ended(report) => report.how,
            _ => JobEnding::Exit(0),
        };
        let steps = order.steps.iter().enumerate().take(told);
        let results = steps.map(|(at, covered)| {
            let out = outputs.get(covered.run.word()).map_or("", String::as_str);
            let is_last = at + 1 == told;
            let end = if is_last { last } else { JobEnding::Exit(0) };
            let (out, err) = if end.is_failure() {
                ("", "\n10.20.0.1: no\u{202e} answer\n")
            } else {
                (out, "")
            };
            let raw = RawStep {
                number: u32::try_from(at + 1).unwrap(),
                covered,
                end: (!is_lost || !is_last).then_some(end),
                is_over: run.phase.is_over(),
                ms: Some(3_000),
                out: out.as_bytes(),
                err: err.as_bytes(),
            };
            step_result(order.core.payload(), raw, |text| vault.cover(text).text)
        });
        Ok(results.collect())
    }

    async fn log(&self, id: &str, tail: &OutputTail) -> Result<LogText, FieldFault> {
        let results = self.results(id).await?;
        let wanted = results
            .iter()
            .filter(|it| tail.step.is_none_or(|step| it.number == step));
        let text: String = wanted.map(|it| it.text.as_str()).collect();
        let end = tail.before.map_or(text.len(), |before| before as usize);
        let shown = text.get(..end).unwrap_or(&text);
        let lines: Vec<_> = shown.split_inclusive('\n').collect();
        let skipped = lines.len().saturating_sub(tail.lines as usize);
        Ok(LogText {
            text: lines[skipped..].concat(),
            bytes: text.len() as u64,
            start: lines[..skipped].concat().len() as u64,
        })
    }

    async fn cancel(&self, order: &CancelOrder) -> Result<CancelResult, FieldFault> {
        let now = self.env.now();
        self.change(|state| {
            state.storage()?;
            let runs = state.runs.iter_mut();
            let mut found = runs.filter(|run| run.id == order.run);
            let run = found.next().ok_or(FieldFaultCode::UnknownRun)?;
            if run.phase.is_over() {
                return Ok(CancelResult::Over(Box::new(run.clone())));
            }
            run.phase = RunPhase::Cancelled;
            run.ended = Some(now);
            run.revision += 1;
            Ok(CancelResult::Cancelled(Box::new(run.clone())))
        })
    }

    async fn package(&self, id: &str) -> Result<Option<PackageFacts>, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let Some(run) = found(state, id) else {
                return Ok(None);
            };
            let order = order(state, run.call);
            Ok(Some(PackageFacts {
                sha256: "ab".repeat(32),
                payload_sha256: order.core.payload_digest().to_owned(),
                core_sha256: order.core.digest().as_str().to_owned(),
                sequence: 1,
                signing_key: "cd".repeat(32),
                expires: order.claim_until,
                approval_digest: order.approval.digest.clone(),
                approved_by: order.approval.by.clone(),
            }))
        })
    }

    async fn has_ended_on(&self, device: &str, payload: &str) -> Result<bool, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let mut ended = state
                .runs
                .iter()
                .filter(|run| run.device == device && matches!(run.phase, RunPhase::Ended(_)));
            Ok(ended.any(|run| order(state, run.call).core.payload_digest() == payload))
        })
    }

    async fn queued_since(&self, device: &str, since: Timestamp) -> Result<u64, FieldFault> {
        self.read(|state| {
            state.storage()?;
            let runs = state.runs.iter();
            let of_device = runs.filter(|run| run.device == device && run.queued >= since);
            Ok(of_device.count() as u64)
        })
    }
}

fn found<'a>(state: &'a FieldState, id: &str) -> Option<&'a RunRecord> {
    state.runs.iter().find(|run| run.id == id)
}

fn order(state: &FieldState, call: CallId) -> &RunOrder {
    let mut orders = state.orders.iter();
    orders.find(|order| order.call == call).expect("its order")
}

/// Ends a run as the scenario says; one that waits runs to its end.
pub(crate) fn finish(state: &mut FieldState, id: &str, now: Timestamp) {
    let scenario = state.scenario;
    let runs = state.runs.iter_mut();
    let mut found = runs.filter(|run| run.id == id && !run.phase.is_over());
    let Some(run) = found.next() else { return };
    let report = JobReport {
        how: match scenario {
            RunScenario::Fails => JobEnding::Exit(2),
            _ => JobEnding::Exit(0),
        },
        wall_ms: Some(3_000),
        cpu_ms: None,
        peak_bytes: None,
        tasks: None,
        output_bytes: Some(400),
    };
    run.phase = match scenario {
        RunScenario::Ends | RunScenario::Fails | RunScenario::Waits => RunPhase::Ended(report),
        RunScenario::NotDelivered => RunPhase::NotDelivered,
        RunScenario::Refused => RunPhase::Refused {
            by_device: true,
            code: "sandbox".to_owned(),
            reason: "no sandbox of this device enforces caps.memory".to_owned(),
        },
        RunScenario::Unknown => RunPhase::Unknown(UnknownReason::Rebooted),
        RunScenario::Lost => RunPhase::Unknown(UnknownReason::Lost),
    };
    if scenario == RunScenario::Lost {
        (run.step, run.steps_ended) = (Some(2), 1);
    }
    run.ended = Some(now);
    run.revision += 1;
    if !run.phase.never_ran() {
        run.started = Some(now);
        *state.effects.entry(run.call).or_default() += 1;
    }
}
