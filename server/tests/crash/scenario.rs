//! The parts of a scenario: the person's messages and actions, the model's answers, and the outcome
//! that is required.

use std::{slice, sync::Arc};

use anyhow::Context;
use protocol::{
    BlockedReason, Command, Confirmation, ConversationId, Decision, ErrorCode, Event, EventBody,
    Mode, Reference, Verdict,
};
use rehearsal::{Block, Pace, Scripted};
use serde_json::{Value, json};

use crate::{company::CompanyStart, field_device::FieldGround, process::At};

/// A scenario to run.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// The person's messages, one for each turn. Those after the first are sent while it runs.
    pub(crate) says: &'static [&'static str],
    /// The message for the running turn, if there is one: a [`Move`] sends it.
    pub(crate) steers: Option<&'static str>,
    /// The thing that the first message points at, by kind and id.
    pub(crate) about: Option<(&'static str, &'static str)>,
    /// The person sends no message but makes the one call.
    pub(crate) own: bool,
    /// The action afterwards, in a conversation of its own.
    pub(crate) then: Option<Then>,
    /// The model's answers.
    pub(crate) script: Vec<Scripted>,
    pub(crate) person: Person,
    /// Another person approves; the one who asks may not.
    pub(crate) second: bool,
    /// A file that the first message is about.
    pub(crate) file: Option<Attached>,
    /// A node that is off at first.
    pub(crate) asleep: Option<&'static str>,
    /// The simulated company is there too, in this state.
    pub(crate) company: Option<CompanyStart>,
    /// A field device is there too, which the server's folder knows; the cluster is not.
    pub(crate) field: Option<Arc<FieldGround>>,
    /// The server follows prices, which cross the level of an alert when the conversations are at rest.
    pub(crate) crosses: bool,
    /// The packs that the first message chooses, if it chooses any.
    pub(crate) packs: &'static [&'static str],
    /// In its first life the server finds no room for a few writes, from the point with this name
    /// on.
    pub(crate) full: Option<&'static str>,
    /// The calls that would change something, or sign in somewhere, in order.
    pub(crate) acts: Vec<Act>,
    /// The changes of the kill switch, in order.
    pub(crate) switched: &'static [bool],
    /// Seconds that a person has to decide.
    pub(crate) patience: u32,
    pub(crate) sample: Sample,
    /// True if the folder is empty at first, so that the very first start is part of the scenario.
    pub(crate) fresh: bool,
    /// The points at which the server is killed in the short form, by a part of their names.
    pub(crate) short: &'static [&'static str],
    /// True if the server is killed once more while it recovers.
    pub(crate) again: bool,
}

/// A file to upload.
#[derive(Clone, Copy)]
pub(crate) struct Attached {
    pub(crate) name: &'static str,
    pub(crate) content: &'static [u8],
}

/// The person's action when the first conversation is at rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    /// Has the newest message answered once more, on a branch.
    Branch,
    /// Undoes what its turn drew.
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
            company: None,
            field: None,
            crosses: false,
            packs: &[],
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

    /// Scripts the answer to a message that contains `when`, after this many steps with calls; the
    /// same however often it is asked.
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

    /// Leaves the cards to this person.
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

    fn packs(&self) -> Option<Vec<String>> {
        let names = self.packs.iter().map(|&name| name.to_owned());
        (!self.packs.is_empty()).then(|| names.collect())
    }

    /// The messages that the first conversation or the one after it hears.
    pub(crate) fn says(&self, number: usize) -> &[&'static str] {
        match (number, self.then) {
            (0, _) => self.says,
            (_, Some(Then::Branch)) => self.says.last().map(slice::from_ref).unwrap_or_default(),
            // An own call has no message.
            (_, _) => &[""],
        }
    }

    /// True if the first conversation or the one after it is a person's own call.
    pub(crate) fn is_own(&self, number: usize) -> bool {
        match number {
            0 => self.own,
            _ => self.then == Some(Then::Undo),
        }
    }

    /// The person's first commands.
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
        // The message for the running turn goes out with a card.
        let messages = self.says.iter().filter(|says| Some(**says) != self.steers);
        for says in messages {
            let text = (*says).to_owned();
            commands.push(if commands.is_empty() {
                Command::Start {
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
                    packs: self.packs(),
                }
            } else {
                Command::Send {
                    conversation,
                    text,
                    withdraw: false,
                    references: Vec::new(),
                }
            });
        }
        commands
    }
}

