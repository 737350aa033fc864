//! Conversations about charts: whose they are, and which chart each is about.

use std::sync::Arc;

use agent::ports::Toolset;
use async_trait::async_trait;
use markets::{StoreError, TalkSubject, TalkSubjects};
use protocol::{ConversationId, PageQuery, Reference, Timestamp, UserId};
use serde_json::{Value, json};

use crate::desk::{data, line, markets, model};

struct TalksOfOne;

fn person(n: u128) -> UserId {
    UserId::new(Timestamp(1), n)
}

fn talk(n: u128, about: &[(&str, &str)]) -> TalkSubject {
    let things = about.iter().map(|(kind, id)| Reference::new(*kind, *id));
    TalkSubject {
        conversation: ConversationId::new(Timestamp(1), n),
        title: format!("Talk {n}"),
        references: things.collect(),
    }
}

#[async_trait]
impl TalkSubjects for TalksOfOne {
    async fn of(&self, of: UserId) -> Result<Vec<TalkSubject>, StoreError> {
        if of != person(1) {
            return Ok(Vec::new());
        }
        let drawn = model(1, 1, "draw_horizontal_line", json!({}))
            .id
            .to_string();
        Ok(vec![
            talk(1, &[("guest", "101"), ("chart", "GBPUSD/H4/+RSI")]),
            talk(2, &[("drawing", &drawn)]),
            talk(3, &[("drawing", "gone"), ("chart", "EURUSD/W1")]),
            talk(4, &[("drawing", "gone")]),
            talk(5, &[("chart", "../etc"), ("chart", "DOGE/H1")]),
            talk(6, &[]),
        ])
    }
}

#[tokio::test]
async fn a_conversation_knows_its_symbol_and_timeframe() {
    let markets = markets().await.with_talks(Arc::new(TalksOfOne));
    data(&markets, model(1, 1, "draw_horizontal_line", line(1.2))).await;
    let query = PageQuery {
        kind: "conversations".to_owned(),
        name: "all".to_owned(),
        part: String::new(),
    };
    let mine = markets.page(person(1), &query).await.unwrap();
    let field = |talk: &Value, name: &str| talk[name].as_str().unwrap_or_default().to_owned();
    let charts = mine["talks"].as_array().unwrap().iter().map(|talk| {
        let chart = format!("{}/{}", field(talk, "symbol"), field(talk, "timeframe"));
        (field(talk, "title"), chart)
    });
    let charts: Vec<_> = charts.collect();
    let expect = [
        ("Talk 1", "GBPUSD/H4"),
        ("Talk 2", "EURUSD/H1"),
        ("Talk 3", "EURUSD/W1"),
    ];
    assert_eq!(
        charts,
        expect.map(|(title, chart)| (title.to_owned(), chart.to_owned()))
    );
    let others = markets.page(person(2), &query).await.unwrap();
    assert_eq!(others, json!({ "talks": [] }));
}
