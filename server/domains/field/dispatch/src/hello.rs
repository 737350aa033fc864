//! The hello that opens a session: the device's report on itself, and what its journal still knows.

use field_tables::{DeviceChange, DeviceReport};
use serde_json::Value;

use crate::dispatch::Dispatch;
use crate::enrolment::object;
use crate::error::{DispatchRefusal, RefusalClass};
use crate::jobs::JobSettled;
use crate::limit_gaps;
use crate::messages::{GreetingAnswer, HelloMessage, JournalAnswer};
use crate::reported_program;
use crate::sessions::{DeviceSession, shut_out};
use crate::texts::devices as texts;

/// Entries of a journal in one hello.
const MOST_ENTRIES: usize = 64;
/// Bytes of a device's report on its clock.
const MOST_CLOCK: usize = 1_024;

impl Dispatch {
    /// Takes a device's report and settles what its journal says.
    ///
    /// # Errors
    /// The report is too large or not possible, or the device was set back and is suspended now.
    pub async fn hello(
        &self,
        session: &DeviceSession,
        message: &HelloMessage,
    ) -> Result<GreetingAnswer, DispatchRefusal> {
        if message.journal.len() > MOST_ENTRIES {
            return Err(DispatchRefusal::too_large(
                "The journal",
                MOST_ENTRIES as u64,
            ));
        }
        let newest = self.0.keys.roots.newest().version();
        if message.root_version > newest {
            let class = RefusalClass::Malformed;
            let (text, help) = (texts::ROOT_AHEAD, texts::KEY_UNKNOWN_HELP);
            return Err(DispatchRefusal::new(class, "root_unknown", text, help));
        }
        let report = DeviceReport {
            facts: with_clock(object(&message.facts)?, &message.clock),
            capabilities: object(&message.capabilities)?,
            root_version: message.root_version,
            program: reported_program::read(&message.program),
            lacking: limit_gaps::lacking(&message.capabilities),
        };
        let (id, now) = (session.id(), self.now_ms());
        let device = match self.0.tables.report(id, &report, now).await? {
            DeviceChange::Changed(device) => device,
            DeviceChange::Unchanged(device) => {
                self.suspend_suspect(&device, texts::SET_BACK_REASON)
                    .await?;
                return Err(shut_out(field_tables::DeviceState::Suspended));
            }
        };
        self.greet(id, session.token_hash());
        self.0.changes.count_of(id);
        let mut reports = Vec::with_capacity(message.journal.len());
        for entry in &message.journal {
            let settled = self.journal_entry(session, entry).await?;
            let answer = match settled {
                JobSettled::Recorded => "recorded",
                JobSettled::Stale => "stale",
                JobSettled::Gone => "gone",
            };
            // Who has no claim on a job learns nothing of it.
            let offsets = match settled {
                JobSettled::Recorded => self.stream_lengths(&entry.job).await?,
                JobSettled::Stale | JobSettled::Gone => Default::default(),
            };
            reports.push(JournalAnswer {
                job: entry.job.clone(),
                epoch: entry.epoch,
                answer,
                offsets,
            });
        }
        Ok(GreetingAnswer {
            state: device.state.word(),
            root_version: newest,
            reports,
        })
    }

    /// The envelope of a root document, as it was signed.
    ///
    /// # Errors
    /// There is no such version.
    pub fn root_document(&self, version: u64) -> Result<Vec<u8>, DispatchRefusal> {
        let envelope = self.0.keys.roots.envelope(version);
        envelope
            .map(<[u8]>::to_vec)
            .ok_or_else(DispatchRefusal::not_found)
    }
}

/// The facts with the device's report on its clock, which people see. It decides nothing.
fn with_clock(mut facts: Value, clock: &Value) -> Value {
    let is_small = clock.to_string().len() <= MOST_CLOCK;
    if clock.is_object()
        && is_small
        && let Some(facts) = facts.as_object_mut()
    {
        facts.insert("clock".to_owned(), clock.clone());
    }
    facts
}
