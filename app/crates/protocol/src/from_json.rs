//! JSON reading without `serde`'s generated code, for the browser, where every byte of code is
//! loaded.
//!
//! `Deserialize` is generated anew for every format and every type; here one parser makes a
//! [`Value`], and a [`JsonReader`] takes it apart. The golden tests check that both give the same
//! result.

mod values;

use serde_json::Value;

/// A type that can be read from a JSON value. Derived, it is read as `serde` reads it.
pub trait FromJson: Sized {
    /// Reads the reader's current value. After a mistake the result is arbitrary;
    /// [`Self::from_json`] discards it.
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

/// Returns the index of a word in a list. Shared by all enums, to keep the browser's module small.
pub fn place_of(word: &str, words: &[&str]) -> Option<usize> {
    words.iter().position(|known| *known == word)
}

/// A place in a JSON value: first all of it, then one field or item after the other.
///
/// A mistake does not stop it but is recorded. Returning early would need code at each field to drop
/// the fields before it, which doubles the size.
pub struct JsonReader {
    json: Value,
    /// False once a value was missing or of another type.
    is_sound: bool,
}

/// The index of a word that is not in the list.
const NOWHERE: usize = usize::MAX;

impl JsonReader {
    /// Reads a field, which must be there.
    pub fn take<T: FromJson>(&mut self, name: &str) -> T {
        let outer = self.enter(name);
        let value = T::read_json(self);
        self.json = outer;
        value
    }

    /// Reads a field, or returns `instead` if it is missing.
    pub fn take_or<T: FromJson>(&mut self, name: &str, instead: T) -> T {
        if self.may_have(name) {
            self.take(name)
        } else {
            instead
        }
    }

    /// Returns whether the object has this field. Another value than an object is a mistake:
    /// otherwise a struct with nothing but optional fields could be read from anything.
    fn may_have(&mut self, name: &str) -> bool {
        if !self.json.is_object() {
            self.fail();
        }
        self.has(name)
    }

    /// Makes a field the current value and returns the one that contains it.
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

    /// Records a mistake.
    pub fn fail(&mut self) {
        self.is_sound = false;
    }

    /// Returns the value that was read, or records a mistake and returns `instead`.
    pub fn or_fail<T>(&mut self, read: Option<T>, instead: T) -> T {
        if read.is_none() {
            self.fail();
        }
        read.unwrap_or(instead)
    }

    /// Returns the index of the word in a list.
    pub fn word(&mut self, words: &[&str]) -> usize {
        let place = self.word_or_other(words);
        self.known(place)
    }

    /// Returns the index of the word in a list; `usize::MAX` for an unknown word.
    pub fn word_or_other(&mut self, words: &[&str]) -> usize {
        let Some(word) = self.json.as_str() else {
            self.fail();
            return NOWHERE;
        };
        place_of(word, words).unwrap_or(NOWHERE)
    }

    /// Returns the index of a field's word in a list.
    pub fn tag(&mut self, name: &str, words: &[&str]) -> usize {
        let place = self.tag_or_other(name, words);
        self.known(place)
    }

    /// Records a mistake if the word is in no list.
    fn known(&mut self, place: usize) -> usize {
        if place == NOWHERE {
            self.fail();
        }
        place
    }

    /// Returns the index of a field's word in a list; `usize::MAX` for an unknown word.
    pub fn tag_or_other(&mut self, name: &str, words: &[&str]) -> usize {
        let outer = self.enter(name);
        let place = self.word_or_other(words);
        self.json = outer;
        place
    }

    /// Returns the index of the name of an object's only field.
    pub fn key(&mut self, names: &[&str]) -> usize {
        let fields = self.json.as_object().filter(|fields| fields.len() == 1);
        let name = fields.and_then(|fields| fields.keys().next());
        let place = name.and_then(|name| place_of(name, names));
        self.or_fail(place, NOWHERE)
    }

    /// Reads the next item of a list, which must be there.
    pub fn next<T: FromJson>(&mut self, list: &mut std::vec::IntoIter<Value>) -> T {
        let item = list.next();
        self.json = self.or_fail(item, Value::Null);
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
