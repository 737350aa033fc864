//! Tools that draw. A drawing is a record: it is validated and stored, whether or not a page shows
//! it. Each answer includes its check against the chart.
//!
//! A drawing takes the identifier of the call that made it, so that a call repeated after an
//! interruption has no second effect. A drawing already on the chart is not drawn again.

mod alerts;
mod answers;
mod changes;
mod fields;
mod figures;
mod input;
mod names;
mod on_chart;
mod positions;
pub(crate) mod say;
mod scroll;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use protocol::UserId;
use serde_json::{Value, json};
use tokio::sync::watch;

use self::{
    answers::{record, removed, taken_back},
    input::{RemoveInput, UndoInput, UpdateInput, Wanted},
    names::DrawingNames,
};
pub(crate) use self::{on_chart::Chart, positions::listed_result};
use super::{Answer, ToolProblem};
use crate::{
    Candle, CandleStore, Live, StoreError, Symbol, Time, Timeframe, check,
    drawing::{
        Actor, Drawing, DrawingReader, DrawingStore, NewDrawing, Refusal, ReplaceError, Update,
        create, happens, is_at, is_private, mark_known, own, remove, snapped, undo, update,
    },
    texts,
};

/// Author and origin of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub actor: Actor,
    /// Name of the person who calls, or for whom the assistant does; `None` if it is not known.
    pub person: Option<String>,
    /// The same person, whose drawings the call reaches beside everybody's.
    pub reader: DrawingReader,
    /// Id of the call, also that of a drawing made by it, so that a repetition has no effect.
    pub call: String,
    pub conversation: Option<String>,
    pub message: Option<String>,
    /// The turn of the assistant.
    pub turn: Option<String>,
}

/// The drawings on the charts, with their operations. Cheap to clone.
#[derive(Clone)]
pub struct ChartDrawings {
    candles: Live,
    drawings: Arc<dyn DrawingStore>,
    /// Incremented with each write.
    written: Arc<watch::Sender<u64>>,
    /// The number of writes of drawings that one person alone sees, whoever that is.
    private: Arc<AtomicU64>,
    names: DrawingNames,
}

/// Predicted effect of a call.
struct Planned {
    /// The effect in one sentence.
    sentence: String,
    drawing: Option<Drawing>,
}

impl ChartDrawings {
    pub fn new(candles: Live, drawings: Arc<dyn DrawingStore>) -> Self {
        Self {
            candles,
            drawings,
            written: Arc::new(watch::Sender::new(0)),
            private: Arc::default(),
            names: DrawingNames::default(),
        }
    }

    /// Signals every write from now on.
    pub fn written(&self) -> watch::Receiver<u64> {
        self.written.subscribe()
    }

    /// The number of writes of drawings that one person alone sees. Pages read theirs again when it
    /// changes; it tells nobody whose drawing was written.
    pub(crate) fn private_writes(&self) -> u64 {
        self.private.load(Ordering::Relaxed)
    }

    /// The drawings on the chart of a symbol that somebody sees, oldest first.
    ///
    /// # Errors
    /// The store fails.
    pub async fn drawings(
        &self,
        reader: DrawingReader,
        symbol: Symbol,
    ) -> Result<Vec<Drawing>, StoreError> {
        let mut all = reader.list(&*self.drawings, symbol, false).await?;
        self.learn_names(&all);
        all.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        Ok(all)
    }

    /// The drawings on the chart of a symbol that this person alone sees, oldest first.
    ///
    /// # Errors
    /// The store fails.
    pub(crate) async fn own(
        &self,
        person: UserId,
        symbol: Symbol,
    ) -> Result<Vec<Drawing>, StoreError> {
        let mut all = self.drawings.list(&own(person), symbol, false).await?;
        all.sort_by(|one, other| (one.created_at, &one.id).cmp(&(other.created_at, &other.id)));
        Ok(all)
    }

    /// The drawings on the chart of a symbol, whoever sees them.
    ///
    /// # Errors
    /// The store fails.
    pub(crate) async fn of_all_owners(&self, symbol: Symbol) -> Result<Vec<Drawing>, StoreError> {
        self.drawings.of_all_owners(symbol).await
    }

