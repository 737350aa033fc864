//! Addresses of pages, and the identifiers that they end with: `/field/device/dev_…`.

/// The board of this panel: the toolset of this name has it.
pub(super) const BOARD: &str = "field";
pub(super) const PATH: &str = "/field";
pub(super) const KEYS: &str = "/field/keys";
/// The kinds of things with a page, each with the beginning of its identifiers.
const KINDS: [(&str, &str); 4] = [
    ("dev_", "device"),
    ("bun_", "bundle"),
    ("pro_", "proposal"),
    ("run_", "run"),
];

/// Returns the kind of an identifier: one of the beginnings, and 26 small letters or digits.
pub(super) fn kind(id: &str) -> Option<&'static str> {
    let (_, kind) = KINDS.iter().find(|(start, _)| id.starts_with(start))?;
    let is_plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let rest = id.as_bytes().get(4..)?;
    (rest.len() == 26 && rest.iter().all(is_plain)).then_some(kind)
}

/// Returns the page of an identifier.
pub(super) fn path_of(id: &str) -> Option<String> {
    Some(format!("{PATH}/{}/{id}", kind(id)?))
}

/// Returns the identifier at the end of a page's path.
pub(super) fn id_at(path: &str) -> Option<&str> {
    let (_, id) = path.rsplit_once('/')?;
    (path_of(id)? == path).then_some(id)
}

pub(super) fn page(path: &str) -> Option<String> {
    (path == PATH || path == KEYS || id_at(path).is_some()).then(|| path.to_owned())
}

/// The words for an identifier: its kind and its end.
pub(super) fn label(id: &str) -> String {
    let end = id.get(26..).unwrap_or(id);
    format!("{} …{end}", kind(id).unwrap_or_default())
}
