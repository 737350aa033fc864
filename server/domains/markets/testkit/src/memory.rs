//! The databases of the markets toolset in memory.

use std::{collections::BTreeMap, sync::Mutex};

use async_trait::async_trait;
use markets::{
    Candle, CandleStore, DERIVED, FactStore, ImportCounts, MOST, RecordKind, RecordRow,
    RecordStore, StoreError, Symbol, Time, Timeframe, TrailBody, TrailFilter, TrailPlace, TrailRow,
    TrailWay, Upserted, aggregate,
    alert::{Alert, AlertState, AlertStore},
    drawing::{Drawing, DrawingStore, ReplaceError},
};

/// Candles in memory. Derived ones are put together at each read.
#[derive(Debug, Default)]
pub struct MemoryCandles(
    Mutex<BTreeMap<(Symbol, Timeframe, Time), Candle>>,
    ImportCounts,
);

impl MemoryCandles {
    /// The written candles that open in `from..until`.
    fn of(&self, symbol: Symbol, frame: Timeframe, from: Time, until: Time) -> Vec<Candle> {
        if from >= until {
            return Vec::new();
        }
        let all = self.0.lock().expect("not poisoned");
        let span = all.range((symbol, frame, from)..(symbol, frame, until));
        span.map(|(_, candle)| *candle).collect()
    }

