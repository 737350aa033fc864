//! The contract of every journal. [`run`] checks all of it; each of the other functions checks a
//! part, once on a journal.

use std::{collections::HashSet, sync::Arc};

use agent::ports::{
    Append, Durability, Epoch, Journal, JournalError, NewRecord, Person, Record, StoredConversation,
};
use futures::future::join_all;
use protocol::{
    CallId, CommandId, ContentBlock, ConversationId, Cost, EventBody, MessageId, Mode, Seq, Shelf,
    StopReason, Timestamp, TurnId, TurnOutcome, Usage, UserId,
};
use serde_json::{json, value::RawValue};

mod branches;
mod confirmations;
mod files;
mod list;
mod races;
mod shelves;
mod spending;

/// Writers at the same time.
const RACERS: u64 = 32;

const AT: Timestamp = Timestamp(1_700_000_000_000);

/// The whole contract. The journal may have other conversations; identifiers are made from `seed`,
/// which must be different for each run on the same journal, and not zero.
pub async fn run(journal: Arc<dyn Journal>, seed: u64) {
    let check = Check {
        journal: &*journal,
        seed: u128::from(seed) << 64,
    };
    Box::pin(check.creation(1)).await;
    Box::pin(check.raw_json_byte_for_byte(2)).await;
    Box::pin(check.heads(3)).await;
    Box::pin(check.what_does_not_exist(4)).await;
    Box::pin(check.commands(5)).await;
    Box::pin(check.fencing(6)).await;
    Box::pin(check.many_claims(7)).await;
    Box::pin(check.pages(8)).await;
    Box::pin(check.what_is_unfinished(9)).await;
    Box::pin(check.the_line_in_the_list(10)).await;
    Box::pin(check.deletion(11)).await;
    Box::pin(check.one_of_many_at_a_head(12)).await;
    Box::pin(check.one_of_many_carries_out_a_command(13)).await;
    Box::pin(check.many_writers(14)).await;
    Box::pin(check.abandoned_writes(15)).await;
    Box::pin(check.decisions(16)).await;
    Box::pin(check.second_calls(40)).await;
    Box::pin(check.one_of_many_decides(17)).await;
    Box::pin(check.own_calls(18)).await;
    Box::pin(check.shelves(19)).await;
    Box::pin(check.seeing(99)).await;
    Box::pin(check.restoring(20)).await;
    Box::pin(check.spending(21)).await;
    Box::pin(check.choices(22)).await;
    Box::pin(check.branches(60)).await;
    Box::pin(check.files(80)).await;
}

/// Records come back as they were written, numbered from 1 without a gap, raw JSON byte for byte.
pub async fn numbers_are_dense_and_raw_is_kept(journal: &dyn Journal) {
    let check = Check::new(journal);
    Box::pin(check.creation(1)).await;
    Box::pin(check.raw_json_byte_for_byte(2)).await;
}

/// A writer that does not know the newest event writes nothing.
pub async fn a_write_is_all_or_nothing_at_the_head(journal: &dyn Journal) {
    let check = Check::new(journal);
    Box::pin(check.heads(3)).await;
    Box::pin(check.what_does_not_exist(4)).await;
}

/// A command that is sent again is the same command.
pub async fn a_command_is_carried_out_once(journal: &dyn Journal) {
    Box::pin(Check::new(journal).commands(5)).await;
}

/// A server that has lost a conversation can no longer write to it.
pub async fn an_older_epoch_is_fenced(journal: &dyn Journal) {
    let check = Check::new(journal);
    Box::pin(check.fencing(6)).await;
    Box::pin(check.many_claims(7)).await;
}

/// Events are read in pages.
pub async fn pages_follow_each_other(journal: &dyn Journal) {
    Box::pin(Check::new(journal).pages(8)).await;
}

/// The work that a server must continue when it starts.
pub async fn unfinished_work_is_found(journal: &dyn Journal) {
    Box::pin(Check::new(journal).what_is_unfinished(9)).await;
}

/// The summary is a fold over the events.
pub async fn the_line_of_a_conversation_follows_its_events(journal: &dyn Journal) {
    Box::pin(Check::new(journal).the_line_in_the_list(10)).await;
}

/// Nothing is left of a deleted conversation, and nothing brings it back.
pub async fn deleted_means_gone(journal: &dyn Journal) {
    Box::pin(Check::new(journal).deletion(11)).await;
}

