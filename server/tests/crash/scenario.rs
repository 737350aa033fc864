//! What a scenario is made of: what a person says and does, what the model answers, and what must
//! come of it.

use std::slice;

use anyhow::Context;
use protocol::{
    BlockedReason, Command, Confirmation, ConversationId, Decision, ErrorCode, Event, EventBody,
    Mode, Reference, Verdict,
};
use rehearsal::{Block, Pace, Scripted};
use serde_json::{Value, json};

use crate::process::At;

/// Something to live through.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// What the person says, one message a turn. Those after the first are sent while it runs.
    pub(crate) says: &'static [&'static str],
    /// The message that is for the running turn, if there is one: a [`Move`] sends it.
    pub(crate) steers: Option<&'static str>,
    /// What the first message points at, by kind and id.
    pub(crate) about: Option<(&'static str, &'static str)>,
    /// The person says nothing but makes the one call.
    pub(crate) own: bool,
    /// What comes after, in a conversation of its own.
    pub(crate) then: Option<Then>,
    /// What the model answers.
    pub(crate) script: Vec<Scripted>,
    pub(crate) person: Person,
    /// Another person approves; the one who asks may not.
    pub(crate) second: bool,
    /// A file that the first message is about.
    pub(crate) file: Option<Attached>,
    /// A node that is off at first.
    pub(crate) asleep: Option<&'static str>,
    /// In its first life the server finds no room for a few writes, from the point with this name
    /// on.
    pub(crate) full: Option<&'static str>,
    /// The calls that would change something, or sign in somewhere, in order.
    pub(crate) acts: Vec<Act>,
    /// How the kill switch was set, in order.
    pub(crate) switched: &'static [bool],
    /// How long a person has to decide, in seconds.
    pub(crate) patience: u32,
    pub(crate) sample: Sample,
    /// Whether the folder is empty at first: what the very first start does is part of it.
    pub(crate) fresh: bool,
    /// The points at which the server is killed in the short form, by a part of their names.
    pub(crate) short: &'static [&'static str],
    /// Whether the server is killed once more while it recovers.
    pub(crate) again: bool,
}

/// A file as it goes up.
#[derive(Clone, Copy)]
pub(crate) struct Attached {
    pub(crate) name: &'static str,
    pub(crate) content: &'static [u8],
}

/// What a person does when the first conversation is at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// Has the newest message answered once more, on a branch.
    Branch,
    /// Takes back what its turn drew.
    Undo,
}

impl Scenario {
    pub(crate) fn new(name: &'static str, says: &'static [&'static str]) -> Self {
        Self {
            name,
            says,
            steers: None,
            about: None,
            own: false,
            then: None,
            script: Vec::new(),
            person: nobody,
            second: false,
            file: None,
            asleep: None,
            full: None,
            acts: Vec::new(),
            switched: &[],
            patience: 600,
            sample: Sample::Some,
            fresh: false,
            short: &[],
            again: false,
        }
    }

    /// To a message that contains `when`, after this many steps with calls, the model answers so;
    /// the same however often it is asked.
    #[must_use]
    pub(crate) fn answer(mut self, when: &str, steps: usize, blocks: Vec<Block>) -> Self {
        let pace = Pace {
            first_token_ms: 0,
            tokens_per_second: 0,
        };
        self.script.push(Scripted {
            steps: Some(steps),
            ..Scripted::reply(blocks).when(when).times(1000).pace(pace)
        });
        self
    }

    /// What is on the cards is for this person.
    #[must_use]
    pub(crate) fn person(mut self, person: Person) -> Self {
        self.person = person;
        self
    }

    #[must_use]
    pub(crate) fn act(mut self, act: Act) -> Self {
        self.acts.push(act);
        self
    }

    /// The points of the short form.
    #[must_use]
    pub(crate) fn short(mut self, short: &'static [&'static str]) -> Self {
        self.short = short;
        self
    }

