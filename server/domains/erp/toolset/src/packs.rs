//! Packs: tools for one kind of business, which people choose when a conversation starts.
//!
//! A pack is a toolset of its own on the same site. It has tools alone: board, context and references
//! are those of the ERP.

mod distribution;
mod draft;
mod figures;
mod hospitality;
mod input;
mod lists;
mod manufacturing;
mod purchases;
mod reading;
mod retail;
mod sales;
mod services;
mod stock;

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use agent::ports::{ContextPart, PackNote, Tool, Toolset};
use async_trait::async_trait;
use futures::future::join_all;
use protocol::{ErrorBody, ErrorCode, Reference};

use crate::{
    error::{ErpError, RefusalKind},
    personal_sites::PersonalSites,
    personal_tools::{self, ToolMaker},
    site::ErpSite,
    texts::packs as say,
};

/// A pack as it is declared.
struct PackRow {
    /// The name in the configuration.
    word: &'static str,
    toolset: &'static str,
    label: &'static str,
    /// The questions that it opens, for people.
    about: &'static str,
    prompt: &'static str,
    /// The types without which its tools can do nothing.
    types: &'static [&'static str],
    tools: fn(&Arc<PackSite>) -> Vec<Arc<dyn Tool>>,
}

/// All packs, in the order in which people see them.
const PACKS: &[PackRow] = &[
    PackRow {
        word: "manufacturing",
        toolset: "erp-manufacturing",
        label: "Manufacturing",
        about: say::ABOUT_MANUFACTURING,
        prompt: manufacturing::PROMPT,
        types: &["BOM", "Work Order"],
        tools: manufacturing::all,
    },
    PackRow {
        word: "retail",
        toolset: "erp-retail",
        label: "Retail",
        about: say::ABOUT_RETAIL,
        prompt: retail::PROMPT,
        types: &["Item Price", "POS Profile", "POS Opening Entry"],
        tools: retail::all,
    },
    PackRow {
        word: "distribution",
        toolset: "erp-distribution",
        label: "Distribution",
        about: say::ABOUT_DISTRIBUTION,
        prompt: distribution::PROMPT,
        types: &["Bin", "Sales Order"],
        tools: distribution::all,
    },
    PackRow {
        word: "services",
        toolset: "erp-services",
        label: "Services",
        about: say::ABOUT_SERVICES,
        prompt: services::PROMPT,
        types: &["Project", "Timesheet"],
        tools: services::all,
    },
    PackRow {
        word: "hospitality",
        toolset: "erp-hospitality",
        label: "Hospitality",
        about: say::ABOUT_HOSPITALITY,
        prompt: hospitality::PROMPT,
        types: &["Hotel Room", "Hotel Room Package", "Hotel Room Reservation"],
        tools: hospitality::all,
    },
];

/// A pack of one site.
#[derive(Clone)]
pub struct ErpPack {
    row: &'static PackRow,
    site: Arc<PackSite>,
    /// None where all calls are made with the site's key.
    personal: Option<Arc<PersonalSites>>,
}

impl fmt::Debug for ErpPack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ErpPack").field(&self.row.toolset).finish()
    }
}

/// The site of a pack, and what is known of the types that the pack needs.
struct PackSite {
    site: Arc<ErpSite>,
    label: &'static str,
    types: &'static [&'static str],
    /// The types that the site lacks, as of the last look. None before the first.
    /// Types are the site's, whoever asks.
    lacking: Arc<Mutex<Option<Vec<&'static str>>>>,
}

impl ErpPack {
    /// The words by which a configuration names packs.
    pub fn words() -> impl Iterator<Item = &'static str> {
        PACKS.iter().map(|row| row.word)
    }

    pub(crate) fn all(site: &Arc<ErpSite>, personal: Option<&Arc<PersonalSites>>) -> Vec<Self> {
        let of = |row: &'static PackRow| Self {
            row,
            personal: personal.cloned(),
            site: Arc::new(PackSite {
                site: Arc::clone(site),
                label: row.label,
                types: row.types,
                lacking: Arc::default(),
            }),
        };
        PACKS.iter().map(of).collect()
    }

    /// The word by which a configuration names it, such as `manufacturing`.
    pub fn word(&self) -> &'static str {
        self.row.word
    }

    /// Looks whether the site has the types that it needs, so that prompts say if not. Each call of
    /// a tool looks as well, until all are there.
    ///
    /// # Errors
    /// A type is not there, or the site does not answer.
    pub async fn look(&self) -> Result<(), ErrorBody> {
        self.site.get().await?;
        Ok(())
    }
}

impl PackSite {
    /// The same pack on the site as a person reaches it.
    fn on(&self, site: &Arc<ErpSite>) -> Arc<Self> {
        Arc::new(Self {
            site: Arc::clone(site),
            lacking: Arc::clone(&self.lacking),
            ..*self
        })
    }

    /// The site, if it has the types of the pack.
    async fn get(&self) -> Result<&ErpSite, ErpError> {
        if self.lacking().is_some_and(|it| it.is_empty()) {
            return Ok(&self.site);
        }
        let looks = self.types.iter().map(|name| self.site.readable_type(name));
        let mut lacking = Vec::new();
        for (name, looked) in self.types.iter().zip(join_all(looks).await) {
            match looked {
                Err(error) if error.kind() == Some(RefusalKind::NotFound) => lacking.push(*name),
                // The tool's own request says it better than the look.
                Err(error) if error.kind() == Some(RefusalKind::Permission) => {}
                Err(error) => return Err(error),
                Ok(_) => {}
            }
        }
        let refusal = (!lacking.is_empty()).then(|| say::lacks(self.label, &lacking.join(", ")));
        *self.lacking.lock().unwrap_or_else(PoisonError::into_inner) = Some(lacking);
        match refusal {
            Some(refusal) => Err(ErpError::Own(ErrorBody::new(
                ErrorCode::ToolFailed,
                refusal,
            ))),
            None => Ok(&self.site),
        }
    }

    fn lacking(&self) -> Option<Vec<&'static str>> {
        let lacking = self.lacking.lock().unwrap_or_else(PoisonError::into_inner);
        lacking.clone()
    }
}

#[async_trait]
impl Toolset for ErpPack {
    fn name(&self) -> &'static str {
        self.row.toolset
    }

    fn pack(&self) -> Option<&'static str> {
        Some(self.row.label)
    }

    fn pack_note(&self) -> PackNote {
        let lacking = self.site.lacking().unwrap_or_default();
        PackNote {
            about: self.row.about.to_owned(),
            lacks: (!lacking.is_empty())
                .then(|| say::cannot_answer(self.row.label, &lacking.join(", "))),
        }
    }

    fn system_prompt(&self) -> String {
        let mut text = self.row.prompt.to_owned();
        let lacking = self.site.lacking().unwrap_or_default();
        if !lacking.is_empty() {
            text.push_str("\n- ");
            text.push_str(&say::lacks(self.row.label, &lacking.join(", ")));
        }
        text
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let (make, of) = (self.row.tools, Arc::clone(&self.site));
        match &self.personal {
            Some(personal) => {
                let make = move |site: &Arc<ErpSite>| make(&of.on(site));
                personal_tools::personal(personal, &(Arc::new(make) as ToolMaker))
            }
            None => make(&self.site),
        }
    }

    async fn context(&self, _about: &[Reference]) -> Vec<ContextPart> {
        Vec::new()
    }
}
