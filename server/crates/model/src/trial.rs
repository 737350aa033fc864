//! Twelve small questions to a model, which show what it and its server really do. Each is bounded in
//! time and in tokens. All that comes back is untrusted text.

use std::fmt;
use std::time::{Duration, Instant};

use agent::ports::{ModelError, ModelErrorKind};
use protocol::StopReason;

use crate::{Client, texts};
use asking::{Asker, shown};

mod asking;
mod dials;

/// The result of one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelTrial {
    pub kind: TrialKind,
    pub outcome: TrialOutcome,
    pub took: Duration,
    /// Tokens that it used, read and written.
    pub tokens: u64,
}

/// A finding, in words for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrialOutcome {
    Fine(String),
    /// Not as the vendor's API does it. Jarvis works, with less.
    Differs(String),
    NotTried(String),
    /// Jarvis cannot work with this.
    Unusable(String),
}

/// The questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialKind {
    Limits,
    Streaming,
    Usage,
    StopReasons,
    ToolCall,
    ToolResult,
    FailedCall,
    ParallelCalls,
    NoCalls,
    Thinking,
    Images,
    Caching,
}

impl TrialKind {
    /// In the order in which they are asked.
    pub const ALL: [Self; 12] = [
        Self::Limits,
        Self::Streaming,
        Self::Usage,
        Self::StopReasons,
        Self::ToolCall,
        Self::ToolResult,
        Self::FailedCall,
        Self::ParallelCalls,
        Self::NoCalls,
        Self::Thinking,
        Self::Images,
        Self::Caching,
    ];

    /// In one or two words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Limits => texts::LIMITS,
            Self::Streaming => texts::STREAMING,
            Self::Usage => texts::USAGE,
            Self::StopReasons => texts::STOP_REASONS,
            Self::ToolCall => texts::TOOL_CALL,
            Self::ToolResult => texts::TOOL_RESULT,
            Self::FailedCall => texts::FAILED_CALL,
            Self::ParallelCalls => texts::PARALLEL_CALLS,
            Self::NoCalls => texts::NO_CALLS,
            Self::Thinking => texts::THINKING,
            Self::Images => texts::IMAGES,
            Self::Caching => texts::CACHING,
        }
    }
}

impl ModelTrial {
    /// The head of the table whose rows are results.
    pub fn head() -> String {
        let [result, trial, time, tokens, found] = texts::HEAD;
        format!("{result:<9}  {trial:<14}  {time:>7}  {tokens:>6}  {found}")
    }
}

impl fmt::Display for ModelTrial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, name) = (self.outcome.word(), self.kind.name());
        let (tokens, finding) = (self.tokens, self.outcome.finding());
        let seconds = format!("{:.1} s", self.took.as_secs_f64());
        write!(
            f,
            "{word:<9}  {name:<14}  {seconds:>7}  {tokens:>6}  {finding}"
        )
    }
}

impl TrialOutcome {
    /// The outcome in one or two words.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Fine(_) => texts::OK,
            Self::Differs(_) => texts::DIFFERS,
            Self::NotTried(_) => texts::NOT_TRIED,
            Self::Unusable(_) => texts::UNUSABLE,
        }
    }

    /// The finding in a sentence or two.
    pub fn finding(&self) -> &str {
        match self {
            Self::Fine(finding)
            | Self::Differs(finding)
            | Self::NotTried(finding)
            | Self::Unusable(finding) => finding,
        }
    }
}

impl Client {
    /// Asks a model all questions, each for at most `patience`, and hands out each result as it comes.
    pub async fn trial(&self, model: &str, patience: Duration, mut each: impl FnMut(&ModelTrial)) {
        let mut asker = Asker::new(self, model);
        for kind in TrialKind::ALL {
            let (started, before) = (Instant::now(), asker.tokens);
            let asked = tokio::time::timeout(patience, Box::pin(asker.run(kind))).await;
            let outcome = match (asked, kind) {
                (Ok(Ok(outcome)), _) => outcome,
                (Ok(Err(error)), TrialKind::Streaming) => {
                    TrialOutcome::Unusable(shown(&error.message))
                }
                (Ok(Err(error)), _) => TrialOutcome::Differs(shown(&error.message)),
                (Err(_), TrialKind::Streaming) => TrialOutcome::Unusable(texts::too_slow(patience)),
                (Err(_), _) => TrialOutcome::Differs(texts::too_slow(patience)),
            };
            each(&ModelTrial {
                kind,
                outcome,
                took: started.elapsed(),
                tokens: asker.tokens.saturating_sub(before),
            });
        }
    }
}

