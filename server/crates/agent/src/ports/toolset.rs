//! The tools, context and prompt of one domain.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use protocol::{ErrorBody, ErrorCode, Name, PageQuery, Reference, UserId};
use serde_json::Value;

use super::{Board, Happenings, Redaction, Tool};
use crate::texts;

/// A part of the data block that goes with a new user message, such as a summary of the cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextPart {
    /// Its source, such as `cluster`.
    pub source: &'static str,
    /// The data, or the reason why there is none.
    pub data: Result<Value, String>,
}

/// The tools, context and prompt of one domain.
#[async_trait]
pub trait Toolset: Send + Sync + 'static {
    /// The word for it, such as `homelab`.
    fn name(&self) -> &'static str;

    /// Its part of the system prompt.
    fn system_prompt(&self) -> String;

    /// The subject of questions to it in a few words, such as `prices of currency pairs`, for the
    /// model of conversations without its tools. None if they need not know it.
    fn subject(&self) -> Option<&'static str> {
        None
    }

    /// Its tools, always in the same order. Asked for once, when the server starts.
    fn tools(&self) -> Vec<Arc<dyn Tool>>;

    /// Its tools that come, change and go while the server runs, always in the same order. From memory:
    /// asked for when the server starts and at [`crate::Engine::tools_arrived`]. Conversations that have
    /// begun keep their definitions: for a call of a tool that is gone there is no such tool, and one of
    /// another digest is refused ([`Tool::definition_digest`]). One whose definition breaks a rule of
    /// [`ToolSpec`](super::ToolSpec) is left out.
    fn arrived_tools(&self) -> Vec<Arc<dyn Tool>> {
        Vec::new()
    }

    /// Context for the model with every new message, and about the things that the message names.
    /// Each source may fail by itself; the caller bounds the time.
    async fn context(&self, about: &[Reference]) -> Vec<ContextPart>;

    /// The same for the model in a conversation of this person, if it knows things that only they may
    /// see.
    async fn context_for(&self, _person: UserId, about: &[Reference]) -> Vec<ContextPart> {
        self.context(about).await
    }

    /// The time that the question to the model waits for its context, instead of
    /// [`crate::EngineConfig::context_timeout`]. Only for a simulated system: what is late there is
    /// this machine, and a demonstration must not depend on it.
    fn context_timeout(&self) -> Option<Duration> {
        None
    }

    /// True if a reference has the form of those to its things. Quick, and without a look outside.
    fn refers(&self, _reference: &Reference) -> bool {
        false
    }

    /// Context for the model about one thing that a message names. The caller bounds the time.
    ///
    /// # Errors
    /// The reason why nothing is known of it, in a few words.
    async fn describe(&self, reference: &Reference) -> Result<Value, String> {
        Err(texts::nothing_is_known(&reference.kind))
    }

    /// The same for the model in a conversation of this person. Of a thing that somebody else alone may
    /// see it says what it says of one that there is not.
    ///
    /// # Errors
    /// See [`Self::describe`].
    async fn describe_for(&self, _person: UserId, reference: &Reference) -> Result<Value, String> {
        self.describe(reference).await
    }

    /// Checks that a conversation can be about these things of its own: each exists, and what is known
    /// of them may meet. Asked for a program, which can have an identifier wrong; a page names what it
    /// shows.
    ///
    /// # Errors
    /// The reason why it cannot.
    async fn check_subject(&self, _about: &[Reference]) -> Result<(), SubjectRefusal> {
        Ok(())
    }

    /// The whole text of a thing that a message names, such as a log: it goes with the message like
    /// a text file. None if the thing has no text, and [`Self::describe`] says all. The caller bounds
    /// the time, and cuts what is longer than [`protocol::MAX_TEXT_FILE_BYTES`].
    async fn attach(&self, _reference: &Reference) -> Option<String> {
        None
    }

    /// The names by which texts refer to its things that have a page, as it saw them last. None if
    /// it cannot tell now.
    async fn names(&self) -> Option<Vec<Name>> {
        None
    }

    /// Its live picture, if it has one. A page asks for it under the toolset's name.
    fn board(&self) -> Option<Arc<dyn Board>> {
        None
    }

    /// The happenings in its system, whoever causes them, if it can tell.
    fn happenings(&self) -> Option<Arc<dyn Happenings>> {
        None
    }

    /// The redaction of everything that the models of its conversations read, if it hides values
    /// from them. Asked for whenever a conversation is loaded; always the same one.
    fn redaction(&self) -> Option<Arc<dyn Redaction>> {
        None
    }

    /// The data for the page of one thing of its system, such as the past of a node. Only the
    /// toolset and the page know which queries there are. Reads, and changes nothing: everybody who
    /// is signed in may ask. What it offers to do may depend on the person who looks.
    ///
    /// # Errors
    /// There is no such thing, or it cannot be read.
    async fn page(&self, _person: UserId, _query: &PageQuery) -> Result<Value, ErrorBody> {
        Err(no_board())
    }

    /// True if the answer tells what viewers may not know, such as a hidden value: then a sign-in that
    /// only reads does not get it either, even that of an operator.
    fn is_page_for_operators(&self, _query: &PageQuery) -> bool {
        false
    }

    /// Its name for a person, such as `Attic`, if it is a pack: people choose packs when a
    /// conversation starts, and without a choice it has those of [`crate::EngineConfig::packs`].
    /// None for a toolset of everyday conversations.
    fn pack(&self) -> Option<&'static str> {
        None
    }

    /// Sentences for people who choose a pack. From memory: each page asks.
    fn pack_note(&self) -> PackNote {
        PackNote::default()
    }

    /// True if its conversations are about nothing else: they have no other toolset, and those of
    /// others do not have it. Such a conversation begins with a message about one of its things.
    fn stands_alone(&self) -> bool {
        false
    }
}

/// Sentences about a pack; see [`Toolset::pack`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackNote {
    /// The questions that it opens.
    pub about: String,
    /// Told if its system lacks what it needs, as far as somebody has looked.
    pub lacks: Option<String>,
}

/// The reason why a conversation cannot be about some things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubjectRefusal {
    /// There is no such thing.
    Missing(Reference),
    /// They belong to places that must not meet in one conversation.
    Apart,
    /// The sign-in does not reach them, or they cannot be looked up now.
    Refused(ErrorBody),
}

impl From<ErrorBody> for SubjectRefusal {
    fn from(error: ErrorBody) -> Self {
        Self::Refused(error)
    }
}

pub(crate) fn no_board() -> ErrorBody {
    ErrorBody::new(ErrorCode::BoardNotFound, texts::gate::NO_SUCH_BOARD_HERE)
}