/// Of many writes at the same head, and of many that carry out the same command, one succeeds.
pub async fn one_of_many_wins(journal: &dyn Journal) {
    let check = Check::new(journal);
    Box::pin(check.one_of_many_at_a_head(12)).await;
    Box::pin(check.one_of_many_carries_out_a_command(13)).await;
}

/// Writers that try again after each conflict all get through.
pub async fn many_writers_leave_no_gap(journal: &dyn Journal) {
    Box::pin(Check::new(journal).many_writers(14)).await;
}

/// A write whose caller goes away is there in whole or not at all, and delays nobody.
pub async fn an_abandoned_write_is_whole_or_absent(journal: &dyn Journal) {
    Box::pin(Check::new(journal).abandoned_writes(15)).await;
}

struct Check<'a> {
    journal: &'a dyn Journal,
    /// Part of all identifiers.
    seed: u128,
}

/// A write with nothing special about it.
fn append(conversation: ConversationId, head: u64, records: Vec<NewRecord>) -> Append {
    Append {
        conversation,
        epoch: Epoch(1),
        head: Seq(head),
        at: Timestamp(AT.0 + i64::try_from(head).unwrap()),
        records,
        command: None,
        durability: Durability::Process,
    }
}

fn title(title: impl Into<String>) -> NewRecord {
    NewRecord::event(EventBody::TitleChanged {
        title: title.into(),
    })
}

fn bodies(records: &[Record]) -> Vec<EventBody> {
    records
        .iter()
        .map(|record| record.event.body.clone())
        .collect()
}

fn numbers(records: &[Record]) -> Vec<u64> {
    records.iter().map(|record| record.event.seq.0).collect()
}

/// Whole-object equality of what was written and what is read; raw JSON by its bytes.
#[track_caller]
fn assert_same(written: &[Record], read: &[Record]) {
    let plain = |records: &[Record]| -> Vec<_> {
        records
            .iter()
            .map(|record| {
                let raw = record.raw.as_ref().map(|raw| raw.get().to_owned());
                (record.event.clone(), raw)
            })
            .collect()
    };
    assert_eq!(plain(written), plain(read));
}

impl<'a> Check<'a> {
    fn new(journal: &'a dyn Journal) -> Self {
        Self { journal, seed: 0 }
    }

    fn id(&self, case: u128) -> ConversationId {
        ConversationId::new(AT, self.seed | case)
    }

    fn user(&self, case: u128) -> UserId {
        UserId::new(AT, self.seed | case)
    }

    fn command(&self, case: u128) -> CommandId {
        CommandId::new(AT, self.seed | case)
    }

    fn stored(&self, case: u128) -> StoredConversation {
        StoredConversation {
            id: self.id(case),
            owner: self.user(case),
            mode: Mode::Default,
            model: "model-1".to_owned(),
        }
    }

    fn first(&self, case: u128) -> Append {
        let started = NewRecord::event(EventBody::ConversationStarted {
            title: "first".to_owned(),
            model: "model-1".to_owned(),
            mode: Mode::Default,
            toolsets: vec!["sample".to_owned()],
            from: None,
        });
        Append {
            epoch: Epoch(0),
            ..append(self.id(case), 0, vec![started])
        }
    }

    /// Creates a conversation with one record.
    async fn create(&self, case: u128) -> ConversationId {
        let created = self
            .journal
            .create(self.stored(case), self.first(case))
            .await;
        assert_eq!(numbers(&created.unwrap().records), [1]);
        self.id(case)
    }

    async fn count(&self, id: ConversationId) -> usize {
        self.journal.records(id).await.unwrap().len()
    }