impl Then {
    /// The person's command for the events so far.
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

/// The points at which the server is killed. A kill takes a second, so not every scenario can have
/// all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sample {
    /// At every point, from the first of the process on.
    All,
    /// At every third point, and at every one that [`matters`], from the start of the conversation
    /// on: the points before are the same in all scenarios.
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

/// True for a point after a commit, or close to an effect or to the decision that allows it: there
/// every kill counts. A write that is not committed is rolled back, as if it had not happened.
fn matters(name: &str) -> bool {
    const PARTS: [&str; 9] = [
        "committed",
        "no room",
        "before the queue",
        "queued, not followed",
        "before the order",
        "ordered",
        "ended, not proved",
        "tool_started",
        "confirmation_decided",
    ];
    /// Beginnings of the names of tools that act.
    const ACTS: [&str; 22] = [
        "start_", "stop_", "restart_", "execute_", "wake_", "draw_", "undo_", "create_", "make_",
        "update_", "submit_", "cancel_", "amend_", "apply_", "set_", "add_", "log_", "prepare_",
        "record_", "plan_", "book_", "run_",
    ];
    let is_around = |place: &str| {
        let tool = name.split_once(place).map(|(_, tool)| tool);
        tool.is_some_and(|tool| ACTS.iter().any(|act| tool.starts_with(act)))
    };
    PARTS.iter().any(|part| name.contains(part))
        || name.contains("the kill switch")
        || ["before ", "after "].into_iter().any(is_around)
}

/// A call that would change something, or sign in somewhere.
pub(crate) struct Act {
    pub(crate) tool: &'static str,
    /// The model's input; null for whatever the person sends.
    pub(crate) input: Value,
    /// The input with which it runs, if a person changes it.
    pub(crate) edited: Option<Value>,
    /// Its entry in the ledger, if it runs.
    pub(crate) effect: &'static str,
    /// The entries that are there whenever the effect is, each as often as it is named here.
    pub(crate) with: &'static [&'static str],
    /// The other side's own reactions to it, and what comes after it: they may be missing.
    pub(crate) follows: &'static [&'static str],
    /// The required outcome.
    pub(crate) end: End,
    /// True if it only looks, so that a crash may make it run again.
    pub(crate) repeats: bool,
}

/// The required outcome of a call, if nothing cuts it off.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End {
    /// The gate alone lets it run.
    Runs,
    /// A person lets it run.
    Authorised,
    /// A standing grant lets it run, without a card.
    Granted,
    /// It does not run, because its card ended like this; the comment of a denial is not compared.
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
            with: &[],
            follows: &[],
            end,
            repeats: false,
        }
    }

    /// The input that names a guest.
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
    pub(crate) fn with(mut self, with: &'static [&'static str]) -> Self {
        self.with = with;
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
    /// True if the time to decide is over.
    pub(crate) lapsed: bool,
}

/// A person's reaction to a card, one after the other.
pub(crate) enum Move {
    Decide(Decision),
    /// A decision that has to be refused with one of these codes.
    InVain(Decision, &'static [ErrorCode]),
    /// An approval that comes too late if an earlier call has ended without success.
    Perhaps(Decision),
    Edit(Value),
    /// Sends a message to the running turn.
    Steer(&'static str),
    /// Sets the kill switch.
    Switch(bool),
}

/// A person's reactions when a card is shown, is shown with other content, or expires.
pub(crate) type Person = fn(&Card<'_>) -> Vec<Move>;

/// A card must not come where none is expected.
pub(crate) fn nobody(card: &Card<'_>) -> Vec<Move> {
    if !card.lapsed {
        vec![deny()]
    } else {
        Vec::new()
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
