#![doc = include_str!("../README.md")]

mod answer;
mod cache;
mod catalogue;
mod clock;
mod control;
mod fault;
mod history;
mod ids;
mod pace;
mod planner;
mod prefix;
mod refusal;
mod reply;
mod request;
mod respond;
mod script;
mod server;
mod shared;
mod signature;
mod start;
mod stream;
mod texts;
mod tokens;
mod ttl;
mod validate;

pub use clock::{Clock, ManualClock, SystemClock};
pub use fault::{Fault, InputForm, RetryAfter};
pub use pace::Pace;
pub use planner::{Area, AreaExample, routine};
pub use reply::Block;
pub use script::{Outcome, Script, Scripted, Seen};
pub use start::{Error, Options, Rehearsal, start};

/// Id of the default model.
pub const MODEL: &str = "rehearsal-1";

/// The identifier of the second model.
pub const FAST_MODEL: &str = "rehearsal-fast-1";

/// All available models with their names. The same rules answer for both, but the second one takes
/// half the time.
pub const MODELS: [(&str, &str); 2] = [
    (MODEL, "Rehearsal model"),
    (FAST_MODEL, "Rehearsal model (fast)"),
];
