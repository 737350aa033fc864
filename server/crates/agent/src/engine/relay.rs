//! Calls that a program relays for a model elsewhere: a person's own calls, in which nothing is the
//! person's word. Each has a journal of its own and runs under the same gate.

use protocol::{
    Command, CommandId, ConversationId, ErrorBody, ErrorCode, Mode, OwnCall, Role, Tier, UserId,
};
use serde_json::Value;

use super::{Engine, check_own};
use crate::{
    error,
    machine::BegunCall,
    ports::{Audience, Person, Recovery, Scope, TokenRule},
    redaction::Cover,
    texts,
};

/// A tool, as a model elsewhere may call it.
#[derive(Debug, Clone, PartialEq)]
pub struct RelayedTool {
    pub name: String,
    pub description: String,
    pub input_schema: Value,
    /// The name of its toolset.
    pub toolset: &'static str,
    pub tier: Tier,
    /// True if its calls change nothing.
    pub only_reads: bool,
    /// True if the same call twice is the same as once.
    pub is_idempotent: bool,
}

impl Engine {
    /// The tools that a model elsewhere may call through a sign-in, in their order: those of these
    /// toolsets, or without a choice those of everyday conversations. `role` is that of the sign-in.
    pub fn relayed_tools(
        &self,
        scope: &Scope,
        role: Role,
        only: Option<&[String]>,
    ) -> Vec<RelayedTool> {
        let tools = &self.shared.tools;
        let live = self.shared.live();
        let run = &live.config.run;
        // In plan mode no model is given tools.
        if run.mode != Mode::Default {
            return Vec::new();
        }
        let within = match only {
            Some(toolsets) => {
                let within = toolsets.iter().filter(|name| scope.has(name));
                Scope::Only(within.cloned().collect())
            }
            None => {
                // A sign-in that is limited to some toolsets has chosen the packs among them.
                let mut packs = live.config.packs.clone();
                if let Scope::Only(names) = scope {
                    packs.extend(names.iter().cloned());
                }
                tools.everyday(scope, &packs)
            }
        };
        let offered = tools.iter().filter(|tool| {
            let spec = &tool.spec;
            let is_for_models = spec.audience == Audience::Everyone && spec.tier != Tier::Black;
            let may_call = role >= Role::Operator || tool.tool.only_reads();
            within.has(tool.toolset) && is_for_models && may_call && run.allows(&spec.name)
        });
        let offered = offered.map(|tool| RelayedTool {
            name: tool.spec.name.clone(),
            description: tool.spec.description.clone(),
            input_schema: tool.spec.input_schema.clone(),
            toolset: tool.toolset,
            tier: tool.spec.tier,
            only_reads: tool.tool.only_reads(),
            is_idempotent: match tool.spec.recovery {
                Recovery::Pure | Recovery::Idempotent => true,
                Recovery::Reconcilable | Recovery::Unsafe => false,
            },
        });
        offered.collect()
    }

    /// Begins a call that a program relays, in a journal of its own. Repeating a command that was
    /// carried out is `Ok`, whatever it asks for now.
    ///
    /// # Errors
    /// The reason why it may not begin; nothing has changed.
    pub async fn relay(
        &self,
        person: Person,
        id: CommandId,
        conversation: ConversationId,
        own: OwnCall,
    ) -> Result<(), ErrorBody> {
        if let Err(refusal) = self.may_relay(&person, conversation, &own).await {
            // It may have been allowed when it was carried out.
            return match self.shared.journal.has_command(person.id, id).await {
                Ok(true) => Ok(()),
                _ => Err(refusal),
            };
        }
        check_own(&own)?;
        let begun = BegunCall { own, relayed: true };
        let engine = self.clone();
        let start = async move { engine.start_action(&person, id, conversation, begun).await };
        self.detached(start).await
    }

    async fn may_relay(
        &self,
        person: &Person,
        conversation: ConversationId,
        own: &OwnCall,
    ) -> Result<(), ErrorBody> {
        let shared = &self.shared;
        if shared.live().config.run.mode != Mode::Default {
            return Err(error::only_plans());
        }
        // A sign-in that only reads may read. Its scope and its allowance are checked at the start.
        let tool = shared.tools.get(&own.tool);
        if tool.is_some_and(|tool| tool.tool.only_reads()) {
            return Ok(());
        }
        let act = Command::Act {
            conversation,
            tool: own.tool.clone(),
            input: Value::Null,
        };
        shared.allow(person, &act).await
    }

    /// Covers the values that the toolset of a relayed call hides, in what a model elsewhere will read of
    /// it. Its journal has its result covered, but what a person typed as they typed it, and the values
    /// that nobody knew then.
    ///
    /// # Errors
    /// They cannot be covered now: nothing of the text may leave.
    pub async fn covered(
        &self,
        person: UserId,
        conversation: ConversationId,
        own: &OwnCall,
        value: Value,
    ) -> Result<Value, ErrorBody> {
        let shared = &self.shared;
        let toolsets = shared.journal.toolsets(conversation).await;
        let toolsets = toolsets.map_err(|error| error::of_journal(&error))?;
        let cover = Cover::of(&shared.tools, &toolsets, conversation, person);
        let Some(cover) = cover.map(Cover::of_relayed) else {
            return Ok(value);
        };
        let about = shared.tools.things_of(&own.tool, &own.input);
        // The toolset has covered what is its own.
        let covered = cover.value(&about, value, TokenRule::Keep).await;
        covered.map_err(|error| {
            cover.log(&error);
            ErrorBody::new(
                ErrorCode::StorageFailed,
                texts::redaction::RESULT_IS_WITHHELD,
            )
        })
    }
}