impl Asker<'_> {
    async fn run(&mut self, kind: TrialKind) -> Result<TrialOutcome, ModelError> {
        let needs_answer = !matches!(kind, TrialKind::Limits | TrialKind::Streaming);
        if needs_answer && self.counted.is_none() {
            return Ok(TrialOutcome::NotTried(texts::NO_ANSWER.to_owned()));
        }
        match kind {
            TrialKind::Limits => Ok(self.limits().await),
            TrialKind::Streaming => self.streaming().await,
            TrialKind::Usage => Ok(self.usage()),
            TrialKind::StopReasons => self.stop_reasons().await,
            TrialKind::ToolCall => self.tool_call().await,
            TrialKind::ToolResult => self.tool_result().await,
            TrialKind::FailedCall => self.failed_call().await,
            TrialKind::ParallelCalls => self.parallel_calls().await,
            TrialKind::NoCalls => self.no_calls().await,
            TrialKind::Thinking => Ok(self.thinking()),
            TrialKind::Images => self.images().await,
            TrialKind::Caching => self.caching().await,
        }
    }

    async fn limits(&self) -> TrialOutcome {
        let listed = self.client.models().await;
        self.client.context_window(self.model).await;
        let entry = self.client.model(self.model).unwrap_or_default();
        let list = match &listed {
            Ok(models) if models.is_empty() => texts::NO_LIST.to_owned(),
            Ok(models)
                if !models
                    .iter()
                    .any(|listed| listed.id.starts_with(self.model)) =>
            {
                return TrialOutcome::Differs(texts::not_listed(models.len()));
            }
            Ok(models) => texts::listed(models.len()),
            Err(error) if error.kind == ModelErrorKind::NotFound => texts::NO_LIST.to_owned(),
            Err(error) => shown(&error.message),
        };
        match entry.context_window {
            Some(window) => TrialOutcome::Fine(texts::limits(window, entry.max_output, &list)),
            None => TrialOutcome::Differs(texts::no_limits(&list)),
        }
    }

    async fn streaming(&mut self) -> Result<TrialOutcome, ModelError> {
        let counted = self.ask(self.words(texts::COUNT)).await?;
        let (pieces, first) = (counted.pieces, counted.first.unwrap_or_default());
        self.counted = Some(counted);
        Ok(match pieces {
            0 => TrialOutcome::Unusable(texts::EMPTY_ANSWER.to_owned()),
            1 => TrialOutcome::Differs(texts::ONE_PIECE.to_owned()),
            _ => TrialOutcome::Fine(texts::pieces(pieces, first)),
        })
    }

    fn usage(&self) -> TrialOutcome {
        let Some(counted) = &self.counted else {
            return TrialOutcome::NotTried(texts::NO_ANSWER.to_owned());
        };
        let usage = counted.reply.usage;
        if counted.estimated {
            TrialOutcome::Differs(texts::estimated(usage.total_input(), usage.output))
        } else if usage.total_input() == 0 || usage.output == 0 {
            TrialOutcome::Differs(texts::NO_USAGE.to_owned())
        } else {
            TrialOutcome::Fine(texts::usage(usage.total_input(), usage.output))
        }
    }

    async fn stop_reasons(&mut self) -> Result<TrialOutcome, ModelError> {
        let mut short = self.words(texts::COUNT);
        short.max_tokens = 8;
        let cut = self.ask(short).await?.reply.stop;
        let whole = self.counted.as_ref().map(|counted| counted.reply.stop);
        Ok(match (whole, cut) {
            (Some(StopReason::EndTurn), StopReason::MaxTokens) => {
                TrialOutcome::Fine(texts::STOPS.to_owned())
            }
            (Some(StopReason::EndTurn), _) => TrialOutcome::Differs(texts::NO_CUT.to_owned()),
            _ => TrialOutcome::Differs(texts::NO_END.to_owned()),
        })
    }

    async fn images(&mut self) -> Result<TrialOutcome, ModelError> {
        let image = serde_json::json!({
            "type": "image",
            "source": { "type": "base64", "media_type": "image/png", "data": RED },
        });
        let question = self.blocks(&[image, asking::text_block(texts::COLOUR)]);
        let answer = match self.ask(question).await {
            Ok(answer) => answer.text(),
            Err(error) => {
                let why = shown(&error.message);
                return Ok(TrialOutcome::Differs(texts::images_refused(&why)));
            }
        };
        Ok(if answer.to_lowercase().contains("red") {
            TrialOutcome::Fine(texts::SEEN.to_owned())
        } else {
            TrialOutcome::Differs(texts::not_seen(&shown(&answer)))
        })
    }

    async fn caching(&mut self) -> Result<TrialOutcome, ModelError> {
        if !self.client.sends_cache_marks() {
            return Ok(TrialOutcome::NotTried(texts::NO_CACHE_MARKS.to_owned()));
        }
        let mut question = self.words(texts::COUNT);
        question.max_tokens = 8;
        question.system = texts::LONG_PREFIX.repeat(LONG_PREFIXES).into();
        self.ask(question.clone()).await?;
        let read = self.ask(question).await?.reply.usage.cache_read;
        Ok(match read {
            0 => TrialOutcome::Differs(texts::NOT_CACHED.to_owned()),
            tokens => TrialOutcome::Fine(texts::cached(tokens)),
        })
    }
}

/// Repetitions that make a prefix longer than the 4,096 tokens from which every model of the vendor
/// caches.
const LONG_PREFIXES: usize = 500;

/// A red square, as PNG in base64.
const RED: &str = "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAJ0lEQVR42u3NsQkAAAjAsP7/tF7hIASyp6lTCQQCgUAgEAgEgi/BAjLD/C5w/SM9AAAAAElFTkSuQmCC";
