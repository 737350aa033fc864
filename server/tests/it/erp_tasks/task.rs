//! One conversation: what a person says, what the scripted model then calls, and what becomes of it.

use protocol::{
    Assurance, BlockedReason, CallId, CardSection, Command, Confirmation, ConversationId, Decision,
    ErrorBody, Event, EventBody, Seq, ToolOutcome,
};
use rehearsal::{Block, Script};
use serde_json::{Value, json};
use simerp::SimErpControl;

use super::shop::{cents, of};
use crate::{client::new_conversation, socket::Socket, suggestions::tools};

/// The outcome of the last call of a turn.
#[derive(Debug)]
pub(super) enum Came {
    /// It waits for a person.
    Card(Box<TaskCard>),
    Done(Value),
    Failed(ErrorBody),
    Blocked(BlockedReason, String),
    Unknown,
}

#[derive(Debug)]
pub(super) struct TaskCard {
    call: CallId,
    pub(super) shown: Confirmation,
}

pub(super) struct ErpTask {
    tab: Socket,
    conversation: ConversationId,
    script: Script,
    control: SimErpControl,
    packs: Vec<String>,
    /// The number of events before what is awaited.
    from: usize,
}

impl ErpTask {
    pub(super) fn new(tab: Socket, script: Script, control: SimErpControl, packs: &[&str]) -> Self {
        Self {
            tab,
            conversation: new_conversation(),
            script,
            control,
            packs: packs.iter().map(|it| (*it).to_owned()).collect(),
            from: 0,
        }
    }

    /// A person says something, and the model makes a call.
    pub(super) async fn say(&mut self, words: &str, tool: &str, input: Value) -> Came {
        self.script.clear();
        self.script.reply([Block::tool_use(tool, input)]);
        self.script.reply([Block::text("That is all, sir.")]);
        self.from = self.tab.view.events.len();
        if self.from == 0 {
            let mut start = Command::start(self.conversation, words);
            if let Command::Start { packs, .. } = &mut start {
                *packs = Some(self.packs.clone());
            }
            self.tab.command(start).await.unwrap();
            let followed = self.tab.subscribe(self.conversation, Seq(0)).await;
            followed.unwrap();
        } else {
            let send = Command::Send {
                conversation: self.conversation,
                text: words.to_owned(),
                withdraw: false,
                references: Vec::new(),
            };
            self.tab.command(send).await.unwrap();
        }
        self.settled().await
    }

    /// A person asks in a conversation of its own, and nothing is scripted: the rehearsal model chooses what
    /// to call. Returns the tools and the answer.
    pub(super) async fn ask_freely(mut self, words: &str) -> (Vec<String>, String) {
        self.script.clear();
        let start = Command::start(self.conversation, words);
        self.tab.command(start).await.unwrap();
        let followed = self.tab.subscribe(self.conversation, Seq(0)).await;
        followed.unwrap();
        self.tab.see(|view| view.finished() == 1).await;
        let called = tools(&self.tab.view).into_iter().map(str::to_owned);
        let said = self.tab.view.said();
        let answer = said.last().copied().unwrap_or_default().to_owned();
        (called.collect(), answer)
    }

    async fn settled(&mut self) -> Came {
        loop {
            let new = &self.tab.view.events[self.from..];
            if let Some(came) = came(new) {
                return came;
            }
            self.tab.next().await;
        }
    }

    /// A call that reads: nobody is asked, and nothing has changed afterwards.
    pub(super) async fn ask(&mut self, words: &str, tool: &str, input: Value) -> Value {
        let before = self.changes();
        match self.say(words, tool, input).await {
            Came::Done(data) => {
                assert_eq!(self.changes(), before, "{tool} has changed something");
                data
            }
            other => panic!("{words} {tool}: {other:?}"),
        }
    }

    /// A call that a person is asked about. Until then nothing has happened.
    pub(super) async fn card(&mut self, words: &str, tool: &str, input: Value) -> TaskCard {
        let before = self.changes();
        match self.say(words, tool, input).await {
            Came::Card(card) => {
                assert_eq!(self.changes(), before, "{tool} did not wait");
                *card
            }
            other => panic!("{words} {tool}: {other:?}"),
        }
    }

