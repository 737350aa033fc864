//! JSON reading without `serde`'s generated code, for the browser, where every byte of code is
//! loaded.
//!
//! `Deserialize` is generated anew for every format and every type; here one parser makes a
//! [`Value`], and a [`JsonReader`] takes it apart. Both ways read the same, as every golden test
//! checks.

mod values;

use serde_json::Value;

/// A type that can be read from a JSON value. Derived, it is read as `serde` reads it.
pub trait FromJson: Sized {
    /// Reads the value at the reader's place. After a mistake it is any value, which nobody gets
    /// to see.
    fn read_json(json: &mut JsonReader) -> Self;

    /// Returns none if the value has another shape.
    fn from_json(json: Value) -> Option<Self> {
        let mut json = JsonReader {
            json,
            is_sound: true,
        };
        let value = Self::read_json(&mut json);
        json.is_sound.then_some(value)
    }
}

/// Reads a type from JSON text. None if it is not JSON or has another shape.
pub fn from_json_text<T: FromJson>(text: &str) -> Option<T> {
    T::from_json(serde_json::from_str(text).ok()?)
}

/// Returns the place of a word in a list. One function for all enums, for the browser's sake.
pub fn place_of(word: &str, words: &[&str]) -> Option<usize> {
    words.iter().position(|known| *known == word)
}

/// A place in a JSON value: first all of it, then one field or item after the other.
///
/// It goes on after a mistake and remembers it. A reader that leaves at the first mistake has to
/// drop what it has read so far, differently at each field, which is twice the code.
pub struct JsonReader {
    json: Value,
    /// False once a value was missing or of another type.
    is_sound: bool,
}

/// The place of what is in no list.
const NOWHERE: usize = usize::MAX;

impl JsonReader {
    /// Reads a field, which must be there.
    pub fn take<T: FromJson>(&mut self, name: &str) -> T {
        let outer = self.enter(name);
        let value = T::read_json(self);
        self.json = outer;
        value
    }

    /// Reads a field, or returns what stands for a missing one.
    pub fn take_or<T: FromJson>(&mut self, name: &str, instead: T) -> T {
        if self.has(name) {
            self.take(name)
        } else {
            instead
        }
    }

    /// Goes to a field and returns the place that it is in.
    fn enter(&mut self, name: &str) -> Value {
        let field = self.json.get_mut(name).map(Value::take);
        let field = self.or_fail(field, Value::Null);
        std::mem::replace(&mut self.json, field)
    }

    /// Returns whether the value is an object with this field.
    pub fn has(&self, name: &str) -> bool {
        self.json.get(name).is_some()
    }

    /// Takes the value itself.
    pub fn take_all(&mut self) -> Value {
        self.json.take()
    }

    /// Returns the value itself.
    pub fn value(&self) -> &Value {
        &self.json
    }

    /// Remembers a mistake.
    pub fn fail(&mut self) {
        self.is_sound = false;
    }

    /// Returns what was read; without it, remembers the mistake.
    pub fn or_fail<T>(&mut self, read: Option<T>, instead: T) -> T {
        if read.is_none() {
            self.fail();
        }
        read.unwrap_or(instead)
    }

    /// Returns the place of a word among others.
    pub fn word(&mut self, words: &[&str]) -> usize {
        let place = self.word_or_other(words);
        if place == NOWHERE {
            self.fail();
        }
        place
    }

    /// Returns the place of a word among others; any word will do.
    pub fn word_or_other(&mut self, words: &[&str]) -> usize {
        let Some(word) = self.json.as_str() else {
            self.fail();
            return NOWHERE;
        };
        place_of(word, words).unwrap_or(NOWHERE)
    }

    /// Returns the place of a field's word among others.
    pub fn tag(&mut self, name: &str, words: &[&str]) -> usize {
        let outer = self.enter(name);
        let place = self.word(words);
        self.json = outer;
        place
    }

    /// Returns the place of a field's word among others; any word will do.
    pub fn tag_or_other(&mut self, name: &str, words: &[&str]) -> usize {
        let outer = self.enter(name);
        let place = self.word_or_other(words);
        self.json = outer;
        place
    }

    /// Returns the place of an object's only field among others.
    pub fn key(&mut self, names: &[&str]) -> usize {
        let fields = self.json.as_object().filter(|fields| fields.len() == 1);
        let name = fields.and_then(|fields| fields.keys().next());
        let place = name.and_then(|name| place_of(name, names));
        self.or_fail(place, NOWHERE)
    }

    /// Reads the next item of a list, which must be there.
    pub fn next<T: FromJson>(&mut self, list: &mut std::vec::IntoIter<Value>) -> T {
        self.json = list.next().unwrap_or_default();
        T::read_json(self)
    }

    /// Goes to each item of a list. One loop for the lists of all types.
    fn each(&mut self, read: &mut dyn FnMut(&mut Self)) {
        let Value::Array(list) = self.take_all() else {
            self.fail();
            return;
        };
        for json in list {
            self.json = json;
            read(self);
        }
    }
}
