//! A decoder of server-sent events that takes bytes in any pieces, never reconnects and never
//! buffers more than its limit.

use std::borrow::Cow;

/// One event.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SseEvent<'a> {
    /// Empty when the event has no name.
    pub(crate) name: &'a str,
    /// The data lines, joined by newlines. Bytes that are not UTF-8 are replaced.
    pub(crate) data: Cow<'a, str>,
}

/// An event is longer than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream is longer than {limit} bytes")]
pub(crate) struct TooLong {
    pub(crate) limit: usize,
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The decoder. Each byte is read once. Bytes after the last blank line are no event, as the
/// specification says.
#[derive(Debug)]
pub(crate) struct Decoder {
    limit: usize,
    /// The line that has not ended yet.
    line: Vec<u8>,
    name: String,
    data: Vec<u8>,
    has_data: bool,
    /// The last byte was a CR; an LF that follows belongs to it.
    after_cr: bool,
    first_line: bool,
}

impl Decoder {
    /// `limit` bounds the bytes of one event.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            name: String::new(),
            data: Vec::new(),
            has_data: false,
            after_cr: false,
            first_line: true,
        }
    }

    /// Takes the next bytes and passes every event that they complete to `on_event`. After an error
    /// the decoder must not be used again.
    pub(crate) fn push<E: From<TooLong>>(
        &mut self,
        mut bytes: &[u8],
        mut on_event: impl FnMut(SseEvent<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, rest) = bytes.split_at(end);
            bytes = match rest {
                [b'\r', b'\n', rest @ ..] => rest,
                [b'\r'] => {
                    self.after_cr = true;
                    &[]
                }
                [_, rest @ ..] => rest,
                [] => &[],
            };
            self.check(line.len())?;
            if self.line.is_empty() {
                self.end_of_line(line, &mut on_event)?;
            } else {
                let mut whole = std::mem::take(&mut self.line);
                whole.extend_from_slice(line);
                self.end_of_line(&whole, &mut on_event)?;
                whole.clear();
                self.line = whole;
            }
        }
        self.check(bytes.len())?;
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn check(&self, more: usize) -> Result<(), TooLong> {
        if self.data.len() + self.line.len() + more > self.limit {
            return Err(TooLong { limit: self.limit });
        }
        Ok(())
    }

    fn end_of_line<E>(
        &mut self,
        mut line: &[u8],
        on_event: &mut impl FnMut(SseEvent<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if std::mem::take(&mut self.first_line) {
            line = line.strip_prefix(BOM).unwrap_or(line);
        }
        if line.is_empty() {
            let result = if self.has_data {
                on_event(SseEvent {
                    name: &self.name,
                    data: String::from_utf8_lossy(&self.data),
                })
            } else {
                Ok(())
            };
            self.name.clear();
            self.data.clear();
            self.has_data = false;
            return result;
        }
        let (field, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => {
                let value = &line[colon + 1..];
                (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &[][..]),
        };
        match field {
            b"data" => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
                self.has_data = true;
            }
            b"event" => {
                self.name.clear();
                self.name.push_str(&String::from_utf8_lossy(value));
            }
            // Comments, `id` and `retry`: nothing here reconnects.
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
