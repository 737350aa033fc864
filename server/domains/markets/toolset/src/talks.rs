//! Conversations about charts: the port to those of a person, and the page that lists them.

use async_trait::async_trait;
use markets_wire::{ChartTalk, ChartTalks};
use protocol::{ConversationId, ErrorBody, Reference, UserId};
use serde_json::Value;

use crate::{
    StoreError, Symbol, Timeframe,
    context::indicators::shown_chart,
    drawing::{DrawingReader, DrawingStore},
    pages::failed,
};

/// A conversation, and what its first message refers to.
#[derive(Debug, Clone, PartialEq)]
pub struct TalkSubject {
    pub conversation: ConversationId,
    pub title: String,
    pub references: Vec<Reference>,
}

/// The conversations that have the tools of the charts, by person.
#[async_trait]
pub trait TalkSubjects: Send + Sync {
    /// Those of a person that can be continued, newest change first.
    async fn of(&self, person: UserId) -> Result<Vec<TalkSubject>, StoreError>;
}

/// Answers the page `conversations`. What is about no chart is left out.
pub(crate) async fn page(
    talks: Option<&dyn TalkSubjects>,
    drawings: &dyn DrawingStore,
    person: UserId,
) -> Result<Value, ErrorBody> {
    let known = match talks {
        Some(talks) => talks.of(person).await.map_err(failed)?,
        None => Vec::new(),
    };
    let reader = DrawingReader::Person(person);
    let mut talks = Vec::new();
    for talk in known {
        let chart = chart_of(drawings, reader, &talk.references).await;
        if let Some((symbol, timeframe)) = chart.map_err(failed)? {
            talks.push(ChartTalk {
                conversation: talk.conversation,
                title: talk.title,
                symbol,
                timeframe,
            });
        }
    }
    serde_json::to_value(ChartTalks { talks })
        .map_err(|error| failed(StoreError::Damaged(error.to_string())))
}

/// The first chart among some references, or else that of the first drawing.
async fn chart_of(
    drawings: &dyn DrawingStore,
    reader: DrawingReader,
    about: &[Reference],
) -> Result<Option<(Symbol, Timeframe)>, StoreError> {
    let mut charts = about.iter().filter(|reference| reference.kind == "chart");
    if let Some((symbol, frame, _)) = charts.find_map(|reference| shown_chart(&reference.id)) {
        return Ok(Some((symbol, frame)));
    }
    let Some(reference) = about.iter().find(|reference| reference.kind == "drawing") else {
        return Ok(None);
    };
    let drawing = reader.get(drawings, &reference.id).await?;
    Ok(drawing.map(|drawing| (drawing.symbol, Timeframe::default())))
}