    /// The messages that the first conversation or the one after it hears.
    pub(crate) fn says(&self, number: usize) -> &[&'static str] {
        match (number, self.then) {
            (0, _) => self.says,
            (_, Some(Then::Branch)) => self.says.last().map(slice::from_ref).unwrap_or_default(),
            // The person calls.
            (_, _) => &[""],
        }
    }

    /// Whether the first conversation or the one after it is a person's own call.
    pub(crate) fn is_own(&self, number: usize) -> bool {
        match number {
            0 => self.own,
            _ => self.then == Some(Then::Undo),
        }
    }

    /// What the person sends to start with.
    pub(crate) fn commands(&self, conversation: ConversationId) -> Vec<Command> {
        if self.own {
            let act = |act: &Act| Command::Act {
                conversation,
                tool: act.tool.to_owned(),
                input: act.input.clone(),
            };
            return self.acts.iter().map(act).collect();
        }
        let mut commands = Vec::new();
        // What is for the running turn goes out with a card.
        let messages = self.says.iter().filter(|says| Some(**says) != self.steers);
        for says in messages {
            let text = (*says).to_owned();
            commands.push(match commands.is_empty() {
                true => Command::Start {
                    conversation,
                    mode: Mode::Default,
                    text,
                    from: None,
                    plan: None,
                    choice: None,
                    references: self
                        .about
                        .map(|it| Reference::new(it.0, it.1))
                        .into_iter()
                        .collect(),
                },
                false => Command::Send {
                    conversation,
                    text,
                    withdraw: false,
                    references: Vec::new(),
                },
            });
        }
        commands
    }
}

impl Then {
    /// What the person sends, for what has happened so far.
    pub(crate) fn command(
        self,
        conversation: ConversationId,
        from: ConversationId,
        events: &[Event],
    ) -> anyhow::Result<Command> {
        let turns = events.iter().rev().find_map(|event| match &event.body {
            EventBody::TurnStarted { turn, message, .. } => Some((*turn, *message)),
            _ => None,
        });
        let (turn, message) = turns.context("there was no turn")?;
        Ok(match self {
            Self::Branch => Command::Branch {
                conversation,
                from,
                message,
                text: None,
                known: Vec::new(),
            },
            Self::Undo => Command::Act {
                conversation,
                tool: "undo_turn".to_owned(),
                input: json!({ "group": turn.to_string() }),
            },
        })
    }
}

/// At which points the server is killed. A kill takes a second, so that not all scenarios can have
/// all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sample {
    /// At every point, from the first of the process on.
    All,
    /// At every third point, and at every one that [`matters`], from the start of the conversation
    /// on: what comes before is the same in all scenarios.
    Some,
}

impl Sample {
    /// The points at which the server is killed, of those that it passes.
    pub(crate) fn of(self, points: &[String]) -> Vec<At> {
        let starts = |name: &String| name.contains("conversation_started");
        let start = points.iter().position(starts).unwrap_or_default();
        let taken = |(at, name): &(usize, &String)| match self {
            Self::All => true,
            Self::Some => *at >= start && (at % 3 == 0 || matters(name)),
        };
        let numbered = points.iter().enumerate().filter(taken);
        let at = |(at, name): (usize, &String)| At::Number {
            number: at as u64 + 1,
            name: name.clone(),
            left: (points.len() - at - 1) as u64,
        };
        numbered.map(at).collect()
    }
}

/// Whether a point is one after a commit, or close to an effect or to the word that allows it: there
/// every kill counts. What is not committed is rolled back, as if it had not been written.
fn matters(name: &str) -> bool {
    [
        "committed",
        "no room",
        "before the order",
        "ordered",
        "ended, not proved",
        "before start_",
        "before stop_",
        "before restart_",
        "before execute_",
        "before wake_",
        "before draw_",
        "before undo_",
        "after start_",
        "after stop_",
        "after restart_",
        "after execute_",
        "after wake_",
        "after draw_",
        "after undo_",
        "tool_started",
        "confirmation_decided",
        "the kill switch",
    ]
    .iter()
    .any(|part| name.contains(part))
}