    /// A drawing, whether removed or not. One that the reader does not see does not exist.
    ///
    /// # Errors
    /// The store fails, or the drawing does not exist.
    pub async fn drawing(&self, reader: DrawingReader, id: &str) -> Result<Drawing, ToolProblem> {
        let found = reader.get(&*self.drawings, id).await?;
        found.ok_or_else(|| ToolProblem::Missing(texts::drawings::no_such_drawing(id)))
    }

    /// The bars for checking a drawing.
    pub(crate) async fn bars(&self, symbol: Symbol) -> Result<Vec<Candle>, StoreError> {
        let newest = self
            .candles
            .last_n(symbol, Timeframe::H1, check::BARS, None);
        newest.await
    }

    async fn draw(&self, wanted: Wanted, by: &Caller, at: Time) -> Result<Answer, ToolProblem> {
        if let Some(done) = by.reader.get(&*self.drawings, &by.call).await? {
            return self.answer("Drawn", &done).await;
        }
        let drawing = self.planned(wanted, by, at).await?;
        match self.drawings.insert(&drawing).await {
            Ok(()) => {}
            // The same call arrived by another path at the same time.
            Err(ReplaceError::Conflict(done)) => return self.answer("Drawn", &done).await,
            Err(ReplaceError::Store(error)) => return Err(error.into()),
        }
        self.wrote(&drawing);
        self.answer("Drawn", &drawing).await
    }

    /// The drawing that a call would make.
    async fn planned(&self, wanted: Wanted, by: &Caller, at: Time) -> Result<Drawing, ToolProblem> {
        let Wanted {
            symbol,
            reason,
            mut content,
            candles,
            seen_by,
        } = wanted;
        if by.actor == Actor::User {
            content.shape = snapped(content.shape, symbol);
        }
        let new = NewDrawing {
            id: by.call.clone(),
            owner: by.reader.owner(seen_by),
            symbol,
            content,
            reason,
            actor: by.actor,
            person: by.person.clone(),
            call: Some(by.call.clone()),
            conversation: by.conversation.clone(),
            message: by.message.clone(),
            group: by.turn.clone(),
            candles,
        };
        let mut drawing = create(new, at).map_err(refused)?;
        let market = self.market_time(symbol, at).await;
        mark_known(&mut drawing, market);
        if let Some(life) = &mut drawing.life {
            life.since = market;
        }
        if let Some(Err(bad)) = check::figures(&drawing.content.shape, symbol) {
            return Err(ToolProblem::Input(format!(
                "shape.{}: {}.",
                bad.field, bad.reason
            )));
        }
        let there = by.reader.list(&*self.drawings, symbol, false).await?;
        // Somebody's own is no reason against the same for everybody.
        let mut same = there
            .iter()
            .filter(|other| !is_private(other) || is_private(&drawing))
            .filter(|other| is_at(&other.content.shape, &drawing.content.shape, symbol));
        match same.next() {
            None => Ok(drawing),
            Some(other) => Err(ToolProblem::Refused(texts::drawings::is_on_chart_already(
                say::kind(&other.content.shape),
                &other.id,
                other.version,
            ))),
        }
    }

    async fn update(
        &self,
        input: UpdateInput,
        by: &Caller,
        at: Time,
    ) -> Result<Answer, ToolProblem> {
        let drawing = self.on_chart(by.reader, &input.id, input.symbol).await?;
        if is_done(&drawing, by) {
            return self.answer("Changed", &drawing).await;
        }
        let market = self.market_time(drawing.symbol, at).await;
        match changed(&drawing, input, by, at, market)? {
            Some(next) => {
                self.replace(&next).await?;
                self.answer("Changed", &next).await
            }
            None => {
                self.answer(texts::drawings::NOTHING_TO_CHANGE_IN, &drawing)
                    .await
            }
        }
    }

