//! The things that a program wants a conversation to be about, checked before it begins.

use protocol::{Command, CommandId, ErrorBody, Reference, UserId};

use super::Engine;
use crate::{
    error,
    ports::{Person, SubjectRefusal},
    rights,
};

impl Engine {
    /// True if a person's command was carried out before. One that is sent again is not
    /// checked again: its conditions may have changed since.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub async fn has_carried_out(&self, user: UserId, id: CommandId) -> Result<bool, ErrorBody> {
        let known = self.shared.journal.has_command(user, id).await;
        known.map_err(|error| error::of_journal(&error))
    }

    /// Checks that the conversation of a start can be about what its message names. Whatever a
    /// sign-in does not reach is refused before anybody looks whether it exists.
    ///
    /// # Errors
    /// The reason why it cannot. Nothing has begun.
    pub async fn check_subject(
        &self,
        person: &Person,
        start: &Command,
    ) -> Result<(), SubjectRefusal> {
        self.shared.allow(person, start).await?;
        let Command::Start { references, .. } = start else {
            return Ok(());
        };
        let toolsets = &self.shared.tools.toolsets;
        let mut subjects = Vec::new();
        for toolset in toolsets {
            let is_own = |thing: &&Reference| {
                let mut known = toolsets.iter().filter(|it| it.refers(thing));
                known.next().is_some_and(|it| it.name() == toolset.name())
            };
            let own: Vec<Reference> = references.iter().filter(is_own).cloned().collect();
            if !own.is_empty() {
                rights::within(&person.scope, toolset.name())?;
                subjects.push((toolset, own));
            }
        }
        let known: usize = subjects.iter().map(|(_, own)| own.len()).sum();
        if known < references.len() {
            return Err(error::unknown_reference().into());
        }
        let is_alone = subjects.iter().any(|(toolset, _)| toolset.stands_alone());
        if is_alone && subjects.len() > 1 {
            return Err(SubjectRefusal::Apart);
        }
        for (toolset, own) in subjects {
            toolset.check_subject(&own).await?;
        }
        Ok(())
    }
}