/// A call that would change something, or sign in somewhere.
pub(crate) struct Act {
    pub(crate) tool: &'static str,
    /// What the model wrote; null for whatever the person sends.
    pub(crate) input: Value,
    /// The input with which it runs, if a person changes it.
    pub(crate) edited: Option<Value>,
    /// What it is in the ledger, if it runs.
    pub(crate) effect: &'static str,
    /// What the cluster does by itself because of it.
    pub(crate) follows: &'static [&'static str],
    /// What should come of it.
    pub(crate) end: End,
    /// Whether it only looks, so that a crash may make it run again.
    pub(crate) repeats: bool,
}

/// What should come of a call, if nothing cuts it off.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End {
    /// The gate alone lets it run.
    Runs,
    /// A person lets it run.
    Authorised,
    /// A standing grant lets it run, without a question.
    Granted,
    /// It does not run, because a question about it ended so; of a denial the comment is not
    /// compared.
    Refused(Verdict),
    /// The gate does not let it run.
    Blocked(BlockedReason),
}

impl End {
    pub(crate) fn runs(&self) -> bool {
        matches!(self, Self::Runs | Self::Authorised | Self::Granted)
    }
}

impl Act {
    pub(crate) fn new(tool: &'static str, input: Value, effect: &'static str, end: End) -> Self {
        Self {
            tool,
            input,
            edited: None,
            effect,
            follows: &[],
            end,
            repeats: false,
        }
    }

    /// The input that says which guest.
    pub(crate) fn guest(node: &str, vmid: u32) -> Value {
        json!({ "node": node, "vmid": vmid })
    }

    /// Someone denies it.
    pub(crate) fn denied(tool: &'static str, input: Value, effect: &'static str) -> Self {
        let end = End::Refused(Verdict::Denied { comment: None });
        Self::new(tool, input, effect, end)
    }

    #[must_use]
    pub(crate) fn edited(mut self, input: Value) -> Self {
        self.edited = Some(input);
        self
    }

    #[must_use]
    pub(crate) fn followed_by(mut self, follows: &'static [&'static str]) -> Self {
        self.follows = follows;
        self
    }

    #[must_use]
    pub(crate) fn repeats(mut self) -> Self {
        self.repeats = true;
        self
    }

    /// The call as the model makes it.
    pub(crate) fn call(&self) -> Block {
        Block::tool_use(self.tool, self.input.clone())
    }
}

/// A card as a person sees it.
pub(crate) struct Card<'a> {
    pub(crate) asks: &'a Confirmation,
    /// Whether the time to decide is over.
    pub(crate) lapsed: bool,
}

/// What a person does about a card, one after the other.
pub(crate) enum Move {
    Decide(Decision),
    /// A decision that has to be refused with one of these codes.
    InVain(Decision, &'static [ErrorCode]),
    Edit(Value),
    /// Says something to the running turn.
    Steer(&'static str),
    /// Sets the kill switch.
    Switch(bool),
}

/// What a person does when a card is shown, is shown with other content, or lapses.
pub(crate) type Person = fn(&Card<'_>) -> Vec<Move>;

/// A card must not come where none is expected.
pub(crate) fn nobody(card: &Card<'_>) -> Vec<Move> {
    match card.lapsed {
        false => vec![deny()],
        true => Vec::new(),
    }
}

pub(crate) fn approve() -> Move {
    Move::Decide(Decision::Approve {
        grant: None,
        word: None,
    })
}

/// With a word that the card asks for.
pub(crate) fn approve_with(word: &str) -> Move {
    Move::Decide(Decision::Approve {
        grant: None,
        word: Some(word.to_owned()),
    })
}

pub(crate) fn deny() -> Move {
    Move::Decide(Decision::Deny {
        comment: Some("Not now.".to_owned()),
    })
}
