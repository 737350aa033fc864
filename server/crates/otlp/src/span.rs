//! Spans and their ids.

use sha2::{Digest, Sha256};

/// The id of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TraceId(pub(crate) [u8; 16]);

/// The id of a span within its trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpanId(pub(crate) [u8; 8]);

impl TraceId {
    /// The id that belongs to these names, in this process and in any other.
    pub fn of(names: &[&str]) -> Self {
        Self(derived(b'T', names))
    }
}

impl SpanId {
    /// The id that belongs to these names, in this process and in any other.
    pub fn of(names: &[&str]) -> Self {
        Self(derived(b'S', names))
    }
}

/// The beginning of a hash.
fn derived<const N: usize>(kind: u8, names: &[&str]) -> [u8; N] {
    let mut hash = Sha256::new();
    hash.update([kind]);
    for name in names {
        // With its length, so that no two lists of names are the same bytes.
        hash.update((name.len() as u64).to_be_bytes());
        hash.update(name.as_bytes());
    }
    let hash = hash.finalize();
    let mut id = [0; N];
    for (byte, from) in id.iter_mut().zip(hash.iter()) {
        *byte = *from;
    }
    id
}

/// The place of a span, for links to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanContext {
    pub trace: TraceId,
    pub span: SpanId,
}

/// The part that a span plays between processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    Internal,
    Server,
    Client,
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq)]
pub enum AttributeValue {
    Text(String),
    Texts(Vec<String>),
    Whole(i64),
    Fraction(f64),
}

impl From<&str> for AttributeValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for AttributeValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// A count; one that no signed number holds is the highest.
impl From<u64> for AttributeValue {
    fn from(count: u64) -> Self {
        Self::Whole(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

/// A finished span.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedSpan {
    pub context: SpanContext,
    pub parent: Option<SpanId>,
    pub name: String,
    pub kind: SpanKind,
    /// Nanoseconds since 1970.
    pub start: u64,
    pub end: u64,
    pub attributes: Vec<(&'static str, AttributeValue)>,
    /// Spans that it follows without being part of them.
    pub links: Vec<SpanContext>,
    pub failed: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_of_their_names_alone() {
        assert_eq!(TraceId::of(&["job-17"]), TraceId::of(&["job-17"]));
        assert_eq!(SpanId::of(&["a", "b"]), SpanId::of(&["a", "b"]));
        assert_ne!(SpanId::of(&["a", "b"]), SpanId::of(&["ab"]));
        assert_ne!(SpanId::of(&["a", ""]), SpanId::of(&["", "a"]));
        assert_ne!(TraceId::of(&["a"]).0[..8], SpanId::of(&["a"]).0);
    }
}
