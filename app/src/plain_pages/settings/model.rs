//! The page of the model, for admins: the choice, its limits, a connection test, and a check.

use leptos::prelude::*;

use super::{SettingsPage, Tab, history::SettingsHistory};
use crate::plain_pages::texts;

const PATH: &str = "/settings/model";

pub struct ModelPage {
    pub model: ModelField,
    pub numbers: Vec<NumberField>,
    /// The source of the API key, in words; none without a key.
    pub key: Option<String>,
    pub fixed: FixedSettings,
    /// The results of a check; empty if none was asked for.
    pub trials: Vec<CheckedTrial>,
    pub history: SettingsHistory,
}

/// The result of one question to the model.
pub struct CheckedTrial {
    /// The subject of the question.
    pub name: &'static str,
    pub finding: String,
}

/// A value of the configuration.
pub struct ConfiguredValue {
    pub value: String,
    /// In words; none for the default.
    pub source: Option<String>,
}

/// The field of the model for new conversations.
pub struct ModelField {
    /// The name of the form's field.
    pub key: &'static str,
    /// The model without any stored choice.
    pub base: String,
    /// True for the built-in stand-in: it is the only model there is.
    pub rehearsal: bool,
    /// The environment variable that sets it.
    pub variable: Option<String>,
    pub configured: Option<ConfiguredValue>,
    /// The stored choice.
    pub own: Option<String>,
}

/// The field of a number that can be changed.
pub struct NumberField {
    /// The name of the form's field.
    pub key: &'static str,
    pub label: &'static str,
    pub unit: &'static str,
    pub least: u32,
    pub most: u32,
    /// The environment variable that sets it.
    pub variable: Option<String>,
    pub configured: Option<ConfiguredValue>,
    /// The stored number.
    pub own: Option<u32>,
}

/// Settings that only the configuration can change.
pub struct FixedSettings {
    pub offered: Option<ConfiguredValue>,
    pub base_url: Option<ConfiguredValue>,
    pub auth: Option<ConfiguredValue>,
    pub profile: Option<ConfiguredValue>,
    pub idle_seconds: Option<ConfiguredValue>,
}

impl SettingsPage for ModelPage {
    const TAB: Tab = Tab::Model;
    const SAVED: &'static str = texts::model::SAVED;

    fn view(self) -> AnyView {
        let numbers: Vec<_> = self.numbers.into_iter().map(number_field).collect();
        let key = match self.key {
            Some(source) => texts::model::set_from(&source),
            None => texts::model::NOT_SET.to_owned(),
        };
        view! {
            <section>
                <h2>{texts::model::CHANGEABLE}</h2>
                <p>{texts::model::LEAD}</p>
                <form method="post" action=PATH class="plain-form plain-form--wide">
                    <input type="hidden" name="do" value="save" />
                    <input type="hidden" name="version" value=self.history.newest.to_string() />
                    {model_field(self.model)}
                    {numbers}
                    <button type="submit" class="button button--primary">
                        {texts::SAVE}
                    </button>
                </form>
            </section>
            <section>
                <h2>{texts::model::FROM_CONFIGURATION}</h2>
                <p>{texts::model::CHANGE_AND_RESTART}</p>
                <ul class="plain-list">{line(texts::model::API_KEY, key)} {fixed(self.fixed)}</ul>
                {trial("test", texts::model::TEST, texts::model::TEST_MEANS)}
                {trial("check", texts::model::CHECK, texts::model::CHECK_MEANS)}
                {trials(self.trials)}
            </section>
            {changes(&self.history)}
        }
        .into_any()
    }
}

/// Draws the button of something that is tried, and what it means.
fn trial(act: &'static str, name: &'static str, means: &'static str) -> AnyView {
    view! {
        <form method="post" action=PATH class="plain-row">
            <input type="hidden" name="do" value=act />
            <button type="submit" class="button">
                {name}
            </button>
            <span>{means}</span>
        </form>
    }
    .into_any()
}

