//! Prints the cost of a write at each durability: `cargo run -p store --example durability`.

use std::time::{Duration, Instant};

use agent::ports::{Append, Durability, Epoch, Journal, NewRecord, StoredConversation};
use protocol::{ConversationId, EventBody, Mode, Seq, Timestamp, UserId};
use store::Store;

const WRITES: u32 = 500;

#[expect(clippy::print_stdout, reason = "its only purpose")]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir_in(".")?;
    let store = Store::open(folder.path()).await?;
    let id = ConversationId::new(Timestamp(0), 1);
    let write = |epoch, head, durability| Append {
        conversation: id,
        epoch: Epoch(epoch),
        head: Seq(head),
        at: Timestamp(0),
        records: vec![NewRecord::event(EventBody::TitleChanged {
            title: "How is the cluster?".to_owned(),
        })],
        command: None,
        durability,
    };
    let conversation = StoredConversation {
        id,
        owner: UserId::new(Timestamp(0), 1),
        mode: Mode::Default,
        model: "model-1".to_owned(),
    };
    store
        .create(conversation, write(0, 0, Durability::Process))
        .await?;
    let mut head = 1;
    let rounds = [
        ("process", [Durability::Process; 2]),
        ("power", [Durability::Power; 2]),
        ("in turns", [Durability::Process, Durability::Power]),
    ];
    for (name, durabilities) in rounds {
        let mut took = Vec::new();
        for durability in durabilities.into_iter().cycle().take(WRITES as usize) {
            let start = Instant::now();
            store.append(write(1, head, durability)).await?;
            took.push(start.elapsed());
            head += 1;
        }
        took.sort_unstable();
        let all: Duration = took.iter().sum();
        let rate = f64::from(WRITES) / all.as_secs_f64();
        let (median, p99) = (took[took.len() / 2], took[took.len() * 99 / 100]);
        println!("{name:9} {rate:7.0} writes/s, median {median:.0?}, p99 {p99:.0?}");
    }
    store.close().await?;
    Ok(())
}
