//! The panel with the models to choose from and their levels of effort.

use kit::{
    ErrorCard,
    format::{count, upright},
    live, live_text, on,
};
use leptos::{ev, prelude::*};
use protocol::{Effort, ModelChoice, ModelClass, ModelMenu, ModelOption};

use crate::{
    api,
    texts::{common, details as texts},
    words::effort_name,
};

const EFFORTS: [Effort; 5] = [
    Effort::Low,
    Effort::Medium,
    Effort::High,
    Effort::ExtraHigh,
    Effort::Max,
];

/// Requests the list and shows it.
pub(super) fn models(now: Signal<Option<ModelChoice>>, pick: Callback<ModelChoice>) -> AnyView {
    view! {
        <Suspense fallback=|| view! { <p>{common::LOADING}</p> }>
            {move || Suspend::new(async move {
                match api::models().await {
                    Ok(menu) => list(menu, now, pick),
                    Err(error) => view! { <ErrorCard error=error.0 /> }.into_any(),
                }
            })}
        </Suspense>
    }
    .into_any()
}

fn list(menu: ModelMenu, now: Signal<Option<ModelChoice>>, pick: Callback<ModelChoice>) -> AnyView {
    let ModelMenu { models, lack } = menu;
    let with_effort: Vec<String> = models
        .iter()
        .filter(|option| option.efforts)
        .map(|option| option.id.clone())
        .collect();
    let takes = StoredValue::new(with_effort);
    let takes_effort = Memo::new(move |_| {
        let model = now.get().map(|choice| choice.model);
        model.is_some_and(|model| takes.with_value(|takes| takes.contains(&model)))
    });
    let rows: Vec<_> = models
        .into_iter()
        .map(|option| row(option, now, pick))
        .collect();
    let own = effort_row(None, now, pick, takes_effort);
    let efforts = EFFORTS.map(|effort| effort_row(Some(effort), now, pick, takes_effort));
    let note = move || {
        if takes_effort.get() {
            texts::MORE_EFFORT_TAKES_MORE_TIME_AND_TOKENS
        } else {
            texts::THIS_MODEL_HAS_NO_EFFORT_SETTING
        }
    };
    view! {
        <fieldset class="models">
            <legend>{texts::MODEL}</legend>
            {rows}
            {lack.map(|lack| view! { <p class="models__note">{upright(lack)}</p> })}
        </fieldset>
        <fieldset class="models models--efforts">
            <legend>{texts::EFFORT}</legend>
            <div class="models__efforts">{own} {efforts.into_iter().collect_view()}</div>
            <p class="models__note">{live_text(move || note().to_owned())}</p>
        </fieldset>
        <p class="models__note">{texts::CHANGES_APPLY_FROM_YOUR_NEXT_MESSAGE}</p>
    }
    .into_any()
}

fn row(
    option: ModelOption,
    now: Signal<Option<ModelChoice>>,
    pick: Callback<ModelChoice>,
) -> AnyView {
    let class = match option.class {
        Some(ModelClass::Smart) => Some(texts::SMART),
        Some(ModelClass::Fast) => Some(texts::FAST),
        _ => None,
    };
    let usual = option.usual.then_some(texts::USUAL);
    let marks: Vec<_> = [class, usual]
        .into_iter()
        .flatten()
        .map(|mark| view! { <span class="models__mark">{mark}</span> })
        .collect();
    let window = option
        .window
        .map_or(texts::WINDOW_UNKNOWN.to_owned(), |window| {
            texts::tokens_of_context(&count(window))
        });
    let price = option
        .price
        .unwrap_or_else(|| texts::PRICE_UNKNOWN.to_owned());
    let mut facts = format!("{window} · {price}");
    if let Some(note) = option.note {
        facts = format!("{facts} · {}", upright(note));
    }
    let id = option.id.clone();
    let chosen = move || now.get().is_some_and(|choice| choice.model == id);
    let (id, efforts) = (option.id.clone(), option.efforts);
    let choose = move |_: ev::Event| {
        let before = now.get_untracked().and_then(|choice| choice.effort);
        pick.run(ModelChoice {
            model: id.clone(),
            effort: before.filter(|_| efforts),
        });
    };
    let shown = option.name != option.id;
    let id = shown.then(|| view! { <code class="models__id">{upright(option.id.clone())}</code> });
    view! {
        <label class="models__row">
            <input type="radio" name="model" prop:checked=chosen on:change=on(choose) />
            <span class="models__name">{upright(option.name)} {id} {marks}</span>
            <small class="models__facts">{facts}</small>
        </label>
    }
    .into_any()
}

fn effort_row(
    effort: Option<Effort>,
    now: Signal<Option<ModelChoice>>,
    pick: Callback<ModelChoice>,
    takes: Memo<bool>,
) -> AnyView {
    let chosen = move || now.get().is_some_and(|choice| choice.effort == effort);
    let choose = move |_: ev::Event| {
        if let Some(choice) = now.get_untracked() {
            pick.run(ModelChoice { effort, ..choice });
        }
    };
    view! {
        <label class="models__effort">
            <input
                type="radio"
                name="effort"
                prop:checked=chosen
                disabled=live(move || !takes.get() && effort.is_some())
                on:change=on(choose)
            />
            {effort.map_or(texts::USUAL, effort_name)}
        </label>
    }
    .into_any()
}
