//! Recorded output of programs (`recordings/`), with points such as `{ip}` in place of what differs
//! between nodes or changes over time.

/// Output of a program with its points filled in.
macro_rules! recorded {
    ($name:literal $(, $point:ident = $value:expr)* $(,)?) => {
        $crate::ssh::recording::fill(
            include_str!(concat!("../../recordings/", $name)),
            &[$((concat!("{", stringify!($point), "}"), $value.to_string())),*],
        )
    };
}

/// A recording of each node, for the node with this name.
macro_rules! recorded_on {
    ($node:expr, $name:literal) => {
        match $node {
            "Home" => include_str!(concat!("../../recordings/Home/", $name)),
            "pve" => include_str!(concat!("../../recordings/pve/", $name)),
            "agent1" => include_str!(concat!("../../recordings/agent1/", $name)),
            _ => include_str!(concat!("../../recordings/agent/", $name)),
        }
    };
}

pub(super) use {recorded, recorded_on};

/// Replaces points by values.
pub(super) fn fill(recording: &str, values: &[(&str, String)]) -> String {
    let whole = recording.to_owned();
    let fill = |text: String, (point, value): &(&str, String)| text.replace(point, value);
    values.iter().fold(whole, fill)
}
