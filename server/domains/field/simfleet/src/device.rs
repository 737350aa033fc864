//! A simulated device: a client of the device API with its own key, checks, journal and clock.

mod bundle;
mod connect;
mod error;
mod faults;
mod http;
mod job;
mod journal;
mod ledger;
mod running;
mod streams;
mod time;
mod upload;

use std::sync::Arc;
use std::time::Duration;

use sha2::{Digest as _, Sha256};

pub use self::connect::reported_capabilities;
pub use self::error::FleetError;
pub use self::faults::{DeviceFault, DeviceSwitches};
pub use self::ledger::{StepLedger, StepRun};

use self::connect::KnownServer;
use self::http::DeviceHttp;
use self::journal::DeviceJournal;
use self::time::HeardTime;
use crate::clock::SimFleetClock;
use crate::office::{OfficeDevice, SimOffice};
use crate::protocol::{ClaimAnswer, EnrolmentParts};
use crate::trust::keys::{FleetDeviceKey, hex};

/// Settings of one device.
#[derive(Clone)]
pub struct FleetDeviceOptions {
    pub device: OfficeDevice,
    pub seed: u64,
    pub clock: Arc<dyn SimFleetClock>,
    /// Address of the server, such as `http://127.0.0.1:7300`.
    pub server: String,
    /// Token of the enrolment.
    pub enrolment: String,
    /// Real seconds for a simulated second of a program, 0 for none.
    pub pace: f64,
    /// Seconds that a claim waits on the server, 45 at most.
    pub wait_s: u32,
    /// Requests in all for one that is not answered.
    pub tries: u32,
    /// Pause before the first repeat; it doubles with each.
    pub pause: Duration,
    /// Send diagnostics once after adoption, without being asked.
    pub first_bundle: bool,
}

/// The result of one turn of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceTurn {
    /// Not adopted, in the state that the server names.
    Waiting(String),
    /// There was no work.
    Idle,
    /// The device sends nothing: a fault.
    Silent,
    /// A job ended, and the server knows.
    Ended(String),
    /// A job was not run, with the code of the check.
    Refused { job: String, code: String },
    /// A job was claimed and dropped: a fault.
    NotStarted(String),
    /// The device died behind `started`: a fault.
    Died(String),
    /// A job was left with something that the server does not know yet.
    Unsent(String),
    /// A bundle was uploaded.
    Collected(String),
}

/// One device. It lives in turns: each connects if needed, asks for work once and does it.
pub struct FleetDevice {
    options: FleetDeviceOptions,
    office: SimOffice,
    key: FleetDeviceKey,
    token: EnrolmentParts,
    http: DeviceHttp,
    known: Option<KnownServer>,
    session: Option<String>,
    needs_hello: bool,
    state: String,
    journal: DeviceJournal,
    time: HeardTime,
    switches: DeviceSwitches,
    ledger: StepLedger,
    chance: DeviceChance,
    /// The word of this life.
    instance: String,
    /// A claim whose answer was lost, to be asked again as it was.
    open_claim: Option<ClaimIds>,
    sent_first_bundle: bool,
    /// The network is gone: a fault, until it is switched off.
    cut_off: bool,
}

/// The two identifiers of a claim.
#[derive(Clone, Debug)]
struct ClaimIds {
    request: String,
    claim: String,
}

impl FleetDevice {
    /// A device that has not spoken to the server yet.
    ///
    /// # Errors
    /// If the enrolment token has another form, or no HTTP client can be made.
    pub fn new(options: FleetDeviceOptions) -> Result<Self, FleetError> {
        let token = EnrolmentParts::read(&options.enrolment).ok_or(FleetError::Token)?;
        let key = FleetDeviceKey::derived(options.seed, options.device.name());
        Self::with_key(options, token, key, 0)
    }

