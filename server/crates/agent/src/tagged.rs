//! Data in a text for the model, as JSON in a tag that names its source.

use serde_json::Value;

use crate::output::clean_value;

/// The source of a file that came with a message.
pub(crate) const FILE: &str = "file";

/// Data of any length, under the name of its source.
pub(crate) fn tagged(source: &'static str, data: Value) -> String {
    let data = closed(&clean_value(data));
    format!("<context source=\"{source}\">{data}</context>\n")
}

/// A line of tagged data: its tag, its JSON and its end; none for any other line.
pub(crate) fn data_of(line: &str) -> Option<(&str, &str, &str)> {
    let tag = line.strip_prefix("<context source=\"")?.find("\">")?;
    let begin = "<context source=\"".len() + tag + "\">".len();
    let end = line.rfind("</context>").filter(|end| *end >= begin)?;
    let is_last = line[end..].trim_end() == "</context>";
    is_last.then(|| (&line[..begin], &line[begin..end], &line[end..]))
}

/// JSON that cannot close a tag or open another.
pub(crate) fn closed(value: &Value) -> String {
    // In JSON these characters occur only within strings, where an escape means the same.
    value
        .to_string()
        .replace('&', "\\u0026")
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
}
