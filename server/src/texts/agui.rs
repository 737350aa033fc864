//! Sentences of `/agui`.

pub(crate) const TOKEN_NEEDED: &str = "This address needs an API token.";

pub(crate) const SEE_DOCS: &str = "Send RunAgentInput of AG-UI 1.0 as JSON.";

pub(crate) const IDS_UNUSABLE: &str =
    "threadId and runId are texts of 1 to 255 bytes without control characters.";

pub(crate) const NO_MESSAGE: &str = "A new thread begins with a message of the user.";

pub(crate) const THREAD_IS_BUSY: &str = "A run of this thread is in progress.";

pub(crate) const WAIT_OR_STOP: &str = "Wait for its end, follow it, or stop it.";

pub(crate) const CARDS_WAIT: &str = "This thread waits for decisions.";

pub(crate) const ANSWER_FIRST: &str = "Answer its interrupts with resume, or stop the run.";

pub(crate) const NO_SUCH_RUN: &str = "There is no such run in this thread.";

pub(crate) const RUN_HAS_ENDED: &str = "This run has ended: there is nothing to stop.";

pub(crate) const RESTARTING: &str = "The server is restarting. The conversation goes on.";

pub(crate) const FOLLOW_AGAIN: &str = "Follow the run again.";

pub(crate) const READS_TOO_SLOWLY: &str = "This client reads too slowly. The conversation goes on.";

pub(crate) const TOKEN_ENDED: &str = "The token has ended. The conversation goes on.";

pub(crate) const ROLE_CHANGED: &str = "The role of this token's user has changed.";
