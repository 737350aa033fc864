//! The start of journals: a conversation with its first message, or a person's own call.
//!
//! A person's own call has a journal with one turn and one call. From then on it is a call like any
//! other: pressing the button decides nothing, and a RED call shows its card.

use super::{Engine, branch::title as title_of};
use crate::{
    budget::{self, BudgetStanding, day_of},
    driver::Correlations,
    error,
    machine::{
        BegunCall, Conversation, Frozen, Said, action_started, answer_text, asked_by_link, chosen,
        turn_started,
    },
    output::clean_line,
    ports::{
        Append, Durability, Epoch, JournalError, NewRecord, Person, Record, StoredConversation,
    },
    redaction::{Cover, message_not_covered},
    rights, texts, title,
    tools::KnownTool,
};
use protocol::{
    BudgetScope, CommandId, ConversationId, ErrorBody, EventBody, MAX_MESSAGE_BYTES, MessageId,
    Mode, ModelChoice, Reference, Role, Seq, Tier, UserId,
};

/// Characters of a refused tool's name that are recorded.
const MAX_TOOL_NAME: usize = 64;

/// A conversation to start.
pub(super) struct NewConversation {
    pub(super) id: ConversationId,
    pub(super) mode: Mode,
    pub(super) said: Said,
    /// The chosen model and effort, if any.
    pub(super) choice: Option<ModelChoice>,
    /// See [`EventBody::ModelChosen`].
    pub(super) window: Option<u64>,
    /// The chosen packs, if any were.
    pub(super) packs: Option<Vec<String>>,
    pub(super) from: Option<ConversationId>,
    /// A title in place of the first words.
    pub(super) title: Option<String>,
}

/// The parts that a conversation takes over from the one that it continues.
#[derive(Default)]
pub(super) struct StartOrigin {
    /// The plan to carry out.
    pub(super) plan: Option<String>,
    pub(super) title: Option<String>,
    /// Its packs.
    pub(super) packs: Option<Vec<String>>,
    /// The things that it is about, if a toolset that stands alone knows them: without one of them
    /// the new conversation would not have that toolset.
    pub(super) about: Vec<Reference>,
}

/// A journal to create.
struct Beginning<'a> {
    id: ConversationId,
    frozen: &'a Frozen,
    title: String,
    from: Option<ConversationId>,
    /// The model, if somebody chose one, and the record of that.
    chosen: Option<(String, NewRecord)>,
    /// The first thing that happens.
    turn: NewRecord,
    person: &'a Person,
}

impl Engine {
    pub(super) async fn start(
        &self,
        person: Person,
        command: CommandId,
        new: NewConversation,
    ) -> Result<(), ErrorBody> {
        let NewConversation {
            id,
            mode,
            said,
            choice,
            window,
            packs,
            from,
            title,
        } = new;
        if mode == Mode::Unknown {
            return Err(error::unknown_mode());
        }
        let shared = &self.shared;
        // The budget is checked before the journal exists, and the scope narrows the tools that are
        // frozen with it: later the conversation can never reach more.
        let live = shared.live();
        let mode = live.config.run.mode(mode);
        if let Err(error) = self.may_begin(person.id).await {
            // It may have begun before the budget was used up: a client repeats a command whose
            // answer was lost.
            return match shared.journal.has_command(person.id, command).await {
                Ok(true) => Ok(()),
                _ => Err(error),
            };
        }
        let (packs, usual) = (packs.as_deref(), &live.config.packs);
        let tools = &shared.tools;
        let scope = tools.held(&person.scope, &said.references, packs, usual)?;
        let own = shared.frozen_for(mode, &scope, person.id).await?;
        let usual = &live.config.model;
        let model = choice.as_ref().map_or(usual, |choice| &choice.model);
        shared.can_see(model, &said)?;
        let beginning = Beginning {
            id,
            frozen: own
                .as_ref()
                .unwrap_or_else(|| live.fresh(mode, &shared.tools)),
            title: title.unwrap_or_else(|| title::of(&said.text, &said.references)),
            from,
            chosen: choice.map(|choice| (choice.model.clone(), chosen(choice, window))),
            turn: turn_started(shared.new_turn(), shared.new_message(), said),
            person: &person,
        };
        self.begin(command, beginning).await
    }

    /// Stores the packs that somebody chose on a page. A conversation that began is worth more than
    /// the memory of its choice: a failure is only logged.
    pub(super) async fn keep_packs(&self, user: UserId, packs: &[String]) {
        if let Err(error) = self.shared.journal.keep_packs(user, packs).await {
            tracing::warn!(%error, %user, "the choice of packs was not stored");
        }
    }

