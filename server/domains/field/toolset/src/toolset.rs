//! The field devices as the agent sees them: tools, prompt, context, references, board, events, redaction.

use std::{fmt, sync::Arc};

use agent::ports::{Board, ContextPart, Happenings, Redaction, SubjectRefusal, Tool, Toolset};
use async_trait::async_trait;
use field_redaction::Pseudonym;
use protocol::{ErrorBody, Name, PageQuery, Reference, UserId};
use serde_json::Value;

use crate::{
    board::FieldBoard,
    config::{FieldConfig, FieldSetupError},
    context,
    happenings::FieldHappenings,
    once_tokens::OnceTokens,
    pages,
    parts::FieldParts,
    ports::FieldPorts,
    prompt::PROMPT,
    shown_runs::ShownRuns,
    site_redaction::SiteRedaction,
    things::{self, FieldThing},
    tools,
};

/// Field devices behind their ports. Cheap to clone.
#[derive(Clone)]
pub struct Field {
    parts: Arc<FieldParts>,
    redaction: Arc<SiteRedaction>,
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Field")
    }
}

impl Field {
    /// Checks the configuration. Asks nobody anything.
    ///
    /// # Errors
    /// An invalid value, or a policy that would be weaker than the built-in one.
    pub fn new(config: FieldConfig, ports: FieldPorts) -> Result<Self, FieldSetupError> {
        let policy = config.checked()?;
        let parts = Arc::new(FieldParts {
            config,
            policy,
            ports,
            shown: ShownRuns::default(),
            tokens: OnceTokens::default(),
        });
        Ok(Self {
            redaction: Arc::new(SiteRedaction(Arc::clone(&parts))),
            parts,
        })
    }
}

#[async_trait]
impl Toolset for Field {
    fn name(&self) -> &'static str {
        "field"
    }

    fn subject(&self) -> Option<&'static str> {
        Some("small networks at other places, and the field devices that diagnose them")
    }

    fn system_prompt(&self) -> String {
        PROMPT.to_owned()
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        tools::all(&self.parts)
    }

    async fn context(&self, about: &[Reference]) -> Vec<ContextPart> {
        vec![context::part(&self.parts, about).await]
    }

    fn refers(&self, reference: &Reference) -> bool {
        FieldThing::of(reference).is_some()
    }

    async fn describe(&self, reference: &Reference) -> Result<Value, String> {
        Box::pin(things::describe(&self.parts, reference)).await
    }

    async fn check_subject(&self, about: &[Reference]) -> Result<(), SubjectRefusal> {
        Box::pin(things::check_subject(&self.parts, about)).await
    }

    async fn attach(&self, reference: &Reference) -> Option<String> {
        Box::pin(things::text(&self.parts, reference)).await
    }

    async fn names(&self) -> Option<Vec<Name>> {
        let snapshot = self.parts.snapshot();
        let devices = snapshot.devices.iter();
        // One list for all tabs: a name that is a token says nothing, and a short one would be
        // found in every text.
        let named = devices.filter(|device| {
            device.name.chars().count() >= 3 && Pseudonym::parse(&device.name).is_none()
        });
        let names = named.map(|device| {
            let of = Reference::new("device", device.id.as_str());
            Name::new(device.name.as_str(), of)
        });
        Some(names.collect())
    }

    fn board(&self) -> Option<Arc<dyn Board>> {
        Some(Arc::new(FieldBoard(Arc::clone(&self.parts))))
    }

    fn happenings(&self) -> Option<Arc<dyn Happenings>> {
        Some(Arc::new(FieldHappenings(Arc::clone(&self.parts))))
    }

    fn redaction(&self) -> Option<Arc<dyn Redaction>> {
        Some(self.redaction.clone())
    }

    async fn page(&self, person: UserId, query: &PageQuery) -> Result<Value, ErrorBody> {
        Box::pin(pages::page(&self.parts, person, query)).await
    }

    fn is_page_for_operators(&self, query: &PageQuery) -> bool {
        pages::tells_hidden(query)
    }

    /// Covered text and the text of other domains never meet in one conversation.
    fn stands_alone(&self) -> bool {
        true
    }
}