    /// A call that comes to nothing without a person being asked. Returns the sentence for the model.
    pub(super) async fn refused(
        &mut self,
        words: &str,
        tool: &str,
        input: Value,
    ) -> (Option<BlockedReason>, String) {
        let writes = self.writes();
        let came = self.say(words, tool, input).await;
        assert_eq!(self.writes(), writes, "{tool} was sent");
        match came {
            Came::Blocked(reason, message) => (Some(reason), message),
            Came::Failed(error) => (None, error.message),
            other => panic!("{words} {tool}: {other:?}"),
        }
    }

    /// The numbers of requests that may have changed something, and of changes.
    fn changes(&self) -> (usize, usize) {
        (self.writes(), self.control.effects().len())
    }

    /// The number of requests so far that could have changed something.
    pub(super) fn writes(&self) -> usize {
        let seen = self.control.requests();
        seen.iter().filter(|it| it.method != "GET").count()
    }

    async fn decide(&mut self, card: &TaskCard, decision: Decision) -> Result<(), ErrorBody> {
        self.from = self.tab.view.events.len();
        let decide = Command::Decide {
            conversation: self.conversation,
            call: card.call,
            digest: card.shown.digest.clone(),
            decision,
        };
        self.tab.command(decide).await
    }

    /// The person approves, with the word that the card asks for.
    pub(super) async fn approve(&mut self, card: &TaskCard) -> Came {
        let word = card.word().map(str::to_owned);
        let approved = self.decide(card, Decision::Approve { grant: None, word });
        approved.await.unwrap();
        self.settled().await
    }

    /// The person approves with another word than the card's: it goes on waiting.
    pub(super) async fn mistype(&mut self, card: &TaskCard, word: &str) {
        let word = Some(word.to_owned());
        let decision = Decision::Approve { grant: None, word };
        self.decide(card, decision).await.unwrap_err();
    }

    /// The person says no; the books stay as they are.
    pub(super) async fn deny(&mut self, card: &TaskCard) {
        let before = self.changes();
        self.decide(card, Decision::Deny { comment: None })
            .await
            .unwrap();
        let came = self.settled().await;
        assert!(matches!(came, Came::Unknown), "{came:?}");
        assert_eq!(self.changes(), before);
    }

    /// The person changes the input on the card, and is asked again.
    pub(super) async fn edit(
        &mut self,
        card: &TaskCard,
        change: impl FnOnce(&mut Value),
    ) -> TaskCard {
        let mut input = card.shown.input.clone();
        change(&mut input);
        self.from = self.tab.view.events.len();
        let edit = Command::Edit {
            conversation: self.conversation,
            call: card.call,
            digest: card.shown.digest.clone(),
            input,
        };
        self.tab.command(edit).await.unwrap();
        match self.settled().await {
            Came::Card(card) => *card,
            other => panic!("{other:?}"),
        }
    }

    /// A call that is done after one approval. Returns what it tells the model.
    pub(super) async fn does(&mut self, words: &str, tool: &str, input: Value) -> Value {
        let card = self.card(words, tool, input).await;
        self.finish(&card).await
    }

    /// Approves a card of a call that is then done.
    pub(super) async fn finish(&mut self, card: &TaskCard) -> Value {
        match self.approve(card).await {
            Came::Done(data) => data,
            other => panic!("{}: {other:?}", card.shown.sentence),
        }
    }

    /// Makes a draft; returns it as it is stored.
    pub(super) async fn draft(&mut self, words: &str, input: Value) -> Value {
        let doctype = input["doctype"].as_str().unwrap().to_owned();
        let made = self.does(words, "create_doc", input).await;
        self.stored(&doctype, &made)
    }

    /// Makes a draft out of a document; returns it as it is stored.
    pub(super) async fn make(&mut self, words: &str, source: &Value, target: &str) -> Value {
        let input = from(source, target);
        let made = self.does(words, "make_from", input).await;
        self.stored(target, &made)
    }

    /// Submits a draft; returns the card, and the document as it is stored then.
    pub(super) async fn submit(&mut self, words: &str, document: &Value) -> (TaskCard, Value) {
        let card = self.card(words, "submit_doc", of(document)).await;
        let done = self.finish(&card).await;
        let doctype = document["doctype"].as_str().unwrap();
        let stored = self.stored(doctype, &done);
        assert_eq!(stored["docstatus"], 1, "{words}");
        (card, stored)
    }