    /// The parts that a new conversation takes over from the one that it continues. The plan is
    /// read from that journal and not from the command: a page that sent it as the message would
    /// make a model's words, and those of a file that the model read, the person's.
    pub(super) async fn origin(
        &self,
        person: &Person,
        from: Option<ConversationId>,
        plan: Option<MessageId>,
    ) -> Result<StartOrigin, ErrorBody> {
        let Some(from) = from else {
            return match plan {
                None => Ok(StartOrigin::default()),
                Some(_) => Err(error::plan_not_found()),
            };
        };
        let entry = self.owned(person, from).await?;
        let shared = &self.shared;
        let toolsets = shared.journal.toolsets(from).await;
        let mut packs = toolsets.map_err(|error| error::of_journal(&error))?;
        // One that this server no longer has is left out: nobody names it now.
        packs.retain(|name| shared.tools.is_pack(name));
        let packs = Some(packs);
        let Some(plan) = plan else {
            // Older pages sent the plan as their message.
            let plans = entry.stored.get().map(|stored| stored.mode) == Some(Mode::Plan);
            return if plans {
                Err(error::plan_not_named())
            } else {
                Ok(StartOrigin {
                    packs,
                    ..StartOrigin::default()
                })
            };
        };
        let records = shared.journal.records(from).await;
        let records = records.map_err(|error| error::of_journal(&error))?;
        let mut text = answer_text(&records, plan).ok_or_else(error::plan_not_found)?;
        text.truncate(text.floor_char_boundary(MAX_MESSAGE_BYTES));
        let title = title::from_message(&texts::carry_out(&title_of(&records)));
        Ok(StartOrigin {
            plan: Some(text),
            title: Some(title),
            packs,
            about: self.subject_alone(&records),
        })
    }

    /// The things of a toolset that stands alone in the first message that names any. Others stay
    /// behind: what a person pointed at is their word, and they said it there.
    fn subject_alone(&self, records: &[Record]) -> Vec<Reference> {
        let toolsets = &self.shared.tools.toolsets;
        let is_alone = |thing: &&Reference| {
            let mut alone = toolsets.iter().filter(|toolset| toolset.stands_alone());
            thing.file.is_none() && alone.any(|toolset| toolset.refers(thing))
        };
        let named = records.iter().map(|record| match &record.event.body {
            EventBody::TurnStarted { references, .. } => references
                .iter()
                .filter(is_alone)
                .cloned()
                .collect::<Vec<_>>(),
            _ => Vec::new(),
        });
        let mut named = named.filter(|things: &Vec<Reference>| !things.is_empty());
        named.next().unwrap_or_default()
    }

    /// Refuses whatever would cost something if the day's budget is used up.
    pub(super) async fn may_begin(&self, user: UserId) -> Result<(), ErrorBody> {
        let shared = &self.shared;
        let day = shared.live().config.budgets.day;
        if !day.is_set() {
            return Ok(());
        }
        let spent = shared.journal.spent_on(user, day_of(shared.env.now()));
        let spent = spent.await.map_err(|error| error::of_journal(&error))?;
        match budget::standing(BudgetScope::Day, &day, &spent.spent) {
            BudgetStanding::Reached(error) => Err(error),
            _ => Ok(()),
        }
    }

    /// Starts a person's own call: its own journal, with one turn in which no model takes part.
    /// From then on it is a call like any other.
    pub(super) async fn start_action(
        &self,
        person: &Person,
        command: CommandId,
        id: ConversationId,
        begun: BegunCall,
    ) -> Result<(), ErrorBody> {
        let own = &begun.own;
        // Checked before a journal exists: a call that is refused here leaves no more than a
        // counted row in the audit chain.
        let shared = &self.shared;
        let known = shared.tools.get(&own.tool);
        let tool = known.as_deref();
        if let Some(tool) = tool {
            rights::within(&person.scope, tool.toolset)?;
            // To a relayed call the gate says that there is no such tool, as to every model.
            if !begun.relayed {
                rights::reaches_tool(&person.via, tool.spec.audience)?;
            }
        }
        let tier = tool.map(|tool| tool.spec.tier);
        match self.may_call(person, tier, &own.tool).await {
            Ok(()) => {}
            // It may have been carried out before, when it was allowed.
            Err(refusal) => {
                return match shared.journal.has_command(person.id, command).await {
                    Ok(true) => Ok(()),
                    _ => Err(refusal),
                };
            }
        }
        // Among what waits, the sentence of its card stands beside it, which names the target.
        let title = if begun.relayed {
            texts::calls::A_PROGRAMS_CALL
        } else {
            texts::calls::YOUR_OWN_CALL
        };
        // Its one tool is all that it may use.
        let definitions = known.as_ref().map(KnownTool::alone).unwrap_or_default();
        let frozen = Frozen {
            model: String::new(),
            mode: Mode::Default,
            toolsets: tool.iter().map(|tool| tool.toolset.to_owned()).collect(),
            system: "".into(),
            tools: definitions.array,
            allowed: Vec::new(),
            digests: definitions.digests,
            history_limit: shared.live().config.history_limit,
            history_tokens: None,
        };
        let beginning = Beginning {
            id,
            frozen: &frozen,
            title: title.to_owned(),
            from: None,
            chosen: None,
            turn: action_started(
                shared.new_turn(),
                shared.new_message(),
                shared.new_call(),
                begun,
                person,
            ),
            person,
        };
        self.begin(command, beginning).await
    }