    /// Another device with the key and identity of this one: a clone, which the server should notice.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn clone_of(other: &Self) -> Result<Self, FleetError> {
        let (options, token) = (other.options.clone(), other.token.clone());
        let mut clone = Self::with_key(options, token, other.key.clone(), 1)?;
        clone.known.clone_from(&other.known);
        Ok(clone)
    }

    fn with_key(
        options: FleetDeviceOptions,
        token: EnrolmentParts,
        key: FleetDeviceKey,
        which: u64,
    ) -> Result<Self, FleetError> {
        let mut chance = DeviceChance::new(&options, which);
        Ok(Self {
            office: SimOffice::new(options.seed),
            http: DeviceHttp::new(&options)?,
            key,
            token,
            known: None,
            session: None,
            needs_hello: true,
            state: String::new(),
            journal: DeviceJournal::default(),
            time: HeardTime::default(),
            switches: DeviceSwitches::default(),
            ledger: StepLedger::default(),
            instance: chance.digits(8),
            chance,
            open_claim: None,
            sent_first_bundle: false,
            cut_off: false,
            options,
        })
    }

    pub fn device(&self) -> OfficeDevice {
        self.options.device
    }

    /// Its faults, to switch on and off.
    pub fn switches(&self) -> DeviceSwitches {
        self.switches.clone()
    }

    /// The steps that it ran.
    pub fn ledger(&self) -> StepLedger {
        self.ledger.clone()
    }

    /// Fingerprint of its key.
    pub fn fingerprint(&self) -> String {
        self.key.fingerprint()
    }

    /// Begins another life, as after a loss of power: the journal stays, nothing else does.
    pub fn restart(&mut self) {
        self.session = None;
        self.needs_hello = true;
        self.open_claim = None;
        self.time.forget();
        self.instance = self.chance.digits(8);
    }

    /// One turn.
    ///
    /// # Errors
    /// If the server refuses, does not answer, or answers what is not possible.
    pub async fn turn(&mut self) -> Result<DeviceTurn, FleetError> {
        let silent = self.switches.is_on(DeviceFault::GoesSilent);
        if self.cut_off && silent {
            return Ok(DeviceTurn::Silent);
        }
        self.cut_off = false;
        self.connect().await?;
        if self.state != "adopted" {
            self.needs_hello = true;
            return Ok(DeviceTurn::Waiting(self.state.clone()));
        }
        if self.options.first_bundle && !self.sent_first_bundle {
            let request = self.chance.digits(16);
            let bundle = Box::pin(self.send_bundle(&request, "enrolled")).await?;
            self.sent_first_bundle = true;
            return Ok(DeviceTurn::Collected(bundle));
        }
        let ids = match self.open_claim.take() {
            Some(ids) => ids,
            None => ClaimIds {
                request: self.chance.digits(16),
                claim: self.chance.digits(32),
            },
        };
        match self.claim(&ids).await? {
            None => Ok(DeviceTurn::Idle),
            Some(ClaimAnswer::Collect { request }) => {
                let bundle = Box::pin(self.send_bundle(&request, "asked")).await?;
                Ok(DeviceTurn::Collected(bundle))
            }
            Some(ClaimAnswer::Job(offer)) => Box::pin(self.work(offer, ids.claim)).await,
        }
    }

    fn is_on(&self, fault: DeviceFault) -> bool {
        self.switches.is_on(fault)
    }

    /// The device's own clock in milliseconds since 1970.
    fn wall_ms(&self) -> u64 {
        let now = self.options.clock.now_ms();
        self.switches.bent(now)
    }
}

/// Words that nobody outside could foresee, and that follow from the device and its start.
struct DeviceChance {
    key: Vec<u8>,
    counter: u64,
}

impl DeviceChance {
    fn new(options: &FleetDeviceOptions, which: u64) -> Self {
        let mut hash = Sha256::new();
        hash.update(options.seed.to_be_bytes());
        hash.update(options.device.name().as_bytes());
        // A fleet that starts again must not repeat the words of the one before.
        hash.update(options.clock.now_ms().to_be_bytes());
        hash.update(which.to_be_bytes());
        Self {
            key: hash.finalize().to_vec(),
            counter: 0,
        }
    }

    /// Digits of so many bytes, 32 at most.
    fn digits(&mut self, bytes: usize) -> String {
        self.counter += 1;
        let mut hash = Sha256::new();
        hash.update(&self.key);
        hash.update(self.counter.to_be_bytes());
        let digest = hash.finalize();
        hex(&digest[..bytes.min(32)])
    }
}
