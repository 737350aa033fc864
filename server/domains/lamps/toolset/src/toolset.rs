//! Toolset for the agent: reading is GREEN, switching is YELLOW.

use std::sync::Arc;

use agent::ports::{Board, ContextPart, Tool, Toolset};
use async_trait::async_trait;
use protocol::{Name, Reference};
use serde_json::Value;

use crate::{
    board::{LampBoard, Notices},
    house::House,
    ports::ReadingStore,
    readings::Recorder,
    texts,
    tools::{self, get_lamps::rows},
};

const PROMPT: &str = "\
You look after the lamps of a small simulated house. Read their states before you speak of them, and \
say that the house is simulated when somebody may think that it is real.";

/// The lamps of a house. Clones are the same house.
#[derive(Clone)]
pub struct Lamps {
    house: Arc<House>,
    notices: Notices,
}

impl Lamps {
    /// Without notices: neither is it watched while nobody looks, nor is anything raised.
    pub fn new(house: House) -> Self {
        Self {
            house: Arc::new(house),
            notices: Notices {
                are_enabled: false,
                of_lamps: false,
            },
        }
    }

    /// The same, watched all the time. `off`: the kinds that are not raised.
    #[must_use]
    pub fn watched(self, off: &[String]) -> Self {
        let notices = Notices {
            are_enabled: true,
            of_lamps: !off.iter().any(|kind| kind == crate::NOTICE),
        };
        Self { notices, ..self }
    }

    /// What records the house in the background.
    pub fn recorder(&self, store: Arc<dyn ReadingStore>) -> Recorder {
        Recorder {
            house: Arc::clone(&self.house),
            store,
        }
    }

    /// The lamp of a reference.
    fn lamp(&self, reference: &Reference) -> Option<&'static str> {
        let is_lamp = reference.kind == "lamp";
        is_lamp.then(|| self.house.find(&reference.id)).flatten()
    }
}

#[async_trait]
impl Toolset for Lamps {
    fn name(&self) -> &'static str {
        "lamps"
    }

    fn system_prompt(&self) -> String {
        PROMPT.to_owned()
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        tools::all(&self.house)
    }

    async fn context(&self, _about: &[Reference]) -> Vec<ContextPart> {
        let lamps = self.house.lamps().await;
        vec![ContextPart {
            source: "lamps",
            data: lamps
                .map(|lamps| rows(&lamps))
                .map_err(|error| error.to_string()),
        }]
    }

    fn refers(&self, reference: &Reference) -> bool {
        self.lamp(reference).is_some()
    }

    async fn describe(&self, reference: &Reference) -> Result<Value, String> {
        let name = self.lamp(reference).ok_or(texts::NO_SUCH_LAMP)?;
        let mut lamps = self
            .house
            .lamps()
            .await
            .map_err(|error| error.to_string())?;
        lamps.retain(|lamp| lamp.name == name);
        Ok(rows(&lamps))
    }

    async fn names(&self) -> Option<Vec<Name>> {
        let names = self
            .house
            .names()
            .iter()
            .map(|&name| Name::new(format!("lamp {name}"), Reference::new("lamp", name)));
        Some(names.collect())
    }

    fn board(&self) -> Option<Arc<dyn Board>> {
        Some(Arc::new(LampBoard {
            house: Arc::clone(&self.house),
            notices: self.notices,
        }))
    }
}