    async fn creation(&self, case: u128) {
        let id = self.id(case);
        let mut first = self.first(case);
        first.records.push(title("second"));
        let created = self.journal.create(self.stored(case), first).await.unwrap();
        assert_eq!(numbers(&created.records), [1, 2]);
        assert!(created.records.iter().all(|record| record.event.at == AT));
        assert_eq!(created.summary.id, id);
        assert_eq!(created.summary.title, "second");
        assert_eq!(created.summary.model, "model-1");
        assert_eq!(created.summary.mode, Mode::Default);
        assert_eq!((created.summary.created, created.summary.updated), (AT, AT));
        assert_eq!(created.summary.usage, Usage::default());
        assert_eq!(created.summary.cost, Some(Cost(0)));
        assert_eq!(self.journal.head(id).await.unwrap(), Seq(2));
        assert_eq!(
            self.journal.conversation(id).await.unwrap(),
            self.stored(case)
        );
        assert_same(&created.records, &self.journal.records(id).await.unwrap());

        let again = self
            .journal
            .create(self.stored(case), self.first(case))
            .await;
        assert!(matches!(again, Err(JournalError::Exists)), "{again:?}");
        assert_eq!(self.count(id).await, 2);
        // The creator owns epoch 1.
        let next = append(id, 2, vec![title("third")]);
        self.journal.append(next).await.unwrap();
    }

    async fn heads(&self, case: u128) {
        let id = self.create(case).await;
        let records = vec![title("a"), title("b"), title("c")];
        let appended = self.journal.append(append(id, 1, records)).await.unwrap();
        assert_eq!(numbers(&appended.records), [2, 3, 4]);
        assert_eq!(appended.summary.updated, Timestamp(AT.0 + 1));

        for head in [0, 1, 3, 5, u64::MAX] {
            let refused = append(id, head.min(9), vec![title("refused")]);
            let refused = Append {
                head: Seq(head),
                ..refused
            };
            let refused = self.journal.append(refused).await;
            assert!(
                matches!(refused, Err(JournalError::Conflict { head: Seq(4) })),
                "{refused:?}"
            );
        }
        assert_eq!(self.count(id).await, 4);
    }

    async fn pages(&self, case: u128) {
        let id = self.create(case).await;
        let more = vec![title("a"), title("b"), title("c")];
        self.journal.append(append(id, 1, more)).await.unwrap();
        let after = |after, limit| self.journal.events_after(id, Seq(after), limit);
        let seqs = |events: Vec<protocol::Event>| -> Vec<u64> {
            events.iter().map(|event| event.seq.0).collect()
        };
        assert_eq!(seqs(after(0, 100).await.unwrap()), [1, 2, 3, 4]);
        assert_eq!(seqs(after(1, 2).await.unwrap()), [2, 3]);
        assert_eq!(seqs(after(4, 100).await.unwrap()), [] as [u64; 0]);
        assert_eq!(seqs(after(9, 100).await.unwrap()), [] as [u64; 0]);
    }

    async fn raw_json_byte_for_byte(&self, case: u128) {
        let id = self.create(case).await;
        let raw = r#"[ {"z": 1,  "a":"\u00e9é\u0000", "n":12345678901234567890.10e-3,"a":{}} ]"#;
        let record = NewRecord {
            body: EventBody::Unknown,
            raw: Some(RawValue::from_string(raw.to_owned()).unwrap()),
            audit: None,
            trace: Default::default(),
        };
        let written = append(id, 1, vec![record, title("bare")]);
        let written = self.journal.append(written).await.unwrap();
        let read = self.journal.records(id).await.unwrap();
        assert_eq!(read[1].raw.as_ref().unwrap().get(), raw);
        assert!(read[2].raw.is_none());
        assert_same(&written.records, &read[1..]);
    }

    async fn what_does_not_exist(&self, case: u128) {
        let id = self.id(case);
        let gone = |error: JournalError| assert!(matches!(error, JournalError::NotFound));
        let journal = self.journal;
        gone(
            journal
                .append(append(id, 0, vec![title("x")]))
                .await
                .unwrap_err(),
        );
        gone(journal.claim(id).await.unwrap_err());
        gone(journal.conversation(id).await.unwrap_err());
        gone(journal.records(id).await.unwrap_err());
        let by = Person::from(self.user(case));
        gone(journal.delete(id, &by, AT).await.unwrap_err());
        let known = journal.has_command(self.user(case), self.command(case));
        assert!(!known.await.unwrap());
    }

    async fn fencing(&self, case: u128) {
        let id = self.create(case).await;
        assert_eq!(self.journal.claim(id).await.unwrap(), Epoch(2));
        let write = |epoch, head| Append {
            epoch: Epoch(epoch),
            ..append(id, head, vec![title("x")])
        };
        // Whatever head a stale owner expects, it must learn that it has lost.
        for (epoch, head) in [(1, 1), (1, 0), (0, 1), (3, 1)] {
            let fenced = self.journal.append(write(epoch, head)).await;
            assert!(matches!(fenced, Err(JournalError::Fenced)), "{fenced:?}");
        }
        assert_eq!(self.count(id).await, 1);
        self.journal.append(write(2, 1)).await.unwrap();
        assert_eq!(self.journal.claim(id).await.unwrap(), Epoch(3));
        let fenced = self.journal.append(write(2, 2)).await;
        assert!(matches!(fenced, Err(JournalError::Fenced)), "{fenced:?}");
        self.journal.append(write(3, 2)).await.unwrap();
    }