    fn stored(&self, doctype: &str, made: &Value) -> Value {
        let name = made["name"].as_str();
        let name = name.unwrap_or_else(|| panic!("{doctype} without a name: {made}"));
        self.control.document(doctype, name).unwrap()
    }
}

impl TaskCard {
    /// The word that has to be typed.
    pub(super) fn word(&self) -> Option<&str> {
        match &self.shown.assurance {
            Assurance::Type { word } => Some(word),
            _ => None,
        }
    }

    /// The sentence of a rule that has fired.
    pub(super) fn risk(&self, rule: &str) -> Option<&str> {
        let reasons = self.shown.risk.iter().flat_map(|it| &it.reasons);
        let mut reasons = reasons.filter(|it| it.rule == rule);
        reasons.next().map(|it| it.sentence.as_str())
    }

    /// The value of a fact.
    pub(super) fn fact(&self, label: &str) -> Option<&str> {
        let mut facts = self.shown.facts.iter();
        let fact = facts.find(|it| it.label == label);
        fact.map(|it| it.value.as_str())
    }

    /// The rows of a table; none if there is no such table.
    pub(super) fn rows(&self, title: &str) -> &[Vec<String>] {
        let mut sections = self.shown.sections.iter();
        let rows = sections.find_map(|section| match section {
            CardSection::Table {
                title: of, rows, ..
            } if of == title => Some(rows.as_slice()),
            _ => None,
        });
        rows.unwrap_or_default()
    }

    /// The accounting lines that it shows: account, debit and credit in cents.
    pub(super) fn lines(&self) -> Vec<(String, i64, i64)> {
        let amount = |text: &str| {
            cents(&json!(
                text.replace(',', "").parse::<f64>().unwrap_or_default()
            ))
        };
        let rows = self.rows("Accounting ledger").iter();
        let mut lines: Vec<_> = rows
            .map(|row| (row[0].clone(), amount(&row[1]), amount(&row[2])))
            .collect();
        lines.sort();
        lines
    }

    /// The stock moves that it shows: item, warehouse and quantity.
    pub(super) fn moves(&self) -> Vec<(String, String, f64)> {
        let rows = self.rows("Stock ledger").iter();
        rows.map(|row| (row[0].clone(), row[1].clone(), row[2].parse().unwrap()))
            .collect()
    }

    /// The lines of its comparisons that have changed.
    pub(super) fn changes(&self) -> Vec<&str> {
        let sections = self.shown.sections.iter();
        let lines = sections.filter_map(|section| match section {
            CardSection::Diff { lines, .. } => Some(lines),
            _ => None,
        });
        lines.flatten().map(|it| it.text.as_str()).collect()
    }
}

/// The input of `make_from`.
pub(super) fn from(source: &Value, target: &str) -> Value {
    json!({
        "source_doctype": source["doctype"],
        "source_name": source["name"],
        "target_doctype": target,
    })
}

/// The outcome of the newest call, once nothing but a person is waited for.
fn came(events: &[Event]) -> Option<Came> {
    let mut came = None;
    let mut is_over = false;
    for event in events {
        match &event.body {
            EventBody::ConfirmationRequested {
                call, confirmation, ..
            } => {
                came = Some(Came::Card(Box::new(TaskCard {
                    call: *call,
                    shown: (**confirmation).clone(),
                })));
            }
            EventBody::ConfirmationDecided { .. } => came = None,
            EventBody::ToolBlocked {
                reason, message, ..
            } => came = Some(Came::Blocked(*reason, message.clone())),
            EventBody::ToolFinished { outcome, .. } => {
                came = Some(match outcome {
                    ToolOutcome::Succeeded { output } => Came::Done(output.data.clone()),
                    ToolOutcome::Failed { error } => Came::Failed(error.clone()),
                    _ => Came::Unknown,
                });
            }
            EventBody::TurnFinished { .. } => is_over = true,
            _ => {}
        }
    }
    match came {
        Some(Came::Card(card)) => Some(Came::Card(card)),
        came if is_over => Some(came.unwrap_or(Came::Unknown)),
        _ => None,
    }
}
