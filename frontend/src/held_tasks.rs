//! Tasks that wait until the browser has had a turn.
//!
//! Taking over a page and the first run of its effects would be one long task of the main thread, in
//! which no key and no click is answered. So the effects wait for a task of their own.

use std::{cell::RefCell, mem};

use any_spawner::{CustomExecutor, Executor, PinnedFuture, PinnedLocalFuture};
use wasm_bindgen_futures::spawn_local;

thread_local! {
    /// Waiting tasks, oldest first; `None` after the release.
    static HELD: RefCell<Option<Vec<PinnedLocalFuture<()>>>> = const { RefCell::new(Some(Vec::new())) };
}

/// Holds the tasks of leptos from now on. Called before leptos chooses an executor of its own.
pub(crate) fn hold() {
    // An error means that one is chosen: then nothing is held, and the page works all the same.
    _ = Executor::init_custom_executor(HeldTasks);
}

/// Starts what was held, in its order; from now on tasks start at once.
pub(crate) fn release() {
    let held = HELD.with_borrow_mut(mem::take);
    held.into_iter().flatten().for_each(spawn_local);
}

struct HeldTasks;

impl CustomExecutor for HeldTasks {
    fn spawn(&self, task: PinnedFuture<()>) {
        self.spawn_local(task);
    }

    fn spawn_local(&self, task: PinnedLocalFuture<()>) {
        let free = HELD.with_borrow_mut(|held| match held {
            Some(held) => {
                held.push(task);
                None
            }
            None => Some(task),
        });
        if let Some(task) = free {
            spawn_local(task);
        }
    }

    /// The browser runs tasks by itself.
    fn poll_local(&self) {}
}