    async fn commands(&self, case: u128) {
        let (user, command) = (self.user(case), self.command(case));
        let created = Append {
            command: Some((user, command)),
            ..self.first(case)
        };
        self.journal
            .create(self.stored(case), created)
            .await
            .unwrap();
        assert!(self.journal.has_command(user, command).await.unwrap());
        let id = self.id(case);

        // A repeat is the same command, even where the write would be refused as well.
        let again = Append {
            command: Some((user, command)),
            ..self.first(case)
        };
        let again = self.journal.create(self.stored(case), again).await;
        assert!(matches!(again, Err(JournalError::Duplicate)), "{again:?}");
        for head in [0, 1] {
            let again = Append {
                command: Some((user, command)),
                ..append(id, head, vec![title("x")])
            };
            let again = self.journal.append(again).await;
            assert!(matches!(again, Err(JournalError::Duplicate)), "{again:?}");
        }
        assert_eq!(self.count(id).await, 1);

        // A refused write does not count as the command.
        let other = self.command(case << 32);
        let refused = Append {
            command: Some((user, other)),
            ..append(id, 0, vec![title("x")])
        };
        let refused = self.journal.append(refused).await;
        assert!(matches!(refused, Err(JournalError::Conflict { .. })));
        let fenced = Append {
            command: Some((user, other)),
            epoch: Epoch(7),
            ..append(id, 1, vec![title("x")])
        };
        let fenced = self.journal.append(fenced).await;
        assert!(matches!(fenced, Err(JournalError::Fenced)));
        assert!(!self.journal.has_command(user, other).await.unwrap());

        // Commands belong to a person.
        let somebody = self.user(case << 32);
        let theirs = Append {
            command: Some((somebody, command)),
            ..append(id, 1, vec![title("theirs")])
        };
        self.journal.append(theirs).await.unwrap();
        assert!(self.journal.has_command(somebody, command).await.unwrap());
    }

    async fn many_claims(&self, case: u128) {
        let id = self.create(case).await;
        let claims = join_all((0..RACERS).map(|_| self.journal.claim(id))).await;
        let mut epochs: Vec<i64> = claims.into_iter().map(|claim| claim.unwrap().0).collect();
        epochs.sort_unstable();
        assert!(epochs.into_iter().map(i64::unsigned_abs).eq(2..2 + RACERS));
    }

    async fn what_is_unfinished(&self, case: u128) {
        let id = self.create(case).await;
        let turn = TurnId::new(AT, self.seed | case);
        let message = |n: u128| MessageId::new(AT, self.seed | (case << 32) | n);
        let queued = |n| EventBody::MessageQueued {
            message: message(n),
            text: "later".to_owned(),
            references: Vec::new(),
        };
        let started = |n| EventBody::TurnStarted {
            turn,
            message: message(n),
            text: "now".to_owned(),
            references: Vec::new(),
        };
        let finished = || EventBody::TurnFinished {
            turn,
            outcome: TurnOutcome::Stopped,
            usage: Usage::default(),
            cost: None,
        };
        let steps = [
            (title("idle").body, false),
            (started(1), true),
            (queued(2), true),
            (queued(3), true),
            // Queued messages are left.
            (finished(), true),
            (started(2), true),
            (finished(), true),
            (
                EventBody::MessageWithdrawn {
                    message: message(3),
                },
                false,
            ),
            (EventBody::TurnResumed { turn }, true),
            (finished(), false),
        ];
        for (head, (body, expect)) in (1..).zip(steps) {
            let write = append(id, head, vec![NewRecord::event(body.clone())]);
            self.journal.append(write).await.unwrap();
            let unfinished = self.journal.unfinished().await.unwrap();
            let times = unfinished.iter().filter(|other| **other == id).count();
            assert_eq!(times, usize::from(expect), "after {body:?}");
        }
    }
}
