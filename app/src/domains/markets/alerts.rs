//! The alerts on a symbol: a list of those that wait or were over lately, and a form that sets one.

use kit::{Key, each, effect, format::upright, live, live_text, live_view, on, press};
use leptos::{ev, html, prelude::*};
use markets_wire::{AlertLine, AlertState, Crossing, DrawingLevel, Indicator, Shape};
use serde_json::json;

use super::{drawing::who, page_state::ChartPageState, texts, time};

/// Draws the form and the list.
pub(super) fn alerts(shared: ChartPageState) -> AnyView {
    // The list changes when an alert comes or goes; its own line follows a change of one.
    let ids = Memo::new(move |_| {
        // Those that were set or have fired since then would tell of it.
        if shared.replay.is_on() {
            return Vec::new();
        }
        let symbol = shared.at.read().symbol;
        let all = shared.alerts().all().into_iter();
        let mut all: Vec<_> = all.filter(|(_, it)| it.symbol == symbol).collect();
        // Those that wait first, then the newest.
        all.sort_by(|(_, one), (_, other)| {
            let waits = |it: &AlertLine| it.state == AlertState::Waiting;
            let key = |it: &AlertLine| (waits(it), it.since.clone());
            key(other).cmp(&key(one))
        });
        all.into_iter().map(|(id, _)| id).collect::<Vec<_>>()
    });
    view! {
        {form(shared)}
        <ul class="alerts__list" aria-label=texts::alerts::ALERTS>
            {each(move || ids.get(), |id| Key::of(id.clone()), move |id| line(shared, &id))}
        </ul>
    }
    .into_any()
}

/// Says how many of the symbol wait, or how many a replay hides.
pub(super) fn counted(shared: ChartPageState) -> String {
    let (mut all, mut waiting) = (0, 0);
    let symbol = shared.at.read().symbol;
    shared.alerts().visit(|_, it| {
        let is_listed = it.symbol == symbol;
        let waits = is_listed && it.state == AlertState::Waiting;
        all += usize::from(is_listed);
        waiting += usize::from(waits);
    });
    if all > 0 && shared.replay.is_on() {
        texts::replay::hidden(all, "alert")
    } else {
        texts::alerts::counted(waiting)
    }
}

fn line(shared: ChartPageState, id: &str) -> AnyView {
    let Some(part) = untrack(|| shared.alerts().get(id)) else {
        return ().into_any();
    };
    let told = live_view(move || told(shared, &part.read()));
    view! { <li class="alerts__line">{told}</li> }.into_any()
}

fn told(shared: ChartPageState, alert: &AlertLine) -> AnyView {
    let state = match (alert.state, alert.repeats) {
        (AlertState::Waiting, true) => texts::alerts::repeats(alert.fired),
        (state, _) => texts::alerts::state(state).to_owned(),
    };
    let mut facts = vec![who(alert.actor, alert.person.as_deref()).to_owned(), state];
    if let Some(last) = &alert.last {
        facts.push(texts::alerts::fired_at(
            alert.value.as_deref().unwrap_or_default(),
            &time::shown(&last.time, shared.clock()),
        ));
        if last.after_gap {
            facts.push(texts::alerts::AFTER_GAP.to_owned());
        }
    }
    let note = (!alert.note.is_empty())
        .then(|| view! { <p class="alerts__note">{upright(alert.note.clone())}</p> });
    let is_waiting = alert.state == AlertState::Waiting;
    let unknown = alert.unknown.as_ref().filter(|_| is_waiting).map(|why| {
        let why = texts::alerts::cannot_be_judged(why);
        view! { <p class="alerts__unknown">{upright(why)}</p> }
    });
    let condition = upright(alert.condition.clone());
    let withdraw = is_waiting.then(|| {
        let id = alert.id.clone();
        let go = move || {
            if untrack(|| shared.channel.bars()).is_none() {
                shared.call("withdraw_alert", json!({ "alert": id }));
            }
        };
        view! {
            <button
                type="button"
                class="button button--small"
                aria-disabled=live(move || shared.channel.bars().map(|_| "true"))
                on:click=press(go)
            >
                {texts::alerts::WITHDRAW}
                <span class="visually-hidden">
                    " " {texts::alerts::the_alert(&condition)}
                </span>
            </button>
        }
    });
    view! {
        <div class="alerts__told">
            <p class="alerts__condition">{upright(alert.condition.clone())}</p>
            <p class="alerts__facts">{facts.join(" · ")}</p>
            {note}
            {unknown}
        </div>
        {withdraw}
    }
    .into_any()
}