    /// Refuses a person who may not make a call of their own, before anything is kept of it. The
    /// gate decides on it again, whatever this says.
    async fn may_call(
        &self,
        person: &Person,
        tier: Option<Tier>,
        tool: &str,
    ) -> Result<(), ErrorBody> {
        let (shared, now) = (&self.shared, self.shared.env.now());
        if tier == Some(Tier::Green) {
            return shared.own_calls.begin(person.id, now);
        }
        let role = shared.journal.role(person.id).await;
        let role = role.map_err(|error| error::of_journal(&error))?;
        let role = role.unwrap_or_default().min(person.role);
        if role >= Role::Operator {
            return Ok(());
        }
        // The name of an unknown tool may be as long as a message.
        let tool: String = clean_line(tool).chars().take(MAX_TOOL_NAME).collect();
        if let Some(before) = shared.own_calls.refused(person.id, now) {
            let noted = shared
                .journal
                .note_refusal(person, &tool, before, now)
                .await;
            noted.map_err(|error| error::of_journal(&error))?;
        }
        Err(error::role_not_enough(Role::Operator))
    }

    /// True if a journal is that of a person's own call.
    pub(super) async fn is_action(&self, id: ConversationId) -> Result<bool, ErrorBody> {
        let first = self.shared.journal.events_after(id, Seq(1), 1).await;
        let first = first.map_err(|error| error::of_journal(&error))?;
        let is = |body: &EventBody| matches!(body, EventBody::ActionStarted { .. });
        Ok(first.first().is_some_and(|event| is(&event.body)))
    }

    async fn begin(&self, command: CommandId, beginning: Beginning<'_>) -> Result<(), ErrorBody> {
        let Beginning {
            id,
            frozen,
            title,
            from,
            chosen,
            turn,
            person,
        } = beginning;
        let user = person.id;
        let (model, chosen) = match chosen {
            Some((model, chosen)) => (model, Some(chosen)),
            None => (frozen.model.clone(), None),
        };
        let shared = &self.shared;
        // Locked until the actor is there, so that no command wakes a second one. Start, choice,
        // turn and sign-in link are one transaction: a journal has all of them or does not exist.
        let entry = shared.entry(id);
        let mut actor = entry.actor.lock().await;
        let stored = StoredConversation {
            id,
            owner: user,
            mode: frozen.mode,
            model: model.clone(),
        };
        let started = NewRecord {
            body: EventBody::ConversationStarted {
                title,
                model,
                mode: frozen.mode,
                toolsets: frozen.toolsets.clone(),
                from,
            },
            raw: Some(frozen.to_raw()),
            audit: None,
            trace: Default::default(),
        };
        let own_call = matches!(turn.body, EventBody::ActionStarted { .. });
        let records = [Some(started), chosen, Some(turn), asked_by_link(person)];
        let mut records: Vec<_> = records.into_iter().flatten().collect();
        if !own_call && let Some(cover) = Cover::of(&shared.tools, &frozen.toolsets, id, user) {
            let covered = cover.records(&[], records).await;
            records = covered.map_err(|error| message_not_covered(Some(&cover), &error))?;
        }
        let asking = person.correlation.as_ref();
        let records: Vec<_> = records
            .into_iter()
            .map(|record| record.correlated(asking))
            .collect();
        let correlations = Correlations::of(records.iter().map(|record| (&record.body, asking)));
        let append = Append {
            conversation: id,
            epoch: Epoch(0),
            head: Seq::default(),
            at: shared.env.now(),
            records,
            command: Some((user, command)),
            durability: Durability::Power,
        };
        let appended = match shared.journal.create(stored.clone(), append).await {
            Ok(appended) => appended,
            Err(JournalError::Duplicate) => return Ok(()),
            // The id may be taken by this very command, sent again, and then all is well.
            Err(error) => {
                let done = shared.journal.has_command(user, command).await;
                return match (done, error) {
                    (Ok(true), JournalError::Exists) => Ok(()),
                    (_, error) => Err(error::of_journal(&error)),
                };
            }
        };
        let conversation = Conversation::from_records(&appended.records).map_err(|error| {
            tracing::error!(conversation = %id, %error, "a new conversation cannot be folded");
            error::internal()
        })?;
        let events: Vec<_> = appended.records.into_iter().map(|r| r.event).collect();
        entry.hub.publish(&events);
        shared
            .lists
            .changed(user, &appended.summary, &frozen.toolsets);
        shared.spawn(
            &entry,
            &mut actor,
            stored,
            Epoch(1),
            conversation,
            correlations,
        );
        Ok(())
    }
}
