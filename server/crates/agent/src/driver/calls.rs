//! Tool calls: the gate, their runs side by side, their ends.

use std::{
    collections::{HashMap, HashSet},
    panic::{self, AssertUnwindSafe},
    sync::Arc,
};

use futures::FutureExt;
use protocol::{BlockedReason, CallId, ErrorBody, ErrorCode, ToolOutput, TurnId};
use tokio::{
    sync::Semaphore,
    task::{AbortHandle, JoinSet},
};

use super::{Actor, Ended, Work};
use crate::{
    gate::{self, Question, Verdict},
    machine::{Call, Finished, Judged, elapsed},
    output,
    ports::{Durability, Progress, Recovery, ToolCall, ToolError},
    slot::Slot,
    tools::Tool,
};

/// A call has ended.
pub(super) struct Done {
    call: CallId,
    result: Result<ToolOutput, ToolError>,
}

/// Calls that run.
pub(super) struct Calls {
    tasks: JoinSet<Done>,
    running: HashMap<CallId, (String, AbortHandle)>,
    permits: Arc<Semaphore>,
}

impl Calls {
    fn new(parallel: usize) -> Self {
        Self {
            tasks: JoinSet::new(),
            running: HashMap::new(),
            permits: Arc::new(Semaphore::new(parallel.max(1))),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// Cancels all but those to keep, by id and tool.
    pub(super) fn keep(&mut self, keep: impl Fn(CallId, &str) -> bool) {
        self.running.retain(|id, (tool, task)| {
            let keep = keep(*id, tool);
            if !keep {
                task.abort();
            }
            keep
        });
    }

    fn start(&mut self, slot: &Arc<Slot>, tool: &Arc<Tool>, call: &Call) {
        slot.hub.call_runs(call.id);
        let task = run(
            Arc::clone(slot),
            Arc::clone(tool),
            Arc::clone(&self.permits),
            ToolCall {
                id: call.id,
                name: call.name.clone(),
                input: call.input.clone(),
            },
        );
        let task = self.tasks.spawn(task);
        self.running.insert(call.id, (call.name.clone(), task));
    }

    /// At least one end, and all that are there. Nothing is lost when this is dropped.
    pub(super) async fn done(&mut self) -> Vec<Done> {
        loop {
            let Some(first) = self.tasks.join_next().await else {
                return std::future::pending().await;
            };
            let mut ends: Vec<_> = first.into_iter().collect();
            while let Some(more) = self.tasks.try_join_next() {
                ends.extend(more);
            }
            // A call that was cancelled may have ended at the same moment.
            ends.retain(|done| self.running.remove(&done.call).is_some());
            if !ends.is_empty() {
                return ends;
            }
        }
    }
}

/// Runs one call to its end, whatever the tool does.
async fn run(slot: Arc<Slot>, tool: Arc<Tool>, permits: Arc<Semaphore>, call: ToolCall) -> Done {
    let id = call.id;
    // The semaphore is never closed; without a permit the call would only run at once.
    let _permit = permits.acquire_owned().await.ok();
    let progress = Progress::new(move |message| {
        slot.hub.progress(id, output::clean_line(message));
    });
    let limit = tool.spec.timeout;
    let work = async { tool.toolset.call(call, progress).await };
    let result = match AssertUnwindSafe(tokio::time::timeout(limit, work))
        .catch_unwind()
        .await
    {
        Ok(Ok(result)) => result,
        Ok(Err(_elapsed)) => Err(ToolError(ErrorBody::new(
            ErrorCode::ToolTimeout,
            format!("The tool did not finish within {} s.", limit.as_secs_f32()),
        ))),
        Err(_panic) => Err(ToolError(ErrorBody::new(
            ErrorCode::ToolFailed,
            "The tool failed by a fault of the server; its log has the details.",
        ))),
    };
    Done { call: id, result }
}

impl Actor {
    /// Lets the gate decide, writes its decisions down, and only then starts what may run.
    pub(super) async fn judge(&mut self, turn: TurnId, calls: &[Call]) -> Result<(), Ended> {
        let mut durability = Durability::Process;
        let mut records = Vec::new();
        let mut start = Vec::new();
        for call in calls {
            let judged = self.judged(call);
            if let Judged::Run { .. } = judged {
                if self.shared.recovery(&call.name) != Some(Recovery::Pure) {
                    durability = Durability::Power;
                }
                start.push(call);
            }
            records.push(call.judged(turn, judged));
        }
        self.commit(records, durability).await?;
        self.start(start);
        Ok(())
    }

    fn judged(&self, call: &Call) -> Judged {
        let tool = self.shared.tools.get(&call.name);
        let frozen = self.conversation.frozen();
        let question = Question {
            name: &call.name,
            tool: tool.map(|tool| &**tool),
            input: &call.input,
            mode: frozen.mode,
            allowed: &frozen.allowed,
        };
        let decided = panic::catch_unwind(AssertUnwindSafe(|| {
            let verdict = gate::decide(&question);
            let target = match (&verdict, tool) {
                (Verdict::Run, Some(tool)) => tool.toolset.target(&call.name, &call.input),
                _ => None,
            };
            (verdict, target.as_deref().map(output::clean_line))
        }));
        let tier = tool.map(|tool| tool.spec.tier);
        match (decided, tier) {
            (Ok((Verdict::Run, target)), Some(tier)) => Judged::Run { tier, target },
            (Ok((Verdict::Block { reason, message }, _)), tier) => Judged::Block {
                tier,
                reason,
                message,
            },
            (Ok((Verdict::Run, _)), None) | (Err(_), _) => Judged::Block {
                tier,
                reason: BlockedReason::NotAllowed,
                message: "Whether this may run could not be decided, so it does not.".to_owned(),
            },
        }
    }

    fn start(&mut self, calls: Vec<&Call>) {
        if calls.is_empty() {
            return;
        }
        if !matches!(self.work, Work::Calls(_)) {
            self.work = Work::Calls(Calls::new(self.shared.config.parallel_tools));
        }
        let Work::Calls(work) = &mut self.work else {
            return;
        };
        for call in calls {
            if let Some(tool) = self.shared.tools.get(&call.name) {
                work.start(&self.slot, tool, call);
            }
        }
    }

    /// Sees to it that every call that was started is under way. One that is not was cut off by
    /// the end of a former process: it runs again if that cannot do harm. Gives whether there is
    /// something to wait for.
    pub(super) async fn attend(&mut self) -> Result<bool, Ended> {
        let open = self.conversation.running_calls();
        let under_way: HashSet<_> = match &mut self.work {
            Work::Calls(work) => {
                work.keep(|id, _| open.iter().any(|(call, _)| call.id == id));
                work.running.keys().copied().collect()
            }
            _ => HashSet::new(),
        };
        let turn = self.conversation.running_turn();
        let mut again = Vec::new();
        let mut unknown = Vec::new();
        for (call, since) in open
            .iter()
            .filter(|(call, _)| !under_way.contains(&call.id))
        {
            match (self.shared.recovery(&call.name), turn) {
                (Some(Recovery::Pure | Recovery::Idempotent), _) => again.push(call),
                (Some(Recovery::Reconcilable | Recovery::Unsafe) | None, Some(turn)) => {
                    unknown.push(call.unknown(turn, elapsed(*since, self.shared.env.now())));
                }
                (Some(Recovery::Reconcilable | Recovery::Unsafe) | None, None) => {}
            }
        }
        self.start(again);
        if unknown.is_empty() {
            return Ok(true);
        }
        self.commit(unknown, Durability::Power).await?;
        Ok(false)
    }

    pub(super) async fn on_calls(&mut self, ends: Vec<Done>) -> Result<(), Ended> {
        let Some(turn) = self.conversation.running_turn() else {
            return Ok(());
        };
        let now = self.shared.env.now();
        let mut records = Vec::new();
        let mut durability = Durability::Process;
        for Done { call, result } in ends {
            let Some((call, since)) = self.conversation.running_call(call) else {
                continue;
            };
            let tool = self.shared.tools.get(&call.name);
            if tool.is_none_or(|tool| tool.spec.recovery != Recovery::Pure) {
                durability = Durability::Power;
            }
            let source = tool.map_or(call.name.as_str(), |tool| &tool.source);
            let max_bytes = self.shared.config.max_result_bytes;
            let (outcome, content) = output::outcome(source, result, max_bytes);
            let finished = Finished {
                outcome,
                content,
                elapsed_ms: elapsed(since, now),
            };
            records.push(call.finished(turn, finished));
        }
        self.commit(records, durability).await
    }
}
