//! Many writers at the same time, and writers who go away.

use super::*;

impl Check<'_> {
    /// Runs a write for each racer, all at the same time.
    pub(super) async fn race(
        &self,
        write: impl Fn(u64) -> Append,
    ) -> Vec<Result<Vec<u64>, JournalError>> {
        let racers = (0..RACERS).map(|racer| self.journal.append(write(racer)));
        let done = join_all(racers).await.into_iter();
        done.map(|done| done.map(|appended| numbers(&appended.records)))
            .collect()
    }

    pub(super) async fn one_of_many_at_a_head(&self, case: u128) {
        let id = self.create(case).await;
        let results = self
            .race(|racer| append(id, 1, vec![title(racer.to_string()), title("more")]))
            .await;
        let wins: Vec<_> = results.iter().flatten().collect();
        assert_eq!(wins, [&vec![2, 3]]);
        let lost = |result: &&Result<_, JournalError>| {
            matches!(result, Err(JournalError::Conflict { head: Seq(3) }))
        };
        assert_eq!(results.iter().filter(lost).count() as u64, RACERS - 1);
        assert_eq!(self.count(id).await, 3);
    }

    pub(super) async fn one_of_many_carries_out_a_command(&self, case: u128) {
        let id = self.create(case).await;
        let command = Some((self.user(case), self.command(case)));
        let results = self
            .race(|racer| Append {
                command,
                ..append(id, 1, vec![title(racer.to_string())])
            })
            .await;
        assert_eq!(results.iter().flatten().count(), 1);
        let lost = |result: &&Result<_, _>| matches!(result, Err(JournalError::Duplicate));
        assert_eq!(results.iter().filter(lost).count() as u64, RACERS - 1);
    }

    pub(super) async fn many_writers(&self, case: u128) {
        let id = self.create(case).await;
        let writers = (0..RACERS).map(|racer| async move {
            let mut head = 1;
            loop {
                let mut write = append(id, head, vec![title(racer.to_string())]);
                if racer % 2 == 0 {
                    write.durability = Durability::Power;
                }
                match self.journal.append(write).await {
                    Ok(_) => return,
                    Err(JournalError::Conflict { head: Seq(now) }) => head = now,
                    Err(error) => panic!("{error}"),
                }
            }
        });
        join_all(writers).await;
        let records = self.journal.records(id).await.unwrap();
        assert!(numbers(&records).into_iter().eq(1..=RACERS + 1));
        let titles: HashSet<_> = bodies(&records)
            .into_iter()
            .map(|body| format!("{body:?}"))
            .collect();
        assert_eq!(titles.len() as u64, RACERS + 1);
    }

    /// A write whose caller goes away is there in whole or not at all, and holds up nobody.
    pub(super) async fn abandoned_writes(&self, case: u128) {
        let id = self.create(case).await;
        let mut head = 1;
        for polls in 0..40 {
            let records = vec![title("a"), title("b")];
            let mut write = append(id, head, records);
            if polls % 3 == 0 {
                write.durability = Durability::Power;
            }
            let mut writing = self.journal.append(write);
            for _ in 0..polls {
                if futures::poll!(&mut writing).is_ready() {
                    break;
                }
                tokio::task::yield_now().await;
            }
            drop(writing);
            let records = self.journal.records(id).await.unwrap();
            let now = records.len() as u64;
            assert!(numbers(&records).into_iter().eq(1..=now));
            let next = self.journal.append(append(id, now, vec![title("next")]));
            head = match next.await {
                Ok(appended) => appended.records[0].event.seq.0,
                // The abandoned write was committed after all.
                Err(JournalError::Conflict { head }) => {
                    assert_eq!(head.0, now + 2);
                    head.0
                }
                Err(error) => panic!("{error}"),
            };
        }
    }
}