/// The levels of a drawing to choose from: the word or the number of each, and its name.
type LineLevels = Vec<(String, String)>;

/// Returns the selected drawing, if an alert can watch it, with its title and its levels.
fn selected_line(shared: ChartPageState) -> Option<(String, String, LineLevels)> {
    let id = shared.selected.get()?;
    let drawing = shared.drawing(&id)?;
    let shape = &drawing.record()?.content.shape;
    let mut levels = LineLevels::new();
    for level in DrawingLevel::of(shape) {
        let name = texts::alerts::part(*level);
        levels.push((level.name().to_owned(), name.to_owned()));
    }
    if let Shape::Fibonacci { levels: ratios, .. } = shape {
        for ratio in ratios {
            levels.push((ratio.to_string(), texts::alerts::ratio(*ratio)));
        }
    }
    let is_line = matches!(
        shape,
        Shape::HorizontalLine { .. } | Shape::HorizontalRay { .. } | Shape::Trendline { .. }
    );
    (is_line || !levels.is_empty()).then(|| (id, drawing.title(), levels))
}

/// Draws the choice of a level of the selected drawing, if it has several.
fn level_choice(levels: LineLevels, part: NodeRef<html::Select>) -> AnyView {
    if levels.is_empty() {
        return ().into_any();
    }
    let choices = levels
        .into_iter()
        .map(|(level, name)| view! { <option value=level>{name}</option> }.into_any());
    let choices: Vec<_> = choices.collect();
    view! {
        <label>
            {texts::alerts::AT_LEVEL} <select class="field" node_ref=part>
                {choices}
            </select>
        </label>
    }
    .into_any()
}

/// Draws the choice between the price and an indicator of the candles on the chart.
fn watched(indicator: RwSignal<Option<Indicator>>) -> AnyView {
    let values = Indicator::ALL.into_iter().map(|it| {
        view! { <option value=it.name()>{texts::alerts::indicator(it)}</option> }.into_any()
    });
    let values: Vec<_> = values.collect();
    let choose = on(move |event: ev::Event| {
        indicator.set(Indicator::named(&event_target_value(&event)));
    });
    view! {
        <label>
            {texts::alerts::WATCHED}
            <select class="field" on:change=choose>
                <option value="" selected=true>
                    {texts::alerts::PRICE}
                </option>
                {values}
            </select>
        </label>
    }
    .into_any()
}

/// Draws the field for the number of candles, if an indicator is watched.
fn period_field(has_indicator: Memo<bool>, period: NodeRef<html::Input>) -> AnyView {
    live_view(move || {
        if has_indicator.get() {
            view! {
                <label>
                    {texts::alerts::PERIOD}
                    <input
                        class="field"
                        node_ref=period
                        type="number"
                        min="2"
                        max="200"
                        inputmode="numeric"
                        autocomplete="off"
                        placeholder=texts::alerts::USUAL_PERIOD
                    />
                </label>
            }
            .into_any()
        } else {
            ().into_any()
        }
    })
}

