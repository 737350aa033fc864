//! The check of golden tests, for every crate of wire types.

use serde_json::{Value, json};

/// Defines `check(name, value)`. It compares the value with its snapshot, checks that both readers
/// return the value, and that they agree on damaged copies of it.
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

/// Returns copies of the value with one error each: a part replaced by another value, or a field
/// removed.
#[doc(hidden)]
pub fn damaged(sound: &Value) -> Vec<Value> {
    let mut places = vec![String::new()];
    each_place(sound, "", &mut places);
    let mut all = Vec::new();
    for place in places {
        for wrong in [json!({}), json!([1]), json!("?"), json!(-0.5), Value::Null] {
            let mut damaged = sound.clone();
            let Some(part) = damaged.pointer_mut(&place) else {
                continue;
            };
            // serde also reads a struct from a list of its fields; the browser does not.
            if part.is_object() && wrong.is_array() {
                continue;
            }
            *part = wrong;
            all.push(damaged);
        }
        let mut damaged = sound.clone();
        if let Some((outer, name)) = place.rsplit_once('/')
            && let Some(Value::Object(fields)) = damaged.pointer_mut(outer)
        {
            fields.shift_remove(&name.replace("~1", "/").replace("~0", "~"));
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
        let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        each_place(inner, &at, places);
        places.push(at);
    }
}
