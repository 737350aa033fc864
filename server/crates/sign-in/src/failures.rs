//! The record of failed sign-ins.

use std::net::IpAddr;

use protocol::Timestamp;
use store::{SystemEvent, User};

use crate::{auth::Auth, tally::Row};

impl Auth {
    /// Records a failed sign-in: each, or, if there are very many, their number.
    pub(crate) async fn failed(
        &self,
        user: Option<&User>,
        address: Option<IpAddr>,
        now: Timestamp,
    ) -> Result<(), store::Error> {
        for row in self.throttle.record(now) {
            let event = match row {
                Row::Each => SystemEvent::SignInFailed {
                    user: user.map(|user| user.id),
                    address: address.map(|address| address.to_string()),
                },
                Row::Count { count, since } => SystemEvent::SignInsFailed { count, since },
            };
            self.store.record(now, &event).await?;
        }
        Ok(())
    }
}
