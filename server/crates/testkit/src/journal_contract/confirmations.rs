//! A decision is written only on a card that waits, and once.

use protocol::{Assurance, CommandId, Confirmation, SecondPerson, Tier, Verdict};

use super::*;

impl Check<'_> {
    /// A card that wants another person than the conversation's user.
    fn asked_of_two(&self, case: u128, digest: &str) -> NewRecord {
        let mut record = self.asked(case, digest);
        if let EventBody::ConfirmationRequested { confirmation, .. } = &mut record.body {
            confirmation.second = Some(SecondPerson {
                asker: "Ada".to_owned(),
                why: "It cannot be undone.".to_owned(),
            });
        }
        record
    }

    /// The person who asked does not approve; everybody may deny; cards are listed as long as they
    /// wait.
    pub(super) async fn second_calls(&self, case: u128) {
        let id = self.create(case).await;
        let (asker, other, third) = (self.user(case), self.user(case + 1), self.user(case + 2));
        let denied = Verdict::Denied { comment: None };
        let mut command = 0;
        let mut steps = vec![(self.asked_of_two(case, "a"), None, true)];
        for who in [None, Some(asker)] {
            steps.push((
                self.decided(case, "a", Verdict::Approved, "Ada"),
                who,
                false,
            ));
        }
        // A session that began with a link of the asker may be the asker's own.
        steps.push((self.approved_by_link(case, "a", asker), Some(other), false));
        steps.push((self.approved_by_link(case, "a", third), Some(other), true));
        steps.push((self.asked_of_two(case, "a2"), None, true));
        steps.push((
            self.decided(case, "a2", Verdict::Approved, "Eve"),
            Some(other),
            true,
        ));
        // And a user whose link began the asking session may be the asker.
        let by_link = NewRecord::event(EventBody::AskedByLink { by: other });
        steps.push((by_link, None, true));
        steps.push((self.asked_of_two(case, "a3"), None, true));
        steps.push((
            self.decided(case, "a3", Verdict::Approved, "Eve"),
            Some(other),
            false,
        ));
        steps.push((self.approved_by_link(case, "a3", other), Some(third), false));
        steps.push((
            self.decided(case, "a3", Verdict::Approved, "Eve"),
            Some(third),
            true,
        ));
        steps.push((self.asked_of_two(case, "b"), None, true));
        steps.push((self.decided(case, "b", denied, "Ada"), Some(asker), true));
        // The same call under a policy that wants one person.
        steps.push((self.asked(case, "c"), None, true));
        steps.push((
            self.decided(case, "c", Verdict::Approved, "Ada"),
            Some(asker),
            true,
        ));
        for (record, who, expect) in steps {
            command += 1;
            let head = self.journal.head(id).await.unwrap();
            let what = format!("{:?} by {who:?}", record.body);
            let waits = matches!(&record.body, EventBody::ConfirmationRequested { confirmation, .. }
                if confirmation.second.is_some());
            let append = Append {
                command: who.map(|who| (who, CommandId::new(AT, self.seed | case | command << 32))),
                ..append(id, head.0, vec![record])
            };
            let written = self.journal.append(append).await;
            assert_eq!(written.is_ok(), expect, "{what}");
            let waiting = self.journal.second_calls().await.unwrap();
            let listed = waiting.iter().find(|(_, call)| call.conversation == id);
            if expect {
                assert_eq!(listed.is_some(), waits, "{what}");
            }
            if let Some((owner, call)) = listed {
                assert_eq!(*owner, asker);
                assert!(call.confirmation.second.is_some());
            }
        }
    }

    /// An approval from a session that began with a link of this user.
    fn approved_by_link(&self, case: u128, digest: &str, by: UserId) -> NewRecord {
        self.decided(case, digest, Verdict::Approved, "Eve")
            .audited(json!({ "second": { "confirmed_by": { "link_by": by } } }))
    }

    fn asked(&self, case: u128, digest: &str) -> NewRecord {
        NewRecord::event(EventBody::ConfirmationRequested {
            turn: TurnId::new(AT, self.seed | case),
            call: CallId::new(AT, self.seed | case),
            confirmation: Box::new(Confirmation {
                revision: 1,
                digest: digest.to_owned(),
                sentence: "Starts VM 101.".to_owned(),
                target: "VM 101".to_owned(),
                tier: Tier::Red,
                input: json!({ "number": 101 }),
                shown: None,
                original: None,
                facts: Vec::new(),
                origins: Vec::new(),
                risks: Vec::new(),
                risk: None,
                sections: Vec::new(),
                said: Vec::new(),
                reason: None,
                irreversible: None,
                choices: Vec::new(),
                editable: Vec::new(),
                assurance: Assurance::Press,
                grantable: false,
                grant_limit: None,
                expires: Timestamp(AT.0 + 60_000),
                changed: None,
                second: None,
            }),
        })
    }

    fn decided(&self, case: u128, digest: &str, verdict: Verdict, by: &str) -> NewRecord {
        NewRecord::event(EventBody::ConfirmationDecided {
            turn: TurnId::new(AT, self.seed | case),
            call: CallId::new(AT, self.seed | case),
            digest: digest.to_owned(),
            verdict,
            by: Some(by.to_owned()),
            via: None,
        })
    }

    fn started(&self, case: u128) -> NewRecord {
        NewRecord::event(EventBody::ToolStarted {
            turn: TurnId::new(AT, self.seed | case),
            call: CallId::new(AT, self.seed | case),
            tier: Tier::Red,
            target: None,
            grant: None,
            input: None,
        })
    }

    /// Each write after the other; a refused one changes nothing.
    pub(super) async fn decisions(&self, case: u128) {
        let id = self.create(case).await;
        let approved = |digest| self.decided(case, digest, Verdict::Approved, "Ada");
        let denied = Verdict::Denied { comment: None };
        let steps = [
            ("nobody was asked", vec![approved("a")], false),
            ("asked", vec![self.asked(case, "a")], true),
            ("another card", vec![approved("b")], false),
            ("shown again", vec![self.asked(case, "b")], true),
            ("the former card", vec![approved("a")], false),
            ("all or nothing", vec![approved("b"), approved("b")], false),
            ("decided", vec![approved("b")], true),
            ("decided before", vec![approved("b")], false),
            (
                "the other way",
                vec![self.decided(case, "b", denied.clone(), "Eve")],
                false,
            ),
            ("used", vec![self.started(case)], true),
            ("used up", vec![approved("b")], false),
            (
                "in one write",
                vec![
                    self.asked(case, "c"),
                    self.decided(case, "c", denied, "Ada"),
                ],
                true,
            ),
            ("denied is decided", vec![approved("c")], false),
            ("asked once more", vec![self.asked(case, "d")], true),
            ("withdrawn by its start", vec![self.started(case)], true),
            ("nothing waits", vec![approved("d")], false),
        ];
        for (what, records, expect) in steps {
            let head = self.journal.head(id).await.unwrap();
            let written = self.journal.append(append(id, head.0, records)).await;
            match written {
                Ok(_) => assert!(expect, "{what}"),
                Err(JournalError::Conflict { head: now }) => {
                    assert_eq!((now, expect), (head, false), "{what}");
                }
                Err(error) => panic!("{what}: {error}"),
            }
        }
    }

    /// Deciders who all know the newest head, and who try again whenever it has moved.
    pub(super) async fn one_of_many_decides(&self, case: u128) {
        let id = self.create(case).await;
        let asked = append(id, 1, vec![self.asked(case, "a")]);
        self.journal.append(asked).await.unwrap();
        let racers = (0..RACERS).map(|racer| async move {
            let mut head = 2;
            // The losers have seen the head move; the second time the card is gone.
            for _ in 0..2 {
                let by = racer.to_string();
                let record = self.decided(case, "a", Verdict::Approved, &by);
                match self.journal.append(append(id, head, vec![record])).await {
                    Ok(_) => return Some(by),
                    Err(JournalError::Conflict { head: Seq(now) }) => head = now,
                    Err(error) => panic!("{error}"),
                }
            }
            None
        });
        let won: Vec<_> = join_all(racers).await.into_iter().flatten().collect();
        let [winner] = won.as_slice() else {
            panic!("one decides, not {won:?}");
        };
        let records = self.journal.records(id).await.unwrap();
        assert_eq!(numbers(&records), [1, 2, 3]);
        let EventBody::ConfirmationDecided { by, .. } = &records[2].event.body else {
            panic!("a decision, not {:?}", records[2].event.body);
        };
        assert_eq!(by.as_ref(), Some(winner));
    }
}
