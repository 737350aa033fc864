//! The simulated house: its lamps, and their states.

use std::sync::Arc;

use agent::ports::Env;
use protocol::Timestamp;
use tokio::sync::watch;

use crate::{
    ports::{StoreError, Switch, SwitchStore},
    texts,
};

/// The largest number of lamps.
pub const MOST: usize = NAMES.len();

/// All lamps; a smaller house has the first ones.
const NAMES: [&str; 8] = [
    "hall", "kitchen", "cellar", "desk", "porch", "stairs", "attic", "garage",
];
/// A lamp that does not work, so that there is something to notice.
const FAILED: &str = "cellar";
/// A lamp that is on before anybody has switched it.
const FIRST_ON: &str = "hall";

/// State of a lamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    On,
    Off,
    Failed,
}

impl State {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Failed => "failed",
        }
    }
}

/// A lamp as it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lamp {
    pub(crate) name: &'static str,
    pub(crate) state: State,
    pub(crate) switched: Option<Timestamp>,
}

/// Reason that a lamp was not switched.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SwitchError {
    #[error("The lamp {0} has failed and can't be switched.")]
    Failed(&'static str),
    #[error("{0}.")]
    Store(#[from] StoreError),
}

/// The house. A lamp is in the state of its last switch.
pub struct House {
    names: &'static [&'static str],
    store: Arc<dyn SwitchStore>,
    env: Arc<dyn Env>,
    switched: watch::Sender<()>,
}

impl House {
    /// A house with `count` lamps, [`MOST`] at most.
    pub fn new(count: usize, store: Arc<dyn SwitchStore>, env: Arc<dyn Env>) -> Self {
        Self {
            names: NAMES.get(..count).unwrap_or(&NAMES),
            store,
            env,
            switched: watch::Sender::new(()),
        }
    }

    pub(crate) fn names(&self) -> &'static [&'static str] {
        self.names
    }

    /// The name of a lamp of this house, however it is spelt.
    pub(crate) fn find(&self, name: &str) -> Option<&'static str> {
        let mut names = self.names.iter().copied();
        names.find(|it| it.eq_ignore_ascii_case(name))
    }

    /// All lamps, in the order of the house.
    pub(crate) async fn lamps(&self) -> Result<Vec<Lamp>, StoreError> {
        let switches = self.store.last().await?;
        let lamp = |&name: &&'static str| {
            let last = switches.iter().find(|switch| switch.lamp == name);
            let is_on = last.map_or(name == FIRST_ON, |last| last.is_on);
            Lamp {
                name,
                state: match is_on {
                    _ if name == FAILED => State::Failed,
                    true => State::On,
                    false => State::Off,
                },
                switched: last.map(|last| Timestamp(last.at_ms)),
            }
        };
        Ok(self.names.iter().map(lamp).collect())
    }

    /// Switches a lamp. A lamp that is in that state already stays in it.
    pub(crate) async fn switch(&self, lamp: &'static str, is_on: bool) -> Result<(), SwitchError> {
        if lamp == FAILED {
            return Err(SwitchError::Failed(lamp));
        }
        let switch = Switch {
            lamp: lamp.to_owned(),
            is_on,
            at_ms: self.now().0,
        };
        self.store.put(&switch).await?;
        self.switched.send_replace(());
        Ok(())
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.env.now()
    }

    /// Notifies of every switch.
    pub(crate) fn switches(&self) -> watch::Receiver<()> {
        self.switched.subscribe()
    }
}

/// The name of a lamp as the policy has it.
///
/// # Errors
/// It cannot be the name of a lamp, as a sentence.
pub fn canonical(name: &str) -> Result<String, String> {
    let lamp = NAMES.into_iter().find(|it| it.eq_ignore_ascii_case(name));
    let lamp = lamp.ok_or_else(|| texts::not_a_lamp(name))?;
    Ok(lamp.to_owned())
}
