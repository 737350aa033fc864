//! The tasks beside the actor for tool calls: the calls themselves, previews, and checks of what
//! became of a call.

use std::{collections::HashMap, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures::FutureExt;
use protocol::{
    CallId, ConversationId, ErrorBody, ErrorCode, Performed, Reference, Tier, Timestamp,
    ToolOutput, UserId,
};
use serde_json::Value;
use tokio::{
    sync::Semaphore,
    task::{AbortHandle, JoinSet},
};

use tracing::Instrument;

use crate::{
    conversation_entry::ConversationEntry,
    crash, decide, error, files,
    machine::{Call, CallPlace},
    output,
    ports::{
        CallActor, CallOrigin, Correlation, Preview, Progress, Reconciled, Recovery, Staging,
        StoredFile, ToolCall, ToolError, ToolImage,
    },
    shared::EngineShared,
    stages::{AskedPage, Need, Unheard},
    texts,
    tools::KnownTool,
};

/// Timeout for reading the target of a call.
const PREVIEW: Duration = Duration::from_secs(10);
/// Timeout for asking a call to end early.
const ASK_TO_END: Duration = Duration::from_secs(10);

/// The conversation and the user that a call runs for.
#[derive(Clone)]
pub(super) struct RunningPlace {
    pub(super) shared: Arc<EngineShared>,
    pub(super) entry: Arc<ConversationEntry>,
    /// The conversation's user.
    pub(super) user: UserId,
    /// The request behind the turn.
    pub(super) correlation: Option<Correlation>,
}

impl RunningPlace {
    /// Stores an image that a tool brought.
    async fn keep(&self, image: ToolImage) -> Result<Reference, String> {
        let file = StoredFile::new(image.content).map_err(|error| error.message)?;
        let reference = file.reference(&image.name);
        if !reference.is_image() {
            return Err(texts::calls::NOT_AN_IMAGE.to_owned());
        }
        let shared = &self.shared;
        let kept = shared.journal.keep_file(self.user, file, shared.env.now());
        kept.await
            .map_err(|error| error::of_journal(&error).message)?;
        Ok(reference)
    }
}

/// The result of a task.
pub(super) enum FinishedRun {
    /// A call has ended.
    Ended(CallId, Result<ToolOutput, ToolError>),
    /// The target of a call as it was read, which is far larger than the rest.
    Previewed(CallId, Box<TargetRead>),
    /// The findings about a call that a crash cut off.
    Reconciled(CallId, Reconciled),
}

/// The preview of a call, with the tool that read it.
pub(super) struct TargetRead {
    pub(super) tool: Arc<KnownTool>,
    pub(super) preview: Result<Preview, ErrorBody>,
}

impl FinishedRun {
    fn call(&self) -> CallId {
        match self {
            Self::Ended(call, _) | Self::Previewed(call, _) | Self::Reconciled(call, _) => *call,
        }
    }
}

/// The tasks for calls, one for each call at most.
pub(super) struct RunningCalls {
    tasks: JoinSet<FinishedRun>,
    running: HashMap<CallId, CallTask>,
    permits: Arc<Semaphore>,
}

struct CallTask {
    /// True if dropping it may leave something half done.
    acts: bool,
    /// It was asked to end early.
    asked_to_end: bool,
    handle: AbortHandle,
}

impl RunningCalls {
    pub(super) fn new(parallel: usize) -> Self {
        Self {
            tasks: JoinSet::new(),
            running: HashMap::new(),
            permits: Arc::new(Semaphore::new(parallel.max(1))),
        }
    }

    pub(super) fn has(&self, call: CallId) -> bool {
        self.running.contains_key(&call)
    }

    /// Cancels all tasks but those of the calls to keep.
    pub(super) fn keep(&mut self, keep: impl Fn(CallId) -> bool) {
        self.running.retain(|id, task| {
            let keep = keep(*id);
            if !keep {
                task.handle.abort();
            }
            keep
        });
    }

    /// Cancels the tasks that may be dropped at any time. Returns true if any are left.
    pub(super) fn keep_what_acts(&mut self) -> bool {
        self.running.retain(|_, task| {
            if !task.acts {
                task.handle.abort();
            }
            task.acts
        });
        !self.running.is_empty()
    }

    fn spawn(
        &mut self,
        call: CallId,
        acts: bool,
        task: impl Future<Output = FinishedRun> + Send + 'static,
    ) {
        let handle = self.tasks.spawn(task);
        let task = CallTask {
            acts,
            asked_to_end: false,
            handle,
        };
        self.running.insert(call, task);
    }

    /// Runs a call.
    pub(super) fn start(&mut self, place: &RunningPlace, tool: &Arc<KnownTool>, call: &Call) {
        place.entry.hub.call_runs(call.id);
        let task = run(
            place.clone(),
            Arc::clone(tool),
            Arc::clone(&self.permits),
            tool_call(place.entry.id, place.user, call),
        );
        // What the tool's own client logs can then be found by call and request.
        let span = tracing::info_span!(
            "call",
            id = %call.id,
            tool = tool.spec.name,
            correlation = place.correlation.as_ref().map(tracing::field::display),
        );
        let acts = tool.spec.recovery != Recovery::Pure;
        self.spawn(call.id, acts, task.instrument(span));
    }

    /// Asks a call to end early, once. Nobody waits for that: the end of the call is awaited anyway.
    pub(super) fn ask_to_end(&mut self, place: &RunningPlace, tool: &Arc<KnownTool>, call: &Call) {
        let task = self.running.get_mut(&call.id);
        let Some(task) = task.filter(|task| !task.asked_to_end) else {
            return;
        };
        task.asked_to_end = true;
        let tool = Arc::clone(tool);
        let call = tool_call(place.entry.id, place.user, call);
        let closing = place.shared.closing.clone();
        place.shared.tasks.spawn(async move {
            let asked = AssertUnwindSafe(tool.tool.stop(&call)).catch_unwind();
            let asked = tokio::select! {
                () = closing.cancelled() => return,
                asked = tokio::time::timeout(ASK_TO_END, asked) => asked,
            };
            if !matches!(asked, Ok(Ok(()))) {
                tracing::warn!(call = %call.id, tool = call.name, "a call could not be asked to end early");
            }
        });
    }

    /// True if nothing is under way.
    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// Starts to read what a call would do.
    pub(super) fn preview(&mut self, tool: &Arc<KnownTool>, call: ToolCall) {
        let tool = Arc::clone(tool);
        self.spawn(call.id, false, async move {
            let id = call.id;
            let preview = preview(&tool, &call).await;
            FinishedRun::Previewed(id, Box::new(TargetRead { tool, preview }))
        });
    }

    /// Takes in a call whose end is already known.
    pub(super) fn settled(&mut self, call: CallId, end: Result<ToolOutput, ToolError>) {
        self.spawn(call, true, async move { FinishedRun::Ended(call, end) });
    }

    /// Starts to find out what became of a call.
    pub(super) fn reconcile(&mut self, tool: &Arc<KnownTool>, call: ToolCall, since: Timestamp) {
        let tool = Arc::clone(tool);
        self.spawn(call.id, false, async move {
            let id = call.id;
            let limit = tool.spec.timeout;
            let work = async { tool.tool.reconcile(&call, since).await };
            let found = match AssertUnwindSafe(tokio::time::timeout(limit, work))
                .catch_unwind()
                .await
            {
                Ok(Ok(found)) => found,
                Ok(Err(_elapsed)) => {
                    Reconciled::Unknown(texts::calls::LOOKING_TOOK_TOO_LONG.to_owned())
                }
                Err(_panic) => Reconciled::Unknown(texts::calls::LOOKING_FAILED.to_owned()),
            };
            FinishedRun::Reconciled(id, found)
        });
    }

    /// At least one result, and all that are ready. Cancel-safe.
    pub(super) async fn done(&mut self) -> Vec<FinishedRun> {
        loop {
            let Some(first) = self.tasks.join_next().await else {
                return std::future::pending().await;
            };
            let mut ends: Vec<_> = first.into_iter().collect();
            while let Some(more) = self.tasks.try_join_next() {
                ends.extend(more);
            }
            // A task that was cancelled may have ended at the same moment.
            ends.retain(|done| self.running.remove(&done.call()).is_some());
            if !ends.is_empty() {
                return ends;
            }
        }
    }
}

/// A call as its tool sees it. `person`: the owner of the journal, which never changes.
pub(super) fn tool_call(conversation: ConversationId, person: UserId, call: &Call) -> ToolCall {
    ToolCall {
        id: call.id,
        name: call.name.clone(),
        input: call.effective_input().clone(),
        approval: call.approval.clone(),
        origin: origin(conversation, person, call.place, call.own),
    }
}

/// The origin of a call. A person's own call belongs to no answer, so it has no turn and no
/// message.
pub(super) fn origin(
    conversation: ConversationId,
    person: UserId,
    place: CallPlace,
    own: bool,
) -> CallOrigin {
    let (turn, message) = if own {
        (None, None)
    } else {
        (Some(place.turn), Some(place.message))
    };
    let actor = if own {
        CallActor::Person
    } else {
        CallActor::Model
    };
    CallOrigin {
        conversation,
        person,
        turn,
        message,
        actor,
    }
}

/// Reads what a call would do. A tool that panics or hangs becomes an error.
pub(super) async fn preview(tool: &KnownTool, call: &ToolCall) -> Result<Preview, ErrorBody> {
    let work = AssertUnwindSafe(tool.tool.preview(call)).catch_unwind();
    crash::point(|| format!("before a look at the target of {}", call.name));
    match tokio::time::timeout(PREVIEW, work).await {
        Ok(Ok(preview)) => preview.and_then(|it| decide::checked(&call.input, it)),
        Ok(Err(_panic)) => Err(ErrorBody::new(
            ErrorCode::Internal,
            texts::calls::READING_TARGET_FAILED,
        )),
        Err(_elapsed) => Err(ErrorBody::new(
            ErrorCode::ToolTimeout,
            texts::calls::target_did_not_answer(PREVIEW.as_secs()),
        )),
    }
}

/// Runs one call to its end. A tool that panics or hangs becomes an error.
async fn run(
    place: RunningPlace,
    tool: Arc<KnownTool>,
    permits: Arc<Semaphore>,
    call: ToolCall,
) -> FinishedRun {
    let id = call.id;
    // Semaphores are never closed; without a permit the call would only run at once.
    let _permit = permits.acquire_owned().await.ok();
    // Each own call has a journal of its own, so the permits above would hold none of them back.
    let own = call.origin.actor == CallActor::Person && tool.spec.tier == Tier::Green;
    let running = own.then(|| place.shared.own_calls.running(place.user));
    let _own = match running {
        Some(running) => running.acquire_owned().await.ok(),
        None => None,
    };
    let entry = Arc::clone(&place.entry);
    let progress = Progress::new(move |message| {
        entry.hub.progress(id, output::clean_line(message));
    });
    let limit = tool.spec.timeout;
    // An action that is cut off may have taken effect all the same.
    let cut_off = |code, message: String| {
        let code = match tool.spec.recovery {
            Recovery::Pure => code,
            _ => ErrorCode::ToolOutcomeUnknown,
        };
        Err(ToolError(ErrorBody::new(code, message)))
    };
    let name = call.name.clone();
    crash::point(|| format!("before {name}"));
    let brought = progress.clone();
    let work = async { tool.tool.call(call, progress).await };
    let mut result = match AssertUnwindSafe(tokio::time::timeout(limit, work))
        .catch_unwind()
        .await
    {
        Ok(Ok(result)) => result,
        Ok(Err(_elapsed)) => cut_off(
            ErrorCode::ToolTimeout,
            texts::calls::tool_did_not_finish(limit.as_secs_f32()),
        ),
        Err(_panic) => cut_off(ErrorCode::ToolFailed, texts::calls::TOOL_FAILED.to_owned()),
    };
    crash::point(|| format!("after {name}"));
    // Stored before the result names them, so that no result in the journal lacks its file.
    if let Ok(output) = &mut result {
        for image in brought.images() {
            match place.keep(image).await {
                Ok(image) => output.images.push(image),
                Err(why) => files::left_out(&mut output.data, &why),
            }
        }
    }
    // The page comes last: it shows what is done, or does what the tool only checked.
    let result = match result {
        Ok(output) => staged(&place, &tool, id, output).await,
        Err(error) => Err(error),
    };
    FinishedRun::Ended(id, result)
}

/// Has an open page show the result of a call or carry the call out, and says in the result how
/// that went.
async fn staged(
    place: &RunningPlace,
    tool: &KnownTool,
    call: CallId,
    mut output: ToolOutput,
) -> Result<ToolOutput, ToolError> {
    let need = match tool.tool.staging() {
        Staging::None => return Ok(output),
        Staging::Shows => Need::Shown,
        Staging::Runs => Need::Run,
    };
    let asked = AskedPage {
        user: place.user,
        conversation: place.entry.id,
        call,
        toolset: tool.toolset,
        tool: tool.spec.name.clone(),
        data: output.data.clone(),
        need,
    };
    let (shared, entry) = (Arc::clone(&place.shared), Arc::clone(&place.entry));
    let now = Arc::new(move || shared.env.now());
    let tell = Arc::new(move |tab| entry.hub.staged(call, tab));
    let heard = place.shared.stages.perform(asked, now, tell).await;
    let mut say = |field: &str, word: Value| {
        if let Value::Object(fields) = &mut output.data {
            fields.insert(field.to_owned(), word);
        }
    };
    // A tool that is only shown has done its work: without a page the result says so. A tool that
    // runs on a page has done nothing yet: without one the call fails.
    match (need, heard) {
        (_, Ok(Performed::Done { note })) => {
            if need == Need::Shown {
                say("shown", true.into());
            }
            if let Some(note) = note {
                say("page", output::clean_line(&note).into());
            }
        }
        (Need::Shown, heard) => {
            let why = match heard {
                Ok(Performed::Failed { message }) => output::clean_line(&message),
                Err(Unheard::NoPage) => texts::calls::NO_SUCH_PAGE_IS_OPEN.to_owned(),
                _ => texts::calls::PAGE_DID_NOT_ANSWER.to_owned(),
            };
            say("shown", false.into());
            say("not_shown", texts::calls::saved_not_yet_shown(&why).into());
            output.summary.push_str(texts::calls::AND_NOT_YET_SHOWN);
        }
        (Need::Run, heard) => {
            let (code, why) = match heard {
                Ok(Performed::Failed { message }) => {
                    (ErrorCode::ToolFailed, output::clean_line(&message))
                }
                Err(Unheard::NoPage) => (
                    ErrorCode::ToolUnreachable,
                    texts::calls::NO_PAGE_COULD_DO_THIS.to_owned(),
                ),
                _ => (
                    ErrorCode::ToolTimeout,
                    texts::calls::OPEN_PAGE_DID_NOT_ANSWER.to_owned(),
                ),
            };
            return Err(ToolError(ErrorBody::new(code, why)));
        }
    }
    Ok(output)
}
