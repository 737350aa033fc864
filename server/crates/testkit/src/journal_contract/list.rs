//! The line of a conversation in the list follows its events.

use super::*;

impl Check<'_> {
    /// A person's own call has a line that says so, and is unfinished until it has ended.
    pub(super) async fn own_calls(&self, case: u128) {
        let (id, turn) = (self.id(case), TurnId::new(AT, self.seed | case));
        let own = protocol::OwnCall {
            tool: "start_vm".to_owned(),
            input: json!({ "number": 101, "place": "attic" }),
        };
        let mut first = self.first(case);
        first
            .records
            .push(NewRecord::event(EventBody::ActionStarted {
                turn,
                message: MessageId::new(AT, self.seed | case),
                call: CallId::new(AT, self.seed | case),
                tool: own.tool.clone(),
                input: own.input.clone(),
                by: "Otto".to_owned(),
                relayed: false,
            }));
        let line = self.journal.create(self.stored(case), first).await;
        let line = line.unwrap().summary;
        assert_eq!(
            (line.action, line.running),
            (Some(Box::new(own.clone())), true)
        );
        assert!(self.journal.unfinished().await.unwrap().contains(&id));
        let end = NewRecord::event(EventBody::TurnFinished {
            turn,
            outcome: TurnOutcome::Done,
            usage: Usage::default(),
            cost: None,
        });
        let line = self.journal.append(append(id, 2, vec![end])).await;
        let line = line.unwrap().summary;
        assert_eq!((line.action, line.running), (Some(Box::new(own)), false));
        assert!(!self.journal.unfinished().await.unwrap().contains(&id));
    }

    pub(super) async fn the_line_in_the_list(&self, case: u128) {
        let id = self.create(case).await;
        let turn = TurnId::new(AT, self.seed | case);
        let message = |n: u128| MessageId::new(AT, self.seed | (case << 32) | n);
        let usage = |n| Usage {
            input: n,
            output: 10 * n,
            cache_read: 100 * n,
            cache_write: 1000 * n,
            estimated: false,
        };
        let answer = |blocks, stop, n, cost| {
            NewRecord::event(EventBody::AssistantMessage {
                turn,
                message: message(u128::from(n)),
                blocks,
                stop,
                usage: usage(n),
                cost,
            })
        };
        let text = || {
            vec![ContentBlock::Text {
                text: "Sir.".to_owned(),
            }]
        };
        let tool_use = vec![ContentBlock::ToolUse {
            call: CallId::new(AT, 1),
            name: "get_vms".to_owned(),
            input: json!({}),
        }];
        let started = NewRecord::event(EventBody::TurnStarted {
            turn,
            message: message(1),
            text: "How is it?".to_owned(),
            references: Vec::new(),
        });
        let finished = || {
            NewRecord::event(EventBody::TurnFinished {
                turn,
                outcome: TurnOutcome::Answered,
                usage: usage(3),
                cost: Some(Cost(12)),
            })
        };
        // The effects of a write: messages, usage, cost, running.
        let steps = [
            (vec![started], 1, 0, Some(0), true),
            (
                vec![answer(tool_use, StopReason::ToolUse, 1, Some(Cost(5)))],
                1,
                1,
                Some(5),
                true,
            ),
            (
                vec![
                    answer(text(), StopReason::EndTurn, 2, Some(Cost(7))),
                    finished(),
                ],
                2,
                3,
                Some(12),
                false,
            ),
            (
                vec![NewRecord::event(EventBody::TurnResumed { turn })],
                2,
                3,
                Some(12),
                true,
            ),
            (
                vec![answer(text(), StopReason::EndTurn, 1, None)],
                3,
                4,
                None,
                true,
            ),
            // Unknown stays unknown.
            (
                vec![
                    answer(text(), StopReason::EndTurn, 1, Some(Cost(1))),
                    finished(),
                ],
                4,
                5,
                None,
                false,
            ),
        ];
        let mut head = 1;
        for (records, messages, used, cost, running) in steps {
            let count = records.len() as u64;
            let appended = self
                .journal
                .append(append(id, head, records))
                .await
                .unwrap()
                .summary;
            assert_eq!(appended.messages, messages);
            assert_eq!(appended.usage, usage(used));
            assert_eq!(appended.cost, cost.map(Cost));
            assert_eq!(appended.running, running);
            assert_eq!(appended.title, "first");
            assert_eq!(
                appended.updated,
                Timestamp(AT.0 + i64::try_from(head).unwrap())
            );
            assert_eq!(appended.created, AT);
            head += count;
        }
    }
}
