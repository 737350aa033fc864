//! Subscriptions and reads for pages: conversations, their list, boards, stages, pages of things.

use std::{sync::Arc, time::Duration};

use protocol::{
    BoardPart, Command, ConversationId, ConversationSummary, ErrorBody, Event, KillSwitch,
    NoticeCount, PageQuery, Role, Seq, TabId, UserId,
};
use serde_json::Value;

use super::Engine;
use crate::{
    error,
    hub::Subscription,
    ports,
    ports::{Observer, Person, Scope},
    rights,
    sight::{Sight, Unseen},
};

impl Engine {
    /// Lets a listener hear of every write from now on. The first one stays.
    pub fn observe(&self, observer: Arc<dyn Observer>) {
        self.shared.observer.get_or_init(|| observer);
    }

    /// The systems that have a board, each with whether it answers; none while nobody has looked.
    pub fn systems(&self) -> Vec<(&'static str, Option<bool>)> {
        self.shared.boards.answering()
    }

    /// Subscribes to a conversation: the events after `after`, `Subscribed`, the answer as it
    /// streams, then events as they happen. All as this sign-in sees them.
    ///
    /// # Errors
    /// There is no such conversation for this person, or the journal cannot be read.
    pub async fn subscribe(
        &self,
        person: impl Into<Person>,
        conversation: ConversationId,
        after: Seq,
    ) -> Result<Subscription, ErrorBody> {
        let person = person.into();
        let entry = self.owned(&person, conversation).await?;
        let sight = self.shared.sight_of(&person, &entry).await;
        let sight = sight.map_err(|error| error::of_journal(&error))?;
        entry
            .hub
            .subscribe(entry.clone(), &*self.shared.journal, after, sight)
            .await
            .map_err(|error| error::of_journal(&error))
    }

    /// The events of a conversation after one and up to another, as this sign-in sees them.
    ///
    /// # Errors
    /// There is no such conversation for this person, or the journal cannot be read.
    pub async fn events(
        &self,
        person: &Person,
        conversation: ConversationId,
        after: Seq,
        until: Seq,
    ) -> Result<Vec<Event>, ErrorBody> {
        let entry = self.owned(person, conversation).await?;
        let journal = &self.shared.journal;
        let events = journal.events_after(conversation, after, usize::MAX).await;
        let mut events = events.map_err(|error| error::of_journal(&error))?;
        events.retain(|event| event.seq <= until);
        let sight = self.shared.sight_of(person, &entry).await;
        let sight = sight.map_err(|error| error::of_journal(&error))?;
        Ok(Unseen::new(events).by(sight))
    }

    /// The sight that a sign-in with this role has of a conversation. `role` is the lower one of the
    /// user and the sign-in.
    ///
    /// # Errors
    /// There is no such conversation, or the journal cannot be read.
    pub async fn sight(
        &self,
        role: Role,
        conversation: ConversationId,
    ) -> Result<Sight, ErrorBody> {
        if role >= Role::Operator {
            return Ok(Sight::Values);
        }
        let toolsets = self.shared.journal.toolsets(conversation).await;
        let toolsets = toolsets.map_err(|error| error::of_journal(&error))?;
        Ok(self.shared.sight(role, &toolsets))
    }

    /// The kill switch; none if its state cannot be read.
    pub async fn kill_switch(&self) -> Option<KillSwitch> {
        self.shared.kill_switch().await
    }

    /// The number of open notices that nobody has acknowledged.
    pub fn notice_count(&self) -> NoticeCount {
        self.shared.notice_count()
    }

    /// The error that makes running turns wait for the database; none while it can be written.
    pub fn storage_outage(&self) -> Option<ErrorBody> {
        self.shared.outage.error()
    }

    /// Subscribes to the names of things, the list of a person's conversations, the kill switch and
    /// the number of notices, and for whoever may decide to the cards that wait for a second
    /// person. All as far as the person's sign-in reaches.
    pub fn subscribe_list(&self, person: impl Into<Person>) -> Subscription {
        self.shared.learn_names();
        let person = person.into();
        self.shared.names.subscribe(&self.shared.lists, &person)
    }

