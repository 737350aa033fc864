//! The time as views see it: unknown while the first tree is built, then ticking in the browser.

use std::time::Duration;

use leptos::prelude::*;
use protocol::Timestamp;

use crate::browser;

/// The server's time, as far as this page knows it.
#[derive(Clone, Copy)]
pub struct PageClock {
    now: RwSignal<Option<Timestamp>>,
    /// The server's clock minus the one of this device, in milliseconds.
    offset: StoredValue<i64>,
}

impl Default for PageClock {
    fn default() -> Self {
        Self {
            now: RwSignal::new(None),
            offset: StoredValue::new(0),
        }
    }
}

impl PageClock {
    /// Starts ticking every second.
    pub fn start(self) {
        self.tick();
        set_interval(move || self.tick(), Duration::from_secs(1));
    }

    /// Sets the server's present time.
    pub fn set_server_time(self, server: Timestamp) {
        self.offset
            .try_update_value(|offset| *offset = server.0 - browser::now().0);
        self.tick();
    }

    /// Returns the server's time, changing every second; none on the server and in the first tree
    /// of a page.
    pub fn second(self) -> Option<Timestamp> {
        self.now.get()
    }

    fn tick(self) {
        let offset = self.offset.try_get_value().unwrap_or_default();
        self.now.try_set(Some(Timestamp(browser::now().0 + offset)));
    }
}
