//! Toolset for the agent: reading is GREEN, drawing is YELLOW, and neither needs an open page.

use std::sync::Arc;

use agent::ports::{Board, ContextPart, Env, Tool, Toolset};
use async_trait::async_trait;
use protocol::{ErrorBody, PageQuery, Reference, UserId};
use serde_json::{Value, json};

use crate::{
    Live, PersonNames, PushAnswer, PushRefusal, PushedPrices, RecordStore, StoreError,
    board::{Charts, MarketNotices},
    candle_folder::FolderProblems,
    context::{self, Sources},
    drawing::{
        DrawingReader, DrawingStore,
        trail::{self, TrailFilter, TrailPart, TrailPlace},
    },
    follow::PositionFollower,
    keep::PriceKeeper,
    own_notices::{OwnNotice, own_notices},
    pages,
    prompt::PROMPT,
    refer,
    talks::{self, TalkSubjects},
    tools::{
        Tools,
        alert::{AlertStore, AlertWatcher, ChartAlerts},
        draw::{Chart, ChartDrawings},
    },
};

/// Candles, drawings, events, positions and trades as tools. Cheap to clone.
#[derive(Clone)]
pub struct Markets {
    sources: Sources,
    tools: Tools,
    chart: Chart,
    notices: MarketNotices,
    folder: FolderProblems,
    talks: Option<Arc<dyn TalkSubjects>>,
}

impl Markets {
    pub fn new(
        live: Live,
        records: Arc<dyn RecordStore>,
        drawings: Arc<dyn DrawingStore>,
        alerts: Arc<dyn AlertStore>,
        env: Arc<dyn Env>,
    ) -> Self {
        let charts = ChartDrawings::new(live.clone(), Arc::clone(&drawings));
        Self {
            notices: MarketNotices::default(),
            folder: FolderProblems::default(),
            talks: None,
            tools: Tools::live(live.clone(), Arc::clone(&records)),
            chart: Chart {
                alerts: ChartAlerts::new(live.clone(), charts.clone(), alerts),
                charts,
                env,
                names: None,
            },
            sources: Sources {
                live,
                records,
                drawings,
            },
        }
    }
}

impl Markets {
    /// The same, watched also while nobody looks, to raise notices of all kinds but those in `off`.
    #[must_use]
    pub fn watched(self, off: &[String]) -> Self {
        Self {
            notices: MarketNotices::without(off),
            ..self
        }
    }

    /// The same, with the conversations that people have about charts.
    #[must_use]
    pub fn with_talks(self, talks: Arc<dyn TalkSubjects>) -> Self {
        Self {
            talks: Some(talks),
            ..self
        }
    }

    /// The same, whose records name the people behind them.
    #[must_use]
    pub fn with_names(mut self, names: Arc<dyn PersonNames>) -> Self {
        self.chart.names = Some(names);
        self
    }

    /// The problems with a watched folder of candles, which the board shows.
    pub fn folder(&self) -> FolderProblems {
        self.folder.clone()
    }

    /// A part of the trail of the drawings as CSV, as this reader sees it.
    ///
    /// # Errors
    /// The store fails.
    pub async fn trail(
        &self,
        reader: DrawingReader,
        filter: &TrailFilter,
        after: Option<TrailPlace>,
    ) -> Result<TrailPart, StoreError> {
        trail::csv(&*self.sources.drawings, reader, filter, after).await
    }

    /// The notices that this person alone gets, of the last day, newest first.
    ///
    /// # Errors
    /// The store fails.
    pub async fn own_notices(&self, person: UserId) -> Result<Vec<OwnNotice>, StoreError> {
        let Chart { charts, env, .. } = &self.chart;
        own_notices(charts, self.notices, person, env.now()).await
    }

    /// Takes in a message of a program that sends prices. The prices must be those of these charts.
    ///
    /// # Errors
    /// The message is refused as a whole, or the store fails.
    pub async fn bring(
        &self,
        pushed: &PushedPrices,
        text: &str,
    ) -> Result<PushAnswer, PushRefusal> {
        pushed.bring(text, &self.sources.live).await
    }

    /// Moves positions along with the price; see [`PositionFollower`].
    pub fn follower(&self) -> PositionFollower {
        let Chart { charts, env, .. } = self.chart.clone();
        PositionFollower::new(self.sources.live.clone(), charts, env)
    }

    /// Stores the minutes of a source's prices; see [`PriceKeeper`].
    pub fn keeper(&self) -> PriceKeeper {
        PriceKeeper::new(self.sources.live.clone())
    }

    /// Judges alerts on each price; see [`AlertWatcher`].
    pub fn watcher(&self) -> AlertWatcher {
        let Chart { alerts, env, .. } = self.chart.clone();
        AlertWatcher::new(alerts, env)
    }
}

#[async_trait]
impl Toolset for Markets {
    fn name(&self) -> &'static str {
        "markets"
    }

    fn subject(&self) -> Option<&'static str> {
        Some("prices of currency pairs, their charts, and drawings and levels on these")
    }

    fn system_prompt(&self) -> String {
        PROMPT.to_owned()
    }

    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let mut tools = self.tools.all();
        tools.extend(self.chart.tools());
        tools
    }

    async fn context(&self, about: &[Reference]) -> Vec<ContextPart> {
        context::parts(&self.sources, DrawingReader::Anybody, about).await
    }

    async fn context_for(&self, person: UserId, about: &[Reference]) -> Vec<ContextPart> {
        context::parts(&self.sources, DrawingReader::Person(person), about).await
    }

    fn refers(&self, reference: &Reference) -> bool {
        refer::refers(reference)
    }

    async fn describe(&self, reference: &Reference) -> Result<Value, String> {
        refer::describe(&self.chart.charts, DrawingReader::Anybody, reference).await
    }

    async fn describe_for(&self, person: UserId, reference: &Reference) -> Result<Value, String> {
        refer::describe(&self.chart.charts, DrawingReader::Person(person), reference).await
    }

    fn board(&self) -> Option<Arc<dyn Board>> {
        Some(Arc::new(Charts {
            live: self.sources.live.clone(),
            chart: self.chart.clone(),
            notices: self.notices,
            folder: self.folder.clone(),
        }))
    }

    async fn page(&self, person: UserId, query: &PageQuery) -> Result<Value, ErrorBody> {
        if query.kind == "conversations" {
            return talks::page(self.talks.as_deref(), &*self.sources.drawings, person).await;
        }
        if query.kind == "drawings" {
            let now = self.chart.env.now();
            return pages::own_drawings(&self.chart.charts, self.notices, person, now).await;
        }
        if query.kind == "notices" {
            let notices = self.own_notices(person).await.map_err(pages::failed)?;
            return Ok(json!({ "notices": notices }));
        }
        if query.kind == "trail" {
            return pages::trail(&*self.sources.drawings, person, &query.part).await;
        }
        pages::page(&self.sources.live, query).await
    }

    /// Conversations about charts have no other toolset.
    fn stands_alone(&self) -> bool {
        true
    }
}