    /// Shows a person's tabs a conversation that came into the journal by another way than a
    /// command.
    pub fn appeared(&self, user: UserId, summary: &ConversationSummary, toolsets: &[String]) {
        self.shared.lists.changed(user, summary, toolsets);
    }

    /// The names of all toolsets.
    pub fn toolsets(&self) -> Vec<String> {
        let toolsets = self.shared.tools.toolsets.iter();
        toolsets.map(|toolset| toolset.name().to_owned()).collect()
    }

    /// True if a conversation hides values from the model, so that what its person reads is for
    /// nobody else.
    ///
    /// # Errors
    /// There is no such conversation, or the journal cannot be read.
    pub async fn hides_values(&self, conversation: ConversationId) -> Result<bool, ErrorBody> {
        let toolsets = self.shared.journal.toolsets(conversation).await;
        let toolsets = toolsets.map_err(|error| error::of_journal(&error))?;
        let mut known = self.shared.tools.toolsets.iter();
        Ok(known.any(|known| {
            let is_there = toolsets.iter().any(|name| name == known.name());
            is_there && known.redaction().is_some()
        }))
    }

    /// Subscribes to the board of a toolset: all its parts, then changes.
    ///
    /// # Errors
    /// There is no such board.
    pub fn subscribe_board(&self, scope: &Scope, board: &str) -> Result<Subscription, ErrorBody> {
        rights::within(scope, board)?;
        self.shared.boards.subscribe(board)
    }

    /// Subscribes a page that shows a toolset's stage to the calls that need it. `conversation` is
    /// beside the stage; `visible` is true if a person can see the page.
    ///
    /// # Errors
    /// There is no such toolset for this person.
    pub fn subscribe_stage(
        &self,
        person: &Person,
        toolset: String,
        tab: TabId,
        conversation: Option<ConversationId>,
        visible: bool,
    ) -> Result<Subscription, ErrorBody> {
        rights::within(&person.scope, &toolset)?;
        // A page that answers nothing would only keep calls from those that do.
        if person.role < Role::Operator {
            return Err(error::only_reads());
        }
        let mut known = self.shared.tools.toolsets.iter();
        if !known.any(|known| known.name() == toolset) {
            return Err(ports::no_board());
        }
        let stages = &self.shared.stages;
        Ok(stages.enter(person.id, toolset, tab, conversation, visible))
    }

    /// Notes that a command came from a tab with a stage: the conversation's calls that need a page
    /// go there.
    pub fn came_from(&self, user: UserId, command: &Command, tab: TabId) {
        if let Command::Start { conversation, .. }
        | Command::Act { conversation, .. }
        | Command::Send { conversation, .. }
        | Command::Steer { conversation, .. }
        | Command::Branch { conversation, .. }
        | Command::Retry { conversation, .. } = command
        {
            self.shared.stages.spoke(user, *conversation, tab);
        }
    }

    /// The parts of a board; waits up to `patience` for a first picture, and is empty if there is
    /// none by then.
    ///
    /// # Errors
    /// There is no such board.
    pub async fn board(
        &self,
        scope: &Scope,
        board: &str,
        patience: Duration,
    ) -> Result<Vec<BoardPart>, ErrorBody> {
        rights::within(scope, board)?;
        self.shared.boards.picture(board, patience).await
    }

    /// The data for the page of one thing in a toolset's system, as a person sees it. `role`: that of
    /// the sign-in.
    ///
    /// # Errors
    /// There is no such toolset or thing, it cannot be read, or the role is too low for it.
    pub async fn page(
        &self,
        person: UserId,
        role: Role,
        toolset: &str,
        query: &PageQuery,
    ) -> Result<Value, ErrorBody> {
        let mut toolsets = self.shared.tools.toolsets.iter();
        let toolset = toolsets.find(|known| known.name() == toolset);
        let toolset = toolset.ok_or_else(ports::no_board)?;
        if role < Role::Operator && toolset.is_page_for_operators(query) {
            return Err(error::for_operators());
        }
        toolset.page(person, query).await
    }
}