    async fn remove(
        &self,
        input: RemoveInput,
        by: &Caller,
        at: Time,
    ) -> Result<Answer, ToolProblem> {
        let drawing = self.drawing(by.reader, &input.id).await?;
        if is_done(&drawing, by) {
            return removed(&drawing);
        }
        let drawing = still_there(drawing, input.symbol)?;
        let asked = asked(Value::Null, input.reason, input.expected_version, by);
        let next = remove(&drawing, &asked, at).map_err(refused)?;
        self.replace(&next).await?;
        removed(&next)
    }

    /// The effect of an update on a drawing, for the person who decides about it.
    async fn plan_update(
        &self,
        input: UpdateInput,
        by: &Caller,
        at: Time,
    ) -> Result<Planned, ToolProblem> {
        let drawing = self.on_chart(by.reader, &input.id, input.symbol).await?;
        let sentence = texts::drawings::change(&say::the(&drawing));
        let market = self.market_time(drawing.symbol, at).await;
        changed(&drawing, input, by, at, market)?;
        Ok(Planned {
            sentence,
            drawing: Some(drawing),
        })
    }

    /// The drawing that a removal concerns.
    async fn plan_removal(&self, input: RemoveInput, by: &Caller) -> Result<Planned, ToolProblem> {
        let drawing = self.on_chart(by.reader, &input.id, input.symbol).await?;
        Ok(Planned {
            sentence: texts::drawings::remove(&say::the(&drawing)),
            drawing: Some(drawing),
        })
    }

    async fn undo(&self, input: UndoInput, by: &Caller, at: Time) -> Result<Answer, ToolProblem> {
        let group = input.group;
        let mut all = Vec::new();
        for symbol in Symbol::all() {
            all.extend(by.reader.list(&*self.drawings, symbol, true).await?);
        }
        let done: Vec<&Drawing> = all.iter().filter(|drawing| is_done(drawing, by)).collect();
        if !done.is_empty() {
            return Ok(taken_back(&done, &[]));
        }
        let mut undone = undo(&all, &group, at);
        for next in &mut undone.changed {
            let market = self.market_time(next.symbol, at).await;
            mark_known(next, market);
            if let Some(change) = next.changes.last_mut() {
                change.call = Some(by.call.clone());
                change.person.clone_from(&by.person);
            }
        }
        if undone.changed.is_empty() && undone.kept.is_empty() {
            let message = texts::drawings::nothing_of_turn(&group);
            return Err(ToolProblem::Missing(message));
        }
        if !undone.changed.is_empty() {
            match self.drawings.replace(&undone.changed).await {
                Ok(()) => undone.changed.iter().for_each(|next| self.wrote(next)),
                Err(ReplaceError::Conflict(now)) => return Err(ToolProblem::Conflict(now)),
                Err(ReplaceError::Store(error)) => return Err(error.into()),
            }
        }
        let changed: Vec<&Drawing> = undone.changed.iter().collect();
        Ok(taken_back(&changed, &undone.kept))
    }

    /// A drawing that is on the chart, of this symbol if one is given.
    pub(crate) async fn on_chart(
        &self,
        reader: DrawingReader,
        id: &str,
        symbol: Option<Symbol>,
    ) -> Result<Drawing, ToolProblem> {
        still_there(self.drawing(reader, id).await?, symbol)
    }

    /// The market's time: the lives of positions are told in it. It is the given one if no price is
    /// known.
    async fn market_time(&self, symbol: Symbol, at: Time) -> Time {
        match self.candles.quote(symbol).await {
            Ok(Some(quote)) => quote.time,
            Ok(None) | Err(_) => at,
        }
    }

    /// Replaces a drawing by its next version.
    pub(crate) async fn replace(&self, next: &Drawing) -> Result<(), ToolProblem> {
        match self.drawings.replace(std::slice::from_ref(next)).await {
            Ok(()) => {
                self.wrote(next);
                Ok(())
            }
            Err(ReplaceError::Conflict(now)) => Err(ToolProblem::Conflict(now)),
            Err(ReplaceError::Store(error)) => Err(error.into()),
        }
    }

