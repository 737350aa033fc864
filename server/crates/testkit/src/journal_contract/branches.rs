//! A conversation that begins as a copy of another one's history.

use agent::ports::{Append, Branching, Epoch, JournalError, NewRecord, Person, StoredConversation};
use protocol::{
    ContentBlock, ConversationId, Cost, EventBody, Family, MessageId, Seq, Shelf, StopReason,
    Timestamp, TurnId, TurnOutcome, Usage,
};

use super::{AT, Check, append, assert_same};

impl Check<'_> {
    fn began(&self, n: u128) -> NewRecord {
        NewRecord::event(EventBody::TurnStarted {
            turn: TurnId::new(AT, self.seed | n),
            message: MessageId::new(AT, self.seed | n),
            text: format!("turn {n}"),
            references: Vec::new(),
        })
    }

    fn turn(&self, n: u128) -> Vec<NewRecord> {
        let turn = TurnId::new(AT, self.seed | n);
        let usage = Usage {
            input: 7,
            ..Usage::default()
        };
        vec![
            self.began(n),
            NewRecord::event(EventBody::AssistantMessage {
                turn,
                message: MessageId::new(AT, self.seed | n << 8),
                blocks: vec![ContentBlock::Text {
                    text: "Sir.".to_owned(),
                }],
                stop: StopReason::EndTurn,
                usage,
                cost: Some(Cost(5)),
            }),
            NewRecord::event(EventBody::TurnFinished {
                turn,
                outcome: TurnOutcome::Answered,
                usage,
                cost: Some(Cost(5)),
            }),
        ]
    }

    fn branching(
        &self,
        parent: ConversationId,
        (head, until): (u64, u64),
        case: u128,
    ) -> (Branching, Append) {
        let (id, n) = (self.id(case), case << 16);
        let mark = NewRecord::event(EventBody::Branched {
            parent,
            message: MessageId::new(AT, self.seed | 1),
            title: "a branch".to_owned(),
            by: "Ada".to_owned(),
            effects: Vec::new(),
            more: None,
        });
        let branching = Branching {
            conversation: StoredConversation {
                id,
                ..self.stored(case)
            },
            parent,
            parent_head: Seq(head),
            until: Seq(until),
        };
        let append = Append {
            epoch: Epoch(0),
            command: Some((self.user(case), self.command(n))),
            ..append(id, until, vec![mark, self.began(n)])
        };
        (branching, append)
    }

    pub(super) async fn branches(&self, case: u128) {
        let parent = self.create(case).await;
        let mut records = self.turn(1);
        records.extend(self.turn(2));
        // A queued message belongs to the parent.
        records.push(NewRecord::event(EventBody::MessageQueued {
            message: MessageId::new(AT, self.seed | 77),
            text: "later".to_owned(),
            references: Vec::new(),
        }));
        let before = self.journal.append(append(parent, 1, records)).await;
        let before = before.unwrap().summary;
        self.journal
            .shelve(parent, Shelf::Pinned, AT)
            .await
            .unwrap();
        let head = 8;
        let user = self.user(case);
        let of_parent = |branching: Branching| Branching {
            conversation: StoredConversation {
                owner: user,
                ..branching.conversation
            },
            ..branching
        };

        // The other one has moved on, or belongs to somebody else, or does not exist.
        let (branching, write) = self.branching(parent, (head - 1, 4), case + 1);
        let stale = self.journal.branch(of_parent(branching), write).await;
        assert!(
            matches!(stale, Err(JournalError::Conflict { .. })),
            "{stale:?}"
        );
        let (mut branching, write) = self.branching(parent, (head, 4), case + 1);
        branching.conversation.owner = self.user(case << 40);
        let theirs = self.journal.branch(branching, write).await;
        assert!(matches!(theirs, Err(JournalError::NotFound)), "{theirs:?}");
        let nowhere = self.id(case << 41);
        let (branching, write) = self.branching(nowhere, (head, 4), case + 1);
        let missing = self.journal.branch(of_parent(branching), write).await;
        assert!(
            matches!(missing, Err(JournalError::NotFound)),
            "{missing:?}"
        );
        Box::pin(self.what_does_not_exist_of(self.id(case + 1))).await;

        let (branching, write) = self.branching(parent, (head, 4), case + 1);
        let made = self
            .journal
            .branch(of_parent(branching), write)
            .await
            .unwrap();
        let one = made.summary.id;
        assert_eq!(made.records[0].event.seq, Seq(5));
        let today = self.journal.spent_on(user, agent::day_of(AT)).await;
        assert_eq!(today.unwrap().spent.usage.input, 14, "copies count once");
        let root = parent;
        assert_eq!(made.summary.family, Some(Family { root, front: true }));
        // The other one used and represents what was copied.
        assert_eq!(
            (made.summary.usage, made.summary.cost),
            (Usage::default(), Some(Cost(0)))
        );
        assert_eq!(
            (made.summary.messages, made.summary.shelf),
            (1, Shelf::Pinned)
        );
        assert_eq!(made.summary.title, "a branch");
        assert!(made.summary.running);
        let all = self.journal.records(one).await.unwrap();
        assert_same(&all[..4], &self.journal.records(parent).await.unwrap()[..4]);
        assert_eq!(all.len(), 6);

        // The same command once more, and the same id for another.
        let (branching, write) = self.branching(parent, (head, 4), case + 1);
        let again = self.journal.branch(of_parent(branching), write).await;
        assert!(matches!(again, Err(JournalError::Duplicate)), "{again:?}");
        let (branching, write) = self.branching(parent, (head, 4), case + 1);
        let write = Append {
            command: None,
            ..write
        };
        let taken = self.journal.branch(of_parent(branching), write).await;
        assert!(matches!(taken, Err(JournalError::Exists)), "{taken:?}");

        // A branch of the branch is of the same family; the one that changes is in front.
        let ended = NewRecord::event(EventBody::StopRequested {
            turn: TurnId::new(AT, self.seed | (case + 1) << 16),
        });
        let held = self
            .journal
            .append(append(one, 6, vec![ended]))
            .await
            .unwrap();
        assert!(held.summary.family.unwrap().front);
        let (branching, write) = self.branching(one, (7, 1), case + 2);
        let two = self
            .journal
            .branch(of_parent(branching), write)
            .await
            .unwrap();
        let two = two.summary.id;
        assert_eq!(self.journal.family(two).await.unwrap().len(), 3);
        let line = self.journal.to_front(parent, AT).await.unwrap();
        assert_eq!(line.family, Some(Family { root, front: true }));
        assert_eq!(line.usage, before.usage);
        let line = self.journal.shelve(two, Shelf::Archived, AT).await.unwrap();
        assert_eq!((line.id, line.shelf), (parent, Shelf::Archived));
        let unfinished = self.journal.unfinished().await.unwrap();
        for (id, works) in [(parent, true), (one, true), (two, true)] {
            assert_eq!(unfinished.contains(&id), works);
        }

        // They are deleted and restored together.
        let by = Person::from(user);
        let at = Timestamp(AT.0 + 3_000_000);
        let mut gone = self.journal.delete(one, &by, at).await.unwrap();
        gone.sort();
        let mut family = vec![parent, one, two];
        family.sort();
        assert_eq!(gone, family);
        for id in [parent, one, two] {
            Box::pin(self.what_does_not_exist_of(id)).await;
        }
        let back = self.journal.restore(parent, &by, at).await.unwrap();
        assert_eq!(back.len(), 3);
        assert_same(&all, &self.journal.records(one).await.unwrap()[..6]);
        self.journal.delete(two, &by, AT).await.unwrap();
        self.journal.remove_deleted(AT).await.unwrap();
        Box::pin(self.what_does_not_exist_of(parent)).await;
    }
}
