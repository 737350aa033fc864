//! Sentences of notices.

pub(crate) fn device(name: &str) -> String {
    format!("device {name}")
}

pub(crate) fn run(id: &str) -> String {
    format!("run {id}")
}

pub(crate) fn silent(name: &str, seen: &str) -> String {
    format!("{name} has not been heard of since {seen}.")
}

pub(crate) fn run_unknown(title: &str) -> String {
    format!("Nobody knows whether “{title}” took effect: find out, and say so on its page.")
}