    /// Signals a write of this drawing.
    fn wrote(&self, drawing: &Drawing) {
        self.learn_names(std::slice::from_ref(drawing));
        if is_private(drawing) {
            self.private.fetch_add(1, Ordering::Relaxed);
        }
        self.changed();
    }

    /// Signals a write of a drawing, or of what depends on one.
    pub(crate) fn changed(&self) {
        self.written.send_modify(|count| *count += 1);
    }

    /// The drawing with its check against the chart.
    async fn answer(&self, done: &str, drawing: &Drawing) -> Result<Answer, ToolProblem> {
        let shape = &drawing.content.shape;
        let bars = self.bars(drawing.symbol).await?;
        let seen = check::check(shape, drawing.symbol, &bars);
        let mut data = json!({
            "drawing": record(drawing)?,
            "check": super::json(&seen)?,
            "definition": texts::maths::CHECK_MEANING,
        });
        if let (Some(figures), Some(fields)) = (
            check::figures_shown(shape, drawing.symbol),
            data.as_object_mut(),
        ) {
            fields.insert("figures".to_owned(), super::json(&figures)?);
        }
        let summary = match &seen {
            Some(seen) => {
                texts::drawings::touched(done, &say::a(drawing), seen.touches, seen.distance_pips)
            }
            None => format!("{done}: {}", say::a(drawing)),
        };
        Ok(Answer { summary, data })
    }
}

fn asked(patch: Value, reason: String, expected_version: u64, by: &Caller) -> Update {
    Update {
        patch,
        reason,
        expected_version,
        actor: by.actor,
        person: by.person.clone(),
        call: Some(by.call.clone()),
        conversation: by.conversation.clone(),
        message: by.message.clone(),
        group: by.turn.clone(),
    }
}

/// The drawing after an update; `None` if nothing would change.
fn changed(
    drawing: &Drawing,
    input: UpdateInput,
    by: &Caller,
    at: Time,
    market: Time,
) -> Result<Option<Drawing>, ToolProblem> {
    let UpdateInput {
        expected_version,
        reason,
        changes,
        event,
        ..
    } = input;
    match (changes, event) {
        (Some(patch), None) => {
            let next = update(drawing, &asked(patch, reason, expected_version, by), at);
            let mut next = next.map_err(refused)?;
            if let Some(next) = &mut next {
                mark_known(next, market);
                // Prices that came before the new plan do not reach it.
                if next.content.shape != drawing.content.shape
                    && let Some(life) = &mut next.life
                {
                    life.planned = Some(market);
                }
            }
            Ok(next)
        }
        (None, Some(event)) => {
            let event = event.event(drawing.symbol)?;
            let asked = asked(Value::Null, reason, expected_version, by);
            happens(drawing, event, &asked, at, market)
                .map(Some)
                .map_err(refused)
        }
        _ => Err(ToolProblem::Input(
            texts::drawings::GIVE_EITHER_CHANGES_OR_EVENT.to_owned(),
        )),
    }
}

fn still_there(drawing: Drawing, symbol: Option<Symbol>) -> Result<Drawing, ToolProblem> {
    if symbol.is_some_and(|symbol| symbol != drawing.symbol) {
        let message = texts::drawings::drawing_is_on(&drawing.id, &drawing.symbol);
        return Err(ToolProblem::Input(message));
    }
    if drawing.removed {
        Err(ToolProblem::Refused(texts::drawings::drawing_was_removed(
            &drawing.id,
        )))
    } else {
        Ok(drawing)
    }
}

/// Returns whether this very call has already changed a drawing, but its answer was lost.
fn is_done(drawing: &Drawing, by: &Caller) -> bool {
    let calls = drawing.changes.iter().map(|change| change.call.as_ref());
    calls.flatten().any(|call| *call == by.call)
}

fn refused(refusal: Refusal) -> ToolProblem {
    match refusal {
        Refusal::Conflict(now) => ToolProblem::Conflict(now),
        Refusal::Invalid(invalid) => ToolProblem::Input(format!("{invalid}.")),
        Refusal::Locked => ToolProblem::Locked,
        other => ToolProblem::Refused(texts::drawings::refused(&other)),
    }
}
