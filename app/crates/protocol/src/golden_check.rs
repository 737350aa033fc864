//! The check of golden tests, for every crate of wire types.

use serde_json::{Value, json};

/// Defines `check(name, value)`, which compares a value with its snapshot in a folder, and the
/// results of both readers with the value; of damaged JSON, the results with each other.
///
/// A macro, because it needs `insta`: so neither this crate nor one of its features has to depend
/// on that.
#[macro_export]
macro_rules! golden_check {
    ($snapshots:literal) => {
        #[track_caller]
        fn check<T>(name: &str, value: &T)
        where
            T: ::serde::Serialize
                + ::serde::de::DeserializeOwned
                + $crate::FromJson
                + ::std::cmp::PartialEq
                + ::std::fmt::Debug,
        {
            let json = ::serde_json::to_value(value).unwrap();
            ::insta::with_settings!({
                prepend_module_to_snapshot => false,
                omit_expression => true,
                snapshot_path => $snapshots,
            }, {
                ::insta::assert_json_snapshot!(name, &json);
            });
            let text = ::serde_json::to_string(value).unwrap();
            assert_eq!(&::serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
            for damaged in $crate::damaged(&json) {
                let text = damaged.to_string();
                let by_serde = ::serde_json::from_str::<T>(&text).ok();
                assert_eq!(T::from_json(damaged), by_serde, "without serde: {text}");
            }
            assert_eq!(
                T::from_json(json).as_ref(),
                Some(value),
                "without serde: {text}"
            );
        }
    };
}

/// Returns the value with one wrong part each: another value in place of a leaf, or a field that is
/// missing.
#[doc(hidden)]
pub fn damaged(sound: &Value) -> Vec<Value> {
    let mut places = Vec::new();
    each_place(sound, "", &mut places);
    let mut all = Vec::new();
    for place in places {
        let wrong = [json!({}), json!([1]), json!("?"), json!(-0.5), Value::Null];
        for wrong in wrong {
            let mut damaged = sound.clone();
            if let Some(part) = damaged.pointer_mut(&place)
                && !part.is_object()
                && !part.is_array()
            {
                *part = wrong;
                all.push(damaged);
            }
        }
        let mut damaged = sound.clone();
        if let Some((outer, name)) = place.rsplit_once('/')
            && let Some(Value::Object(fields)) = damaged.pointer_mut(outer)
        {
            fields.shift_remove(name);
            all.push(damaged);
        }
    }
    all
}

/// Adds the JSON pointers of everything inside a value.
fn each_place(json: &Value, at: &str, places: &mut Vec<String>) {
    let inner: Vec<_> = match json {
        Value::Object(fields) => fields.iter().map(|(name, it)| (name.clone(), it)).collect(),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.map(|(n, item)| (n.to_string(), item)).collect()
        }
        _ => Vec::new(),
    };
    for (name, inner) in inner {
        let at = format!("{at}/{name}");
        each_place(inner, &at, places);
        places.push(at);
    }
}
