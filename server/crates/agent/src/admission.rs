//! Admission of commands: by the sign-in that sends them, and by the role of its user as it is now.

use protocol::{Command, ErrorBody, Event, EventBody, Mode, Role, Seq, UserId};

use crate::{
    Persona,
    conversation_entry::ConversationEntry,
    error,
    machine::Frozen,
    ports::{JournalError, Person, Scope, Via},
    rights::needs,
    shared::EngineShared,
    sight::Sight,
};

impl EngineShared {
    /// Refuses a command that a person may not send, by their sign-in or by their role as it is
    /// now.
    pub(crate) async fn allow(&self, person: &Person, command: &Command) -> Result<(), ErrorBody> {
        let user = match self.journal.role(person.id).await {
            Ok(role) => role.unwrap_or_default(),
            Err(error) => return Err(error::of_journal(&error)),
        };
        let needs = needs(command);
        // A read-only sign-in is a program's. The gate judges the actions of a turn by the user's
        // role, and the user may act where this sign-in may not.
        let acts = Role::Operator;
        if person.role < acts && (!needs.speaks || user >= acts) {
            return Err(error::only_reads());
        }
        if user.min(person.role) < needs.role {
            return Err(error::role_not_enough(needs.role));
        }
        if needs.all && person.scope != Scope::All {
            return Err(error::all_toolsets());
        }
        match &person.via {
            Via::Token { decides: false, .. } if needs.decides => Err(error::token_cannot_decide()),
            Via::Token { .. } | Via::Session { .. } | Via::Inside => Ok(()),
        }
    }

    /// The names of a conversation's toolsets, read once.
    pub(crate) async fn toolsets<'a>(
        &self,
        entry: &'a ConversationEntry,
    ) -> Result<&'a [String], JournalError> {
        let known = entry
            .toolsets
            .get_or_try_init(|| self.journal.toolsets(entry.id));
        known.await.map(Vec::as_slice)
    }

    /// The sight that a role gives of conversations with these toolsets: real values are for those who
    /// may act. A toolset that is no longer there may have hidden some.
    pub(crate) fn sight(&self, role: Role, toolsets: &[String]) -> Sight {
        let hides = |name: &String| {
            let mut known = self.tools.toolsets.iter();
            let known = known.find(|known| known.name() == name);
            known.is_none_or(|known| known.redaction().is_some())
        };
        if role < Role::Operator && toolsets.iter().any(hides) {
            Sight::Tokens
        } else {
            Sight::Values
        }
    }

    /// The same for somebody, by the lower role of their sign-in and of the user as it is now. A program
    /// only reads a relayed call, whatever its role: no program decides there, and it may be the one that
    /// relays for a model.
    pub(crate) async fn sight_of(
        &self,
        person: &Person,
        entry: &ConversationEntry,
    ) -> Result<Sight, JournalError> {
        let user = self.journal.role(person.id).await?.unwrap_or_default();
        let role = user.min(person.role);
        let is_program = matches!(person.via, Via::Token { .. });
        // For most sign-ins the toolsets do not matter.
        if role >= Role::Operator && !is_program {
            return Ok(Sight::Values);
        }
        let of_reader = self.sight(Role::Viewer, self.toolsets(entry).await?);
        if of_reader == Sight::Tokens && role >= Role::Operator && !self.is_relayed(entry).await? {
            return Ok(Sight::Values);
        }
        Ok(of_reader)
    }

    /// True for the journal of a relayed call, read once.
    async fn is_relayed(&self, entry: &ConversationEntry) -> Result<bool, JournalError> {
        let known = entry.relayed.get_or_try_init(|| async {
            let begun = self.journal.events_after(entry.id, Seq(1), 1).await?;
            let is = |event: &Event| {
                matches!(event.body, EventBody::ActionStarted { relayed: true, .. })
            };
            Ok::<_, JournalError>(begun.first().is_some_and(is))
        });
        known.await.copied()
    }

    /// Refuses a conversation outside of the scope of a sign-in.
    pub(crate) async fn reaches(
        &self,
        person: &Person,
        entry: &ConversationEntry,
    ) -> Result<(), ErrorBody> {
        if person.scope == Scope::All {
            return Ok(());
        }
        match self.toolsets(entry).await {
            Ok(toolsets) if person.scope.covers(toolsets) => Ok(()),
            Ok(_) => Err(error::other_toolset()),
            Err(error) => Err(error::of_journal(&error)),
        }
    }

    /// The frozen part of a conversation that begins within a scope, or with a persona of its user;
    /// none if the scope is everything and the persona the installation's.
    pub(crate) async fn frozen_for(
        &self,
        mode: Mode,
        scope: &Scope,
        user: UserId,
    ) -> Result<Option<Frozen>, ErrorBody> {
        let own = self.journal.persona(user).await;
        let own = own.map_err(|error| error::of_journal(&error))?;
        let reaches_all = *scope == Scope::All;
        if reaches_all && own == Persona::default() {
            return Ok(None);
        }
        let live = self.live();
        let persona = own.over(&live.config.persona);
        let scope = if reaches_all {
            &self.tools.everyday(scope, &live.config.packs)
        } else {
            scope
        };
        let frozen = live.freeze(mode, scope, &self.tools, &persona);
        if !reaches_all && frozen.toolsets.is_empty() {
            return Err(error::no_toolset());
        }
        Ok(Some(frozen))
    }
}
