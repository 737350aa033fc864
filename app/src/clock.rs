//! The time as views see it: unknown while the first tree is built, then ticking in the browser.

use std::time::Duration;

use leptos::prelude::*;
use protocol::Timestamp;

use crate::browser;

/// The server's time, as far as this page knows it.
#[derive(Clone, Copy)]
pub(crate) struct PageClock {
    now: RwSignal<Option<Timestamp>>,
    /// The server's clock minus the one of this device, in milliseconds.
    offset: StoredValue<i64>,
}

impl PageClock {
    pub(crate) fn new() -> Self {
        Self {
            now: RwSignal::new(None),
            offset: StoredValue::new(0),
        }
    }

    /// Starts ticking every second.
    pub(crate) fn start(self) {
        self.tick();
        set_interval(move || self.tick(), Duration::from_secs(1));
    }

    /// Sets the server's present time.
    pub(crate) fn set_server_time(self, server: Timestamp) {
        self.offset
            .try_update_value(|offset| *offset = server.0 - browser::now().0);
        self.tick();
    }

    /// Returns the server's time, changing every second; none on the server and in the first tree
    /// of a page.
    pub(crate) fn second(self) -> Option<Timestamp> {
        self.now.get()
    }

    fn tick(self) {
        let offset = self.offset.try_get_value().unwrap_or_default();
        self.now.try_set(Some(Timestamp(browser::now().0 + offset)));
    }
}