/// Describes the value in the configuration, and its source.
pub(super) fn told(configured: Option<&ConfiguredValue>) -> String {
    let Some(ConfiguredValue { value, source }) = configured else {
        return texts::model::NOT_SET.to_owned();
    };
    let value = if value.is_empty() {
        texts::model::EMPTY
    } else {
        value
    };
    match source {
        None => texts::model::the_default(value),
        Some(source) => texts::model::value_from(value, source),
    }
}

fn model_field(field: ModelField) -> AnyView {
    let ModelField {
        key,
        base,
        rehearsal,
        variable,
        configured,
        own,
    } = field;
    let (value, note) = match variable {
        _ if rehearsal => (Some(base.clone()), texts::model::REHEARSAL.to_owned()),
        Some(name) => (Some(base.clone()), texts::model::set_by(&name)),
        None => {
            let told = match &configured {
                Some(configured) => told(Some(configured)),
                None => texts::model::the_default(&base),
            };
            (None, texts::model::configuration_says(&told))
        }
    };
    let fixed = value.is_some();
    let value = value.or(own).unwrap_or_default();
    view! {
        <label>
            <span>{texts::model::MODEL_OF_NEW}</span>
            <input
                name=key
                value=value
                placeholder=base
                maxlength="128"
                autocomplete="off"
                disabled=fixed
            />
            <small>{note}</small>
        </label>
    }
    .into_any()
}

fn number_field(field: NumberField) -> AnyView {
    let told = told(field.configured.as_ref());
    let base = field.configured.map(|configured| configured.value);
    let base = base.unwrap_or_default();
    let fixed = field.variable.is_some();
    let (value, note) = match field.variable {
        Some(name) => (base.clone(), texts::model::set_by(&name)),
        None => (
            field.own.map(|own| own.to_string()).unwrap_or_default(),
            texts::model::configuration_says(&told),
        ),
    };
    view! {
        <label>
            <span>{texts::model::number_in(field.label, field.unit)}</span>
            <input
                type="number"
                name=field.key
                value=value
                min=field.least.to_string()
                max=field.most.to_string()
                placeholder=base
                disabled=fixed
            />
            <small>{note}</small>
        </label>
    }
    .into_any()
}

fn fixed(settings: FixedSettings) -> Vec<AnyView> {
    let rows = [
        (texts::model::AVAILABLE_MODELS, settings.offered),
        (texts::model::ADDRESS, settings.base_url),
        (texts::model::API_KEY_HEADER, settings.auth),
        (texts::model::SERVER_KIND, settings.profile),
        (texts::model::LONGEST_PAUSE, settings.idle_seconds),
    ];
    let rows = rows.into_iter();
    rows.map(|(label, configured)| line(label, told(configured.as_ref())))
        .collect()
}

fn trials(trials: Vec<CheckedTrial>) -> Option<AnyView> {
    if trials.is_empty() {
        return None;
    }
    let rows = trials.into_iter();
    let rows: Vec<_> = rows.map(|trial| line(trial.name, trial.finding)).collect();
    Some(view! { <ul class="plain-list">{rows}</ul> }.into_any())
}

fn line(label: &'static str, text: String) -> AnyView {
    view! {
        <li>
            <span>{label}</span>
            <span>{text}</span>
        </li>
    }
    .into_any()
}

fn changes(history: &SettingsHistory) -> Option<AnyView> {
    if history.versions.is_empty() {
        return None;
    }
    let back = |to: u64| {
        view! {
            <form method="post" action=PATH>
                <input type="hidden" name="do" value="back" />
                <input type="hidden" name="version" value=history.newest.to_string() />
                <input type="hidden" name="to" value=to.to_string() />
                <button type="submit" class="button button--small">
                    {texts::RESTORE_VERSION}
                </button>
            </form>
        }
        .into_any()
    };
    Some(history.section(back, true))
}
