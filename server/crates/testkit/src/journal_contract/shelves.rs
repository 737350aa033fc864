//! The shelves of conversations: moved, deleted, restored.

use super::*;

impl Check<'_> {
    /// Its shelf is in its line, moves nothing else, and a new message brings it back.
    pub(super) async fn shelves(&self, case: u128) {
        let id = self.create(case).await;
        let later = Timestamp(AT.0 + 1_000_000);
        for shelf in [
            Shelf::Pinned,
            Shelf::Archived,
            Shelf::Listed,
            Shelf::Archived,
        ] {
            let line = self.journal.shelve(id, shelf, later).await.unwrap();
            assert_eq!((line.shelf, line.updated), (shelf, AT));
        }
        assert_eq!(self.count(id).await, 1);
        let renamed = append(id, 1, vec![title("other")]);
        let line = self.journal.append(renamed).await.unwrap().summary;
        assert_eq!(line.shelf, Shelf::Archived, "only words bring it back");
        let message = MessageId::new(AT, self.seed | case);
        let text = "again".to_owned();
        let bodies = [
            EventBody::TurnStarted {
                turn: TurnId::new(AT, self.seed | case),
                message,
                text: text.clone(),
                references: Vec::new(),
            },
            EventBody::MessageQueued {
                message,
                text,
                references: Vec::new(),
            },
        ];
        for (head, body) in (2..).zip(bodies) {
            let shelved = self.journal.shelve(id, Shelf::Archived, later).await;
            assert_eq!(shelved.unwrap().shelf, Shelf::Archived);
            let write = append(id, head, vec![NewRecord::event(body)]);
            let line = self.journal.append(write).await.unwrap().summary;
            assert_eq!(line.shelf, Shelf::Listed);
        }
        let pinned = self.journal.shelve(id, Shelf::Pinned, later).await.unwrap();
        assert_eq!(pinned.shelf, Shelf::Pinned);
        let put = |folder| self.journal.put_in_folder(id, folder, later);
        let line = put(Some("Tales")).await.unwrap();
        let place = (line.shelf, line.folder.as_deref(), line.updated);
        assert_eq!(place, (Shelf::Pinned, Some("Tales"), pinned.updated));
        assert_eq!(put(None).await.unwrap().folder, None);
    }

    /// Events that its user has not seen are in the line until they have, and stay seen.
    pub(super) async fn seeing(&self, case: u128) {
        let id = self.create(case).await;
        let turn = TurnId::new(AT, self.seed | case);
        let ends = |n: u64| async move {
            let end = NewRecord::event(EventBody::TurnFinished {
                turn,
                outcome: TurnOutcome::Done,
                usage: Usage::default(),
                cost: None,
            });
            let write = append(id, n, vec![title("on"), end]);
            self.journal.append(write).await.unwrap().summary.unread
        };
        assert_eq!(ends(1).await, Some(Seq(3)));
        let see = |n: u64| async move { self.journal.see(id, Seq(n), AT).await.unwrap() };
        // Not up to the end of the turn, and then beyond the newest event.
        assert_eq!(see(2).await.map(|line| line.unread), Some(Some(Seq(3))));
        assert_eq!(see(9).await.map(|line| line.unread), Some(None));
        assert_eq!(see(1).await, None, "it does not go back");
        assert_eq!(ends(3).await, Some(Seq(5)), "what comes later is not seen");
        assert_eq!(see(5).await.map(|line| line.unread), Some(None));
    }

    /// A deletion that its user undoes has changed nothing but the right to write.
    pub(super) async fn restoring(&self, case: u128) {
        let id = self.create(case).await;
        let line = self.journal.shelve(id, Shelf::Pinned, AT).await.unwrap();
        let before = self.journal.records(id).await.unwrap();
        let by = Person::from(self.user(case));
        let early = self.journal.restore(id, &by, AT).await;
        assert!(matches!(early, Err(JournalError::NotFound)), "{early:?}");
        let at = Timestamp(AT.0 + 2_000_000);
        self.journal.delete(id, &by, at).await.unwrap();
        Box::pin(self.what_does_not_exist_of(id)).await;
        // It is not due yet.
        let left = self.journal.remove_deleted(Timestamp(at.0 - 1)).await;
        assert_eq!(left.unwrap(), Some(at));
        let stranger = Person::from(self.user(case << 32));
        let theirs = self.journal.restore(id, &stranger, at).await;
        assert!(matches!(theirs, Err(JournalError::NotFound)), "{theirs:?}");
        let restored = self.journal.restore(id, &by, at).await.unwrap();
        assert_eq!(restored, [line]);
        assert_eq!(self.journal.remove_deleted(at).await.unwrap(), None);
        assert_same(&before, &self.journal.records(id).await.unwrap());
        // The writer from before the deletion has lost it.
        let stale = self.journal.append(append(id, 1, vec![title("x")])).await;
        assert!(matches!(stale, Err(JournalError::Fenced)), "{stale:?}");
        self.journal.claim(id).await.unwrap();
    }

    pub(super) async fn deletion(&self, case: u128) {
        let kept = self.create(case << 32).await;
        let command = (self.user(case), self.command(case));
        let queued = NewRecord::event(EventBody::MessageQueued {
            message: MessageId::new(AT, self.seed | case),
            text: "later".to_owned(),
            references: Vec::new(),
        });
        let id = self.create(case).await;
        let write = Append {
            command: Some(command),
            ..append(id, 1, vec![queued])
        };
        self.journal.append(write).await.unwrap();
        let by = Person::from(self.user(case));
        self.journal.delete(id, &by, AT).await.unwrap();
        Box::pin(self.what_does_not_exist_of(id)).await;
        let twice = self.journal.delete(id, &by, AT).await;
        assert!(matches!(twice, Err(JournalError::NotFound)), "{twice:?}");
        // Nor for anybody who wants its id, while the deletion can be undone.
        let taken = self.journal.create(self.stored(case), self.first(case));
        assert!(matches!(taken.await, Err(JournalError::Exists)));
        let left = self.journal.remove_deleted(AT).await.unwrap();
        assert!(left.is_none_or(|oldest| oldest > AT), "{left:?}");
        Box::pin(self.what_does_not_exist_of(id)).await;
        let late = self.journal.restore(id, &by, AT).await;
        assert!(matches!(late, Err(JournalError::NotFound)), "{late:?}");
        assert_eq!(self.count(kept).await, 1);

        // A repeated command must not bring the conversation back.
        let known = self.journal.has_command(command.0, command.1);
        assert!(known.await.unwrap());
        let again = Append {
            command: Some(command),
            ..self.first(case)
        };
        let again = self.journal.create(self.stored(case), again).await;
        assert!(matches!(again, Err(JournalError::Duplicate)), "{again:?}");
    }

    pub(super) async fn what_does_not_exist_of(&self, id: ConversationId) {
        let read = self.journal.records(id).await;
        assert!(matches!(read, Err(JournalError::NotFound)), "{read:?}");
        let write = self.journal.append(append(id, 2, vec![title("x")])).await;
        assert!(matches!(write, Err(JournalError::NotFound)), "{write:?}");
        for missing in [
            self.journal.claim(id).await.map(drop),
            self.journal.conversation(id).await.map(drop),
            self.journal.toolsets(id).await.map(drop),
            self.journal.shelve(id, Shelf::Pinned, AT).await.map(drop),
            self.journal.put_in_folder(id, None, AT).await.map(drop),
        ] {
            assert!(
                matches!(missing, Err(JournalError::NotFound)),
                "{missing:?}"
            );
        }
        assert!(!self.journal.unfinished().await.unwrap().contains(&id));
    }
}
