//! A reader of JSON that costs the browser little: it goes on after a mistake and remembers it.
//!
//! A reader that leaves at the first mistake has to drop what it has read so far, differently at
//! each field. For the types of this crate that was twice the code.

use protocol::FromJson;
use serde_json::Value;

/// A place in a JSON value: first all of it, then one field or item after the other.
pub(crate) struct Fields {
    json: Value,
    /// False once a value was missing or of another type.
    is_sound: bool,
}

/// A type that is read from the place of [`Fields`].
pub(crate) trait Read {
    /// Reads the value. After a mistake it is any value, which nobody gets to see.
    fn read(fields: &mut Fields) -> Self;
}

/// Reads a whole value. None if it has another shape.
pub(crate) fn whole<T: Read>(json: Value) -> Option<T> {
    let mut fields = Fields {
        json,
        is_sound: true,
    };
    let value = T::read(&mut fields);
    fields.is_sound.then_some(value)
}

/// Implements [`Read`] for a struct, field by field.
macro_rules! struct_read {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::fields::Read for $name {
            fn read(fields: &mut $crate::fields::Fields) -> Self {
                Self {
                    $($field: fields.take(stringify!($field)),)*
                }
            }
        }
    };
}

pub(crate) use struct_read;

/// Returns the place of a word in a list. One function for all enums, for the browser's sake.
pub(crate) fn place(names: &[&str], word: &str) -> Option<usize> {
    names.iter().position(|name| *name == word)
}

impl Fields {
    /// Reads a field.
    pub(crate) fn take<T: Read>(&mut self, name: &str) -> T {
        let outer = self.enter(name);
        let value = T::read(self);
        self.json = outer;
        value
    }

    fn enter(&mut self, name: &str) -> Value {
        let field = self.json.get_mut(name).map(Value::take);
        std::mem::replace(&mut self.json, field.unwrap_or_default())
    }

    /// Reads the next item of a list.
    pub(crate) fn next<T: Read>(&mut self, list: &mut std::vec::IntoIter<Value>) -> T {
        self.json = list.next().unwrap_or_default();
        T::read(self)
    }

    /// Takes the value itself.
    pub(crate) fn all(&mut self) -> Value {
        self.json.take()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.json.get(name).is_some()
    }

    /// Remembers a mistake.
    pub(crate) fn fail(&mut self) {
        self.is_sound = false;
    }

    /// Returns what was read; without it, remembers the mistake.
    pub(crate) fn or_fail<T: Default>(&mut self, read: Option<T>) -> T {
        if read.is_none() {
            self.fail();
        }
        read.unwrap_or_default()
    }

    /// Returns the place of a word among others.
    pub(crate) fn word(&mut self, names: &[&str]) -> usize {
        let word = self.json.as_str();
        let found = word.and_then(|word| place(names, word));
        self.or_fail(found)
    }

    /// Goes to each item of a list. One loop for the lists of all types.
    fn each(&mut self, read: &mut dyn FnMut(&mut Self)) {
        match self.all() {
            Value::Array(list) => {
                for json in list {
                    self.json = json;
                    read(self);
                }
            }
            // An omitted list is empty.
            Value::Null => {}
            _ => self.fail(),
        }
    }
}

impl Read for Value {
    fn read(fields: &mut Fields) -> Self {
        fields.all()
    }
}

impl Read for String {
    fn read(fields: &mut Fields) -> Self {
        let text = Self::from_json(fields.all());
        fields.or_fail(text)
    }
}

/// Implements [`Read`] for what a JSON value itself can be read as.
macro_rules! read_plain {
    ($($name:ty: $as:ident),* $(,)?) => {$(
        impl Read for $name {
            fn read(fields: &mut Fields) -> Self {
                let value = fields.json.$as();
                fields.or_fail(value)
            }
        }
    )*};
}

/// Implements [`Read`] for whole numbers that are smaller than JSON's.
macro_rules! read_small {
    ($($name:ty),*) => {$(
        impl Read for $name {
            fn read(fields: &mut Fields) -> Self {
                let number = u64::read(fields);
                fields.or_fail(number.try_into().ok())
            }
        }
    )*};
}

read_plain!(bool: as_bool, f64: as_f64, i64: as_i64, u64: as_u64);
read_small!(u32, u8);

impl<T: Read> Read for Option<T> {
    fn read(fields: &mut Fields) -> Self {
        match fields.json {
            Value::Null => None,
            _ => Some(T::read(fields)),
        }
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(fields: &mut Fields) -> Self {
        let mut found = Self::new();
        fields.each(&mut |fields| found.push(T::read(fields)));
        found
    }
}