/// Draws the form: at a price, at the selected line, or at an indicator's value.
fn form(shared: ChartPageState) -> AnyView {
    let (level, note) = (NodeRef::<html::Input>::new(), NodeRef::<html::Input>::new());
    let repeats = NodeRef::<html::Input>::new();
    let (way, part) = (
        NodeRef::<html::Select>::new(),
        NodeRef::<html::Select>::new(),
    );
    let at_line = RwSignal::new(false);
    let period = NodeRef::<html::Input>::new();
    let indicator = RwSignal::new(None::<Indicator>);
    let has_indicator = Memo::new(move |_| indicator.get().is_some());
    let line = Memo::new(move |_| selected_line(shared));
    let answer = shared.edits.alert;
    // What was refused stays in the fields.
    effect(move || {
        if answer.get().as_deref() == Some("") {
            for field in [level, note] {
                if let Some(field) = field.get_untracked() {
                    field.set_value("");
                }
            }
        }
    });
    let send = move |event: ev::SubmitEvent| {
        event.prevent_default();
        if untrack(|| shared.channel.bars()).is_some() {
            return;
        }
        let text = |field: NodeRef<html::Input>| {
            let field = field.get_untracked();
            field.map_or_else(String::new, |field| field.value().trim().to_owned())
        };
        let at = shared.at.get_untracked();
        let symbol = at.symbol;
        let direction = way.get_untracked().map(|way| way.value());
        let mut input = json!({
            "symbol": symbol.name(),
            "direction": direction.unwrap_or_default(),
            "note": text(note),
            "repeats": repeats.get_untracked().is_some_and(|field| field.checked()),
        });
        let value = indicator.get_untracked();
        let by_line = at_line.get_untracked() && value.is_none();
        let chosen = line.get_untracked().filter(|_| by_line);
        if let Some(value) = value {
            input["indicator"] = json!(value.name());
            input["timeframe"] = json!(at.timeframe.name());
            // The server knows the usual number for each indicator.
            if let Ok(period) = text(period).parse::<u32>() {
                input["period"] = json!(period);
            }
        }
        match (chosen, text(level).replace(',', ".").parse::<f64>()) {
            (Some((drawing, _, levels)), _) => {
                input["drawing"] = json!(drawing);
                if !levels.is_empty()
                    && let Some(part) = part.get_untracked()
                {
                    let part = part.value();
                    match part.parse::<f64>() {
                        Ok(ratio) => input["ratio"] = json!(ratio),
                        Err(_) => input["part"] = json!(part),
                    }
                }
            }
            (None, Ok(level)) => input["level"] = json!(level),
            (None, Err(_)) => {
                let lacks = texts::alerts::lacks_level(value.is_some());
                answer.set(Some(lacks.to_owned()));
                return;
            }
        }
        answer.set(None);
        shared.call("set_alert", input);
    };
    let lines = live_view(move || match line.get().filter(|_| !has_indicator.get()) {
        Some((_, title, levels)) => view! {
            <label class="panel__filter">
                <input
                    type="checkbox"
                    prop:checked=live(move || at_line.get())
                    on:change=on(move |event: ev::Event| at_line.set(event_target_checked(&event)))
                />
                {texts::alerts::at_line(&title)}
            </label>
            {level_choice(levels, part)}
        }
        .into_any(),
        None => ().into_any(),
    });
    let ways = Crossing::ALL.into_iter().map(|way| {
        view! {
            <option value=way.name() selected=way == Crossing::default()>
                {texts::alerts::direction(way)}
            </option>
        }
        .into_any()
    });
    let ways: Vec<_> = ways.collect();
    view! {
        <form class="alerts__form" aria-label=texts::alerts::SET_ALERT on:submit=on(send)>
            {watched(indicator)}
            {period_field(has_indicator, period)}
            <label>
                {live_text(move || texts::alerts::way_of(has_indicator.get()).to_owned())}
                <select class="field" node_ref=way>
                    {ways}
                </select>
            </label>
            <label>
                {live_text(move || texts::alerts::level_of(has_indicator.get()).to_owned())}
                <input
                    class="field"
                    node_ref=level
                    type="number"
                    step="any"
                    inputmode="decimal"
                    autocomplete="off"
                />
            </label>
            {lines}
            <label>
                {texts::alerts::NOTE}
                <input class="field" node_ref=note maxlength="200" autocomplete="off" />
            </label>
            <label class="panel__filter">
                <input type="checkbox" node_ref=repeats />
                {texts::alerts::REPEAT}
            </label>
            <button
                type="submit"
                class="button button--small button--primary"
                aria-disabled=live(move || shared.channel.bars().map(|_| "true"))
            >
                {texts::alerts::SET}
            </button>
        </form>
        <p class="alerts__refusal" role="alert">
            {live_text(move || answer.get().map(upright).unwrap_or_default())}
        </p>
    }
    .into_any()
}
