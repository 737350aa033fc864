//! Reading branches.

use crate::{Effect, Family, Fork, ForkWay, struct_from_json};

struct_from_json!(Effect {
    call,
    tool,
    input,
    target,
    tier,
    outcome
});
struct_from_json!(Fork { message, at, ways });
struct_from_json!(ForkWay {
    conversation,
    message
});
struct_from_json!(Family { root, front });
