//! Names of devices, also of retired ones: their runs and diagnostics outlive them.

use std::collections::HashMap;

use crate::{
    parts::FieldParts,
    ports::{FieldFault, FieldSnapshot},
};

/// The names of devices that no snapshot has any more, by their identifiers.
#[derive(Default)]
pub(crate) struct DeviceNames {
    gone: HashMap<String, String>,
}

impl DeviceNames {
    /// Looks up the names of retired devices whose runs or diagnostics are in a snapshot.
    ///
    /// # Errors
    /// The storage fails. What was found before stays.
    pub(crate) async fn learn(
        &mut self,
        parts: &FieldParts,
        snapshot: &FieldSnapshot,
    ) -> Result<(), FieldFault> {
        let of_runs = snapshot.runs.iter().map(|run| &run.device);
        let bundles = snapshot.bundles.iter();
        let of_bundles = bundles.filter_map(|bundle| bundle.device.as_ref());
        for id in of_runs.chain(of_bundles) {
            if snapshot.device(id).is_some() || self.gone.contains_key(id) {
                continue;
            }
            let retired = parts.ports.administration.retired(id).await?;
            let name = retired.map_or_else(|| id.clone(), |it| it.device.name);
            self.gone.insert(id.clone(), name);
        }
        Ok(())
    }

    /// The name of a device. None if it could not be looked up.
    pub(crate) fn of(&self, snapshot: &FieldSnapshot, id: &str) -> Option<String> {
        let known = snapshot.device(id).map(|it| &it.name);
        known.or_else(|| self.gone.get(id)).cloned()
    }
}
