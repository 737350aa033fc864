//! The types read last, each read once for all who ask at the same time.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use super::{TypeMeta, parse};
use crate::{
    client::{ErpClient, ErpMethod, ErpRoute},
    coalesced::Coalesced,
    error::ErpError,
    texts::{check as say, client},
};

/// More types than any site has in use at once. Above that all are read anew.
const MOST_TYPES: usize = 400;

type TypeSlot = Arc<Coalesced<Arc<TypeMeta>>>;

/// Cache of types.
pub(crate) struct TypeCache {
    lifetime: Duration,
    slots: Mutex<HashMap<String, TypeSlot>>,
}

impl TypeCache {
    pub(crate) fn new(lifetime: Duration) -> Self {
        Self {
            lifetime,
            slots: Mutex::default(),
        }
    }

    /// A type by its exact name.
    pub(crate) async fn get(
        &self,
        client: &ErpClient,
        doctype: &str,
    ) -> Result<Arc<TypeMeta>, ErpError> {
        let slot = self.slot(doctype);
        slot.get(self.lifetime, read(client, doctype)).await
    }

    fn slot(&self, doctype: &str) -> TypeSlot {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= MOST_TYPES && !slots.contains_key(doctype) {
            slots.clear();
        }
        Arc::clone(slots.entry(doctype.to_owned()).or_default())
    }
}

async fn read(client: &ErpClient, doctype: &str) -> Result<Arc<TypeMeta>, ErpError> {
    let route = ErpRoute::Method(ErpMethod::TypeMeta);
    let answer = client
        .get(route, &[("doctype", doctype.to_owned())])
        .await?;
    let found = parse::read(&answer.data).ok_or_else(|| ErpError::Unusable {
        site: client.site().to_owned(),
        cause: client::no_field_in_it("docs"),
    })?;
    // The database finds a type in any case, and what is written must have the exact name.
    if found.name != doctype {
        return Err(ErpError::input(say::exact_type(doctype, &found.name)));
    }
    Ok(Arc::new(found))
}
