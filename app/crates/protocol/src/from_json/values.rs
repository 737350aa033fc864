//! Readers for JSON's own types and for containers.

use serde_json::Value;

use super::{FromJson, JsonReader};

impl FromJson for Value {
    fn read_json(json: &mut JsonReader) -> Self {
        json.take_all()
    }
}

impl FromJson for String {
    fn read_json(json: &mut JsonReader) -> Self {
        let Value::String(text) = json.take_all() else {
            json.fail();
            return Self::new();
        };
        text
    }
}

/// Implements [`FromJson`] with an accessor of [`Value`].
macro_rules! plain {
    ($($name:ty: $read:ident),*) => {$(
        impl FromJson for $name {
            fn read_json(json: &mut JsonReader) -> Self {
                let value = json.value().$read();
                json.or_fail(value, Self::default())
            }
        }
    )*};
}

/// Implements [`FromJson`] for integers narrower than `u64`.
macro_rules! small {
    ($($name:ty),*) => {$(
        impl FromJson for $name {
            fn read_json(json: &mut JsonReader) -> Self {
                let number = u64::read_json(json);
                json.or_fail(number.try_into().ok(), 0)
            }
        }
    )*};
}

plain!((): as_null, bool: as_bool, f64: as_f64, i64: as_i64, u64: as_u64);
small!(u32, u8);

impl<T: FromJson> FromJson for Option<T> {
    fn read_json(json: &mut JsonReader) -> Self {
        match json.value() {
            Value::Null => None,
            _ => Some(T::read_json(json)),
        }
    }
}

impl<T: FromJson> FromJson for Box<T> {
    fn read_json(json: &mut JsonReader) -> Self {
        Self::new(T::read_json(json))
    }
}

impl<T: FromJson> FromJson for Vec<T> {
    fn read_json(json: &mut JsonReader) -> Self {
        let mut found = Self::new();
        json.each(&mut |json| found.push(T::read_json(json)));
        found
    }
}

/// Written as `serde` does: an object with one field, `Ok` or `Err`.
impl<T: FromJson, E: FromJson> FromJson for Result<T, E> {
    fn read_json(json: &mut JsonReader) -> Self {
        match json.key(&["Ok", "Err"]) {
            0 => Ok(json.take("Ok")),
            _ => Err(json.take("Err")),
        }
    }
}
