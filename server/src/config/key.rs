//! The declaration of one key.

use std::borrow::Cow;

use super::{
    example::Declared,
    reader::Reader,
    source::{Setting, Source},
    value::Value,
};

/// A key: its variable, default, type and help are declared here and nowhere else. Reading it, what
/// `jarvis config check` shows, suggestions for wrong names and the example file come from it.
#[must_use = "a key is read at the end, by `or` or `optional`"]
pub(crate) struct Key<'r, 't, T> {
    reader: &'r mut Reader<'t>,
    name: &'static str,
    help: Cow<'static, str>,
    above: &'static str,
    variable: Option<&'static str>,
    flag: Option<(&'static str, T)>,
}

impl<'r, 't, T: Value> Key<'r, 't, T> {
    pub(super) fn new(
        reader: &'r mut Reader<'t>,
        name: &'static str,
        help: Cow<'static, str>,
    ) -> Self {
        Self {
            reader,
            name,
            help,
            above: "",
            variable: None,
            flag: None,
        }
    }

    /// The environment variable, which takes precedence over the file.
    pub(crate) fn env(self, variable: &'static str) -> Self {
        let variable = Some(variable);
        Self { variable, ..self }
    }

    /// The flag, which takes precedence over everything, and its value if it was given.
    pub(crate) fn flag(self, flag: &'static str, value: Option<T>) -> Self {
        let flag = value.map(|value| (flag, value));
        Self { flag, ..self }
    }

    /// A comment above the key in the example file.
    pub(crate) fn under(self, above: &'static str) -> Self {
        Self { above, ..self }
    }

    /// Reads a setting that has a default.
    pub(crate) fn or(mut self, default: T) -> Setting<T> {
        let found = self.found(default.toml().into());
        let setting = found.unwrap_or(Setting {
            value: default,
            source: Source::Default,
        });
        self.show(&setting);
        setting
    }

    /// Reads a setting that may be absent. `example` is a value in TOML, for the example file.
    pub(crate) fn optional(mut self, example: impl Into<Cow<'static, str>>) -> Option<Setting<T>> {
        let setting = self.found(example.into())?;
        self.show(&setting);
        Some(setting)
    }

    fn found(&mut self, value: Cow<'static, str>) -> Option<Setting<T>> {
        self.reader.declare(Declared::Key {
            name: self.name,
            is_secret: T::IS_SECRET,
            variable: self.variable,
            value,
            help: std::mem::take(&mut self.help),
            above: self.above,
        });
        let found = self.reader.value(self.name, self.variable);
        let flag = self.flag.take();
        let flag = flag.map(|(flag, value)| (value, Source::Flag(flag)));
        let (value, source) = flag.or(found)?;
        Some(Setting { value, source })
    }

    fn show(&mut self, setting: &Setting<T>) {
        let source = setting.source.clone();
        self.reader.show(self.name, setting.value.show(), source);
    }
}
