//! The journal alone: appending a million events and reading them, on a database on disk.

use std::{path::PathBuf, time::Instant};

use agent::ports::{Append, Durability, Epoch, Journal, NewRecord, Record, StoredConversation};
use anyhow::{Context, Result, ensure};
use clap::Args;
use protocol::{
    ContentBlock, ConversationId, EventBody, MessageId, Mode, Seq, StopReason, Timestamp, TurnId,
    TurnOutcome, Usage, UserId,
};
use serde_json::{json, value::to_raw_value};
use store::Store;

use crate::{domains::QUESTION, report::Report, samples::Samples};

#[derive(Args)]
pub(crate) struct JournalOptions {
    /// Folder for temporary data, on a real disk
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,
    #[command(flatten)]
    output: crate::report::ReportOutput,
    /// Events to write
    #[arg(long, default_value_t = 1_000_000)]
    events: u64,
}

/// Conversations that take turns in growing.
const CONVERSATIONS: u64 = 1_000;
/// Events of a turn.
const TURN: u64 = 4;
/// Reads and durable writes of each kind.
const TRIES: u64 = 500;
/// The events that a tab has missed after a moment away.
const MISSED: u64 = 40;

pub(crate) async fn run(options: JournalOptions) -> Result<()> {
    let mut report = Report::start("store");
    let folder = tempfile::tempdir_in(&options.folder)?;
    let store = Store::open(folder.path()).await?;
    let group = &format!("{} events", options.events);

    let mut writer = JournalWriter::new(&store).await?;
    let turns = options.events / TURN;
    let mut all = Samples::default();
    let mut last = Samples::default();
    let began = Instant::now();
    for turn in 0..turns {
        let conversation = turn % CONVERSATIONS;
        for records in [question(turn)?, answer(turn)?] {
            let micros = writer
                .append(conversation, records, Durability::Process)
                .await?;
            all.add(micros);
            if turn >= turns - turns / 10 {
                last.add(micros);
            }
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    report.times(group, "append, safe from a crash", &all);
    report.times(group, "  the last tenth", &last);
    let rate = options.events as f64 / seconds;
    report.value(group, "events per second", "1/s", rate);
    let size = std::fs::metadata(folder.path().join("jarvis.db"))?.len();
    report.value(
        group,
        "database per event",
        "B",
        size as f64 / options.events as f64,
    );
    let mut durable = Samples::default();
    for turn in 0..TRIES {
        let records = question(turn)?;
        let micros = writer.append(turn, records, Durability::Power).await?;
        durable.add(micros);
    }
    report.times(group, "append, safe from power loss", &durable);

    let mut whole = Samples::default();
    let mut missed = Samples::default();
    let mut head = Samples::default();
    for turn in 0..TRIES {
        // A stride that visits conversations far apart.
        let (id, newest) = writer.heads[(turn * 7 % CONVERSATIONS) as usize];
        let began = Instant::now();
        let records: Vec<Record> = store.records(id).await?;
        whole.add(began.elapsed().as_micros() as u64);
        ensure!(records.len() as u64 == newest, "events are missing");
        let began = Instant::now();
        let after = Seq(newest.saturating_sub(MISSED));
        let events = store.events_after(id, after, 1_000).await?;
        missed.add(began.elapsed().as_micros() as u64);
        ensure!(
            events.len() as u64 == newest.min(MISSED),
            "events are missing"
        );
        let began = Instant::now();
        ensure!(store.head(id).await? == Seq(newest), "the head is wrong");
        head.add(began.elapsed().as_micros() as u64);
    }
    let each = options.events / CONVERSATIONS;
    report.times(group, &format!("read a conversation of {each}"), &whole);
    report.times(group, &format!("read the newest {MISSED}"), &missed);
    report.times(group, "read the head", &head);
    let began = Instant::now();
    store.unfinished().await?;
    let micros = began.elapsed().as_micros() as f64;
    report.value(group, "find unfinished turns", "ms", micros / 1_000.0);
    store.close().await?;
    report.finish(&options.output)
}

/// Conversations and their newest events.
struct JournalWriter<'a> {
    store: &'a Store,
    heads: Vec<(ConversationId, u64)>,
}

impl<'a> JournalWriter<'a> {
    async fn new(store: &'a Store) -> Result<Self> {
        let owner = store
            .first_user(UserId::new(Timestamp(1), 1), "Operator", Timestamp(1))
            .await?
            .id;
        let mut heads = Vec::new();
        for number in 0..CONVERSATIONS {
            let id = ConversationId::new(Timestamp(1), number.into());
            let conversation = StoredConversation {
                id,
                owner,
                mode: Mode::Default,
                model: "fake-1".to_owned(),
            };
            let started = NewRecord::event(EventBody::ConversationStarted {
                title: QUESTION.to_owned(),
                model: "fake-1".to_owned(),
                mode: Mode::Default,
                toolsets: Vec::new(),
                from: None,
            });
            let append = append(id, Epoch(0), 0, vec![started], Durability::Process);
            store.create(conversation, append).await?;
            heads.push((id, 1));
        }
        Ok(Self { store, heads })
    }

    /// Writes at the end of a conversation; returns the microseconds.
    async fn append(
        &mut self,
        conversation: u64,
        records: Vec<NewRecord>,
        durability: Durability,
    ) -> Result<u64> {
        let conversation = usize::try_from(conversation)?;
        let (id, head) = self
            .heads
            .get_mut(conversation)
            .context("no conversation")?;
        let count = records.len() as u64;
        let append = append(*id, Epoch(1), *head, records, durability);
        let began = Instant::now();
        self.store.append(append).await?;
        *head += count;
        Ok(began.elapsed().as_micros() as u64)
    }
}

fn append(
    conversation: ConversationId,
    epoch: Epoch,
    head: u64,
    records: Vec<NewRecord>,
    durability: Durability,
) -> Append {
    Append {
        conversation,
        epoch,
        head: Seq(head),
        at: Timestamp(1_700_000_000_000),
        records,
        command: None,
        durability,
    }
}

fn turn_id(turn: u64) -> TurnId {
    TurnId::new(Timestamp(1), turn.into())
}

fn message_id(turn: u64, of: u128) -> MessageId {
    MessageId::new(Timestamp(1), u128::from(turn) * 2 + of)
}

/// The records of the start of a turn.
fn question(turn: u64) -> Result<Vec<NewRecord>> {
    let raw = to_raw_value(&json!([{ "type": "text", "text": QUESTION }]))?;
    let started = NewRecord {
        raw: Some(raw),
        ..NewRecord::event(EventBody::TurnStarted {
            turn: turn_id(turn),
            message: message_id(turn, 0),
            text: QUESTION.to_owned(),
            references: Vec::new(),
        })
    };
    let step = NewRecord::event(EventBody::StepStarted {
        turn: turn_id(turn),
        step: 1,
        message: message_id(turn, 1),
    });
    Ok(vec![started, step])
}

/// The records of its end.
fn answer(turn: u64) -> Result<Vec<NewRecord>> {
    let text = crate::domains::ANSWER;
    let usage = Usage {
        input: 1_200,
        output: 120,
        ..Usage::default()
    };
    let message = NewRecord {
        raw: Some(to_raw_value(&json!([{ "type": "text", "text": text }]))?),
        ..NewRecord::event(EventBody::AssistantMessage {
            turn: turn_id(turn),
            message: message_id(turn, 1),
            blocks: vec![ContentBlock::Text {
                text: text.to_owned(),
            }],
            stop: StopReason::EndTurn,
            usage,
            cost: None,
        })
    };
    let end = NewRecord::event(EventBody::TurnFinished {
        turn: turn_id(turn),
        outcome: TurnOutcome::Answered,
        usage,
        cost: None,
    });
    Ok(vec![message, end])
}
