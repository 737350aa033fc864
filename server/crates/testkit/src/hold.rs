//! A point at which a script waits for its test.

use std::sync::Arc;

use tokio::sync::watch;

/// A point at which a script waits until the test opens it. Clones are the same point.
#[derive(Debug, Clone)]
pub struct Hold {
    reached: Arc<watch::Sender<usize>>,
    open: Arc<watch::Sender<bool>>,
}

impl Default for Hold {
    fn default() -> Self {
        Self {
            reached: Arc::new(watch::Sender::new(0)),
            open: Arc::new(watch::Sender::new(false)),
        }
    }
}

impl Hold {
    /// A closed point.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets everybody through, now and later.
    pub fn open(&self) {
        self.open.send_replace(true);
    }

    /// Waits until a script has reached it.
    pub async fn reached(&self) {
        self.reached_by(1).await;
    }

    /// Waits until this many have reached it.
    pub async fn reached_by(&self, count: usize) {
        let mut reached = self.reached.subscribe();
        reached.wait_for(|n| *n >= count).await.expect("held open");
    }

    /// Reaches it, and waits until it is open.
    pub async fn pass(&self) {
        self.reached.send_modify(|n| *n += 1);
        let mut open = self.open.subscribe();
        open.wait_for(|open| *open).await.expect("held open");
    }
}
