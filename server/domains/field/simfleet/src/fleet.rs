//! The fleet: the six devices of the office, each a task of its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::clock::SimFleetClock;
use crate::device::{
    DeviceFault, DeviceSwitches, DeviceTurn, FleetDevice, FleetDeviceOptions, FleetError,
};
use crate::office::OfficeDevice;

/// Settings of the fleet.
#[derive(Clone)]
pub struct SimFleetOptions {
    pub seed: u64,
    pub clock: Arc<dyn SimFleetClock>,
    /// Address of the server, such as `http://127.0.0.1:7300`.
    pub server: String,
    /// An enrolment token for each device that takes part.
    pub enrolments: BTreeMap<OfficeDevice, String>,
    /// Real seconds for a simulated second of a program.
    pub pace: f64,
    /// Seconds that a claim waits on the server.
    pub wait_s: u32,
}

/// A fleet that is running. It ends when this is dropped.
pub struct SimFleet {
    switches: BTreeMap<OfficeDevice, DeviceSwitches>,
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

/// Pause of a device that waits for a person, and of one whose server is away.
const PAUSE: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

impl SimFleet {
    /// Starts all devices that have an enrolment.
    ///
    /// # Errors
    /// If a token has another form.
    pub fn start(options: &SimFleetOptions) -> Result<Self, FleetError> {
        let (stop, stopped) = watch::channel(false);
        let mut fleet = Self {
            switches: BTreeMap::new(),
            stop,
            tasks: JoinSet::new(),
        };
        for (device, token) in &options.enrolments {
            let device = FleetDevice::new(FleetDeviceOptions {
                device: *device,
                seed: options.seed,
                clock: Arc::clone(&options.clock),
                server: options.server.clone(),
                enrolment: token.clone(),
                pace: options.pace,
                wait_s: options.wait_s.min(45),
                tries: 3,
                pause: Duration::from_millis(500),
                first_bundle: true,
            })?;
            fleet.switches.insert(device.device(), device.switches());
            fleet.tasks.spawn(live(device, stopped.clone()));
        }
        Ok(fleet)
    }

    /// Faults of a device, None if it does not take part.
    pub fn switches(&self, device: OfficeDevice) -> Option<&DeviceSwitches> {
        self.switches.get(&device)
    }

    /// Stops all devices where they are.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        while self.tasks.join_next().await.is_some() {}
    }
}

/// Turns of one device until the fleet stops.
async fn live(mut device: FleetDevice, mut stopped: watch::Receiver<bool>) {
    let mut pause = PAUSE;
    loop {
        let turn = tokio::select! {
            turn = Box::pin(device.turn()) => turn,
            _ = stopped.wait_for(|it| *it) => return,
        };
        let rest = match turn {
            // It was there to leave its last diagnostics; now it is away.
            Ok(DeviceTurn::Collected(_)) if device.device().is_offline() => return,
            Ok(DeviceTurn::Waiting(_) | DeviceTurn::Silent | DeviceTurn::NotStarted(_)) => {
                pause = PAUSE;
                PAUSE
            }
            Ok(_) => {
                pause = PAUSE;
                // A server that does not wait must not be asked all the time.
                Duration::from_millis(200)
            }
            Err(error) => {
                let device = device.device().name();
                tracing::debug!(device, %error, simulated = true, "turn of a simulated device ended early");
                let rest = pause;
                pause = (pause * 2).min(LONGEST_PAUSE);
                rest
            }
        };
        tokio::select! {
            () = tokio::time::sleep(rest) => {}
            _ = stopped.wait_for(|it| *it) => return,
        }
    }
}

impl SimFleet {
    /// Switches a fault of a device on; false if the device does not take part.
    pub fn switch_on(&self, device: OfficeDevice, fault: DeviceFault) -> bool {
        let switches = self.switches(device);
        if let Some(switches) = switches {
            switches.switch_on(fault);
        }
        switches.is_some()
    }
}