    /// The same with the derived ones.
    fn with_derived(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Vec<Candle> {
        let written = self.of(symbol, frame, from, until);
        if !DERIVED.contains(&frame) {
            return written;
        }
        let minutes = self.of(symbol, Timeframe::M1, Time(i64::MIN), Time(i64::MAX));
        let derived =
            aggregate(symbol, minutes, Timeframe::M1, frame).expect("longer than minutes");
        let inside = |candle: &Candle| from <= candle.time && candle.time < until;
        markets::merged(written, derived.into_iter().filter(inside))
    }
}

#[async_trait]
impl CandleStore for MemoryCandles {
    async fn upsert(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<Upserted, StoreError> {
        let mut all = self.0.lock().expect("not poisoned");
        let mut done = Upserted::default();
        for candle in candles {
            match all.insert((symbol, frame, candle.time), *candle) {
                Some(before) if before == *candle => done.unchanged += 1,
                _ => done.written += 1,
            }
        }
        Ok(done)
    }

    async fn add(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<Upserted, StoreError> {
        let mut all = self.0.lock().expect("not poisoned");
        let before = all.len();
        for candle in candles {
            all.entry((symbol, frame, candle.time)).or_insert(*candle);
        }
        let written = (all.len() - before) as u64;
        Ok(Upserted {
            written,
            unchanged: candles.len() as u64 - written,
        })
    }

    async fn written(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        let mut span = self.of(symbol, frame, from, until);
        span.truncate(MOST);
        Ok(span)
    }

    async fn forget(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        candles: &[Candle],
    ) -> Result<u64, StoreError> {
        let mut all = self.0.lock().expect("not poisoned");
        let before = all.len();
        for candle in candles {
            let key = (symbol, frame, candle.time);
            if all.get(&key) == Some(candle) {
                all.remove(&key);
            }
        }
        Ok((before - all.len()) as u64)
    }

    fn count_import(&self, symbol: Symbol) {
        self.1.raise(symbol);
    }

    fn imports(&self, symbol: Symbol) -> u64 {
        self.1.of(symbol)
    }

    async fn range(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        from: Time,
        until: Time,
    ) -> Result<Vec<Candle>, StoreError> {
        let mut span = self.with_derived(symbol, frame, from, until);
        span.truncate(MOST);
        Ok(span)
    }

    async fn last_n(
        &self,
        symbol: Symbol,
        frame: Timeframe,
        count: usize,
        before: Option<Time>,
    ) -> Result<Vec<Candle>, StoreError> {
        let until = before.unwrap_or(Time(i64::MAX));
        let mut span = self.with_derived(symbol, frame, Time(i64::MIN), until);
        let surplus = span.len().saturating_sub(count.min(MOST));
        span.drain(..surplus);
        Ok(span)
    }
}

/// Records in memory.
#[derive(Debug, Default)]
pub struct MemoryRecords(Mutex<BTreeMap<(RecordKind, String), RecordRow>>);

impl MemoryRecords {
    fn sorted(&self, kind: RecordKind, about: Option<&str>) -> Vec<RecordRow> {
        let all = self.0.lock().expect("not poisoned");
        let rows = all.iter().filter(|((of, _), _)| *of == kind);
        let (samples, real): (Vec<_>, Vec<_>) =
            rows.map(|(_, row)| row.clone()).partition(is_sample);
        let mut rows = if real.is_empty() { samples } else { real };
        rows.retain(|row| about.is_none_or(|about| row.about == about));
        rows.sort_by(|a, b| (a.time, &a.id).cmp(&(b.time, &b.id)));
        rows
    }
}

#[async_trait]
impl RecordStore for MemoryRecords {
    async fn put(&self, kind: RecordKind, rows: &[RecordRow]) -> Result<Upserted, StoreError> {
        let mut all = self.0.lock().expect("not poisoned");
        let mut done = Upserted::default();
        for row in rows {
            match all.insert((kind, row.id.clone()), row.clone()) {
                Some(before) if before == *row => done.unchanged += 1,
                _ => done.written += 1,
            }
        }
        Ok(done)
    }

    async fn between(
        &self,
        kind: RecordKind,
        about: Option<&str>,
        from: Time,
        until: Time,
        most: usize,
    ) -> Result<Vec<RecordRow>, StoreError> {
        let mut rows = self.sorted(kind, about);
        rows.retain(|row| from <= row.time && row.time < until);
        rows.truncate(most);
        Ok(rows)
    }

    async fn newest(
        &self,
        kind: RecordKind,
        about: Option<&str>,
        until: Time,
        count: usize,
    ) -> Result<Vec<RecordRow>, StoreError> {
        let mut rows = self.sorted(kind, about);
        rows.retain(|row| row.time <= until);
        let surplus = rows.len().saturating_sub(count);
        rows.drain(..surplus);
        Ok(rows)
    }

    async fn forget_samples(&self) -> Result<u64, StoreError> {
        let mut all = self.0.lock().expect("not poisoned");
        let before = all.len();
        all.retain(|_, row| !is_sample(row));
        Ok((before - all.len()) as u64)
    }
}

/// Returns whether a row came with Jarvis, which it says itself.
fn is_sample(row: &RecordRow) -> bool {
    let body: serde_json::Value = serde_json::from_str(&row.body).expect("a body is JSON");
    body["synthetic"] == true
}

/// Facts in memory.
#[derive(Debug, Default)]
pub struct MemoryFacts(Mutex<BTreeMap<String, String>>);

#[async_trait]
impl FactStore for MemoryFacts {
    async fn fact(&self, name: &str) -> Result<Option<String>, StoreError> {
        let all = self.0.lock().expect("not poisoned");
        Ok(all.get(name).cloned())
    }

    async fn put_fact(&self, name: &str, value: &str) -> Result<(), StoreError> {
        let mut all = self.0.lock().expect("not poisoned");
        all.insert(name.to_owned(), value.to_owned());
        Ok(())
    }
}

/// Drawings in memory.
#[derive(Debug, Default)]
pub struct MemoryDrawings(Mutex<BTreeMap<(String, String), Drawing>>);

fn key(drawing: &Drawing) -> (String, String) {
    (drawing.owner.clone(), drawing.id.clone())
}

#[async_trait]
impl DrawingStore for MemoryDrawings {
    async fn insert(&self, drawing: &Drawing) -> Result<(), ReplaceError> {
        let mut all = self.0.lock().expect("not poisoned");
        match all.get(&key(drawing)) {
            None => {
                all.insert(key(drawing), drawing.clone());
                Ok(())
            }
            Some(now) if now == drawing => Ok(()),
            Some(now) => Err(ReplaceError::Conflict(Box::new(now.clone()))),
        }
    }

    async fn replace(&self, drawings: &[Drawing]) -> Result<(), ReplaceError> {
        let mut all = self.0.lock().expect("not poisoned");
        for drawing in drawings {
            match all.get(&key(drawing)) {
                None => return Err(StoreError::NotFound.into()),
                Some(now) if now.version + 1 != drawing.version && now != drawing => {
                    return Err(ReplaceError::Conflict(Box::new(now.clone())));
                }
                Some(_) => {}
            }
        }
        all.extend(
            drawings
                .iter()
                .map(|drawing| (key(drawing), drawing.clone())),
        );
        Ok(())
    }

    async fn get(&self, owner: &str, id: &str) -> Result<Option<Drawing>, StoreError> {
        let all = self.0.lock().expect("not poisoned");
        Ok(all.get(&(owner.to_owned(), id.to_owned())).cloned())
    }

    async fn list(
        &self,
        owner: &str,
        symbol: Symbol,
        removed: bool,
    ) -> Result<Vec<Drawing>, StoreError> {
        let all = self.0.lock().expect("not poisoned");
        let mine = all.values().filter(|drawing| {
            drawing.owner == owner && drawing.symbol == symbol && (removed || !drawing.removed)
        });
        Ok(mine.cloned().collect())
    }

    async fn of_all_owners(&self, symbol: Symbol) -> Result<Vec<Drawing>, StoreError> {
        let all = self.0.lock().expect("not poisoned");
        let there = all
            .values()
            .filter(|drawing| drawing.symbol == symbol && !drawing.removed);
        Ok(there.cloned().collect())
    }

    async fn trail(
        &self,
        owners: &[String],
        filter: &TrailFilter,
        way: &TrailWay,
        most: usize,
    ) -> Result<Vec<TrailRow>, StoreError> {
        let all = self.0.lock().expect("not poisoned");
        Ok(trail_of(all.values(), owners, filter, way, most))
    }
}

/// The trail out of drawings, with the changes that their records keep.
fn trail_of<'a>(
    drawings: impl Iterator<Item = &'a Drawing>,
    owners: &[String],
    filter: &TrailFilter,
    way: &TrailWay,
    most: usize,
) -> Vec<TrailRow> {
    let seen = drawings.filter(|drawing| owners.contains(&drawing.owner));
    let mut rows: Vec<TrailRow> = seen.flat_map(rows_of).collect();
    rows.retain(|row| {
        let time = row.place.time;
        filter
            .symbol
            .is_none_or(|symbol| symbol.name() == row.symbol)
            && filter
                .drawing
                .as_ref()
                .is_none_or(|id| *id == row.place.drawing)
            && filter.kind.as_ref().is_none_or(|kind| *kind == row.kind)
            && filter.actor.is_none_or(|actor| actor == row.actor)
            && filter.from.is_none_or(|from| time >= from)
            && filter.until.is_none_or(|until| time < until)
    });
    rows.sort_by(|one, other| one.place.cmp(&other.place));
    match way {
        TrailWay::After(None) => {}
        TrailWay::After(Some(place)) => rows.retain(|row| row.place > *place),
        TrailWay::NewestFirst(place) => {
            rows.retain(|row| place.as_ref().is_none_or(|place| row.place < *place));
            rows.reverse();
        }
    }
    rows.truncate(most);
    rows
}

fn rows_of(drawing: &Drawing) -> Vec<TrailRow> {
    let row = |version, time, actor, body| TrailRow {
        place: TrailPlace {
            time,
            drawing: drawing.id.clone(),
            version,
            owner: drawing.owner.clone(),
        },
        symbol: drawing.symbol.name().to_owned(),
        kind: drawing.content.shape.kind().to_owned(),
        actor,
        body,
    };
    let drawn = TrailBody {
        person: drawing.person.clone(),
        reason: drawing.reason.clone(),
        call: drawing.call.clone(),
        group: drawing.group.clone(),
        conversation: drawing.conversation.clone(),
        message: drawing.message.clone(),
        ..TrailBody::default()
    };
    let mut rows = vec![row(1, drawing.created_at, drawing.actor, drawn)];
    let first = drawing.version - drawing.changes.len() as u64;
    for (version, change) in (first + 1..).zip(&drawing.changes) {
        let body = TrailBody {
            person: change.person.clone(),
            reason: change.reason.clone(),
            changes: change.changes.clone(),
            call: change.call.clone(),
            group: change.group.clone(),
            conversation: change.conversation.clone(),
            message: change.message.clone(),
            ..TrailBody::default()
        };
        rows.push(row(version, change.time, change.actor, body));
    }
    rows
}

/// Alerts in memory, with their rows of the trail.
#[derive(Debug, Default)]
pub struct MemoryAlerts(Mutex<BTreeMap<String, Alert>>, Mutex<Vec<TrailRow>>);

impl MemoryAlerts {
    /// The rows of the trail about them, oldest first.
    pub fn told(&self) -> Vec<TrailRow> {
        self.1.lock().expect("not poisoned").clone()
    }
}

#[async_trait]
impl AlertStore for MemoryAlerts {
    async fn insert(&self, alert: &Alert, told: &TrailRow) -> Result<Alert, StoreError> {
        let mut all = self.0.lock().expect("not poisoned");
        let stored = all.entry(alert.id.clone()).or_insert_with(|| {
            self.1.lock().expect("not poisoned").push(told.clone());
            alert.clone()
        });
        Ok(stored.clone())
    }

    async fn replace(&self, next: &Alert, told: Option<&TrailRow>) -> Result<bool, StoreError> {
        let mut all = self.0.lock().expect("not poisoned");
        match all.get_mut(&next.id) {
            Some(now) if now.version + 1 == next.version => {
                *now = next.clone();
                self.1.lock().expect("not poisoned").extend(told.cloned());
                Ok(true)
            }
            now => Ok(now.is_some_and(|now| now == next)),
        }
    }

    async fn get(&self, id: &str) -> Result<Option<Alert>, StoreError> {
        let all = self.0.lock().expect("not poisoned");
        Ok(all.get(id).cloned())
    }

    async fn list(&self, since: Time) -> Result<Vec<Alert>, StoreError> {
        let all = self.0.lock().expect("not poisoned");
        let listed = all
            .values()
            .filter(|alert| alert.state == AlertState::Waiting || alert.since >= since);
        Ok(listed.cloned().collect())
    }
}
