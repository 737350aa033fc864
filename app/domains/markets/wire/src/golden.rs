//! One golden JSON snapshot per type: a changed snapshot is a changed protocol.
//!
//! Snapshots of released types never change, because old tabs contain them.

mod board;
mod drawing;
mod pages;

use protocol::FromJson;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

protocol::golden_check!("golden/snapshots");

/// Checks that a value with one wrong part is no value to either reader: the one for the browser goes
/// on after a mistake.
#[track_caller]
fn check_damaged<T: Serialize + DeserializeOwned + FromJson>(value: &T) {
    let sound = serde_json::to_value(value).unwrap();
    let mut paths = Vec::new();
    leaves(&sound, "", &mut paths);
    for path in paths {
        for wrong in [json!({}), json!([1]), Value::Null] {
            let mut damaged = sound.clone();
            *damaged.pointer_mut(&path).unwrap() = wrong;
            let by_serde = serde_json::from_value::<T>(damaged.clone()).is_ok();
            let read = T::from_json(damaged.clone()).is_some();
            assert_eq!(read, by_serde, "{path}: {damaged}");
        }
    }
}

/// The JSON pointers of what is neither a list nor an object.
fn leaves(json: &Value, path: &str, found: &mut Vec<String>) {
    match json {
        Value::Object(fields) => {
            for (name, value) in fields {
                leaves(value, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (n, value) in items.iter().enumerate() {
                leaves(value, &format!("{path}/{n}"), found);
            }
        }
        _ => found.push(path.to_owned()),
    }
}

const AT: &str = "2017-07-03T12:00:00Z";
const LATER: &str = "2017-07-04T12:00:00Z";
