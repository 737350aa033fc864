//! The request that is being carried out, for the audit rows of what it changes.
//!
//! It goes with the task, as the span of a log line does, and not through every function: nothing is decided by it.

use agent::ports::Correlation;

tokio::task_local! {
    static ASKING: Correlation;
}

/// Does the work of a request: what it writes to the system journal has the request's id in the audit chain. A task
/// that the work spawns has none.
pub async fn of_request<T>(id: Correlation, work: impl Future<Output = T>) -> T {
    ASKING.scope(id, work).await
}

/// The id of the request that is being carried out.
pub(crate) fn asking() -> Option<Correlation> {
    ASKING.try_with(Correlation::clone).ok()
}
