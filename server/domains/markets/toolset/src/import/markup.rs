//! DrawingReader of XML as feeds have it: elements, their nesting and their text. Attributes are skipped, and no
//! entity is defined or fetched, so a file of any content costs no more than its length.
//!
//! There is no crate for this among the dependencies, and a feed needs little of one.

/// Elements within one another.
const DEEPEST: usize = 64;

/// One piece of a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum MarkupPiece {
    /// The beginning of an element, which is on the stack then.
    Open,
    /// The end of the newest element on the stack, which is taken off by the next call.
    Close,
    /// Text, decoded.
    Text(String),
}

/// Reason that a text is no such document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BadMarkup;

/// A document from one piece to the next.
pub(super) struct Markup<'a> {
    rest: &'a str,
    /// The line of the next piece, from 1.
    pub(super) line: u64,
    /// The names of the open elements, outermost first.
    pub(super) stack: Vec<&'a str>,
    /// True after the end of the newest element.
    is_over: bool,
    /// True after an element without content.
    is_empty: bool,
}

impl<'a> Markup<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            rest: text,
            line: 1,
            stack: Vec::new(),
            is_over: false,
            is_empty: false,
        }
    }

    /// The next piece; none at the end.
    ///
    /// # Errors
    /// The text is no document, or defines entities.
    pub(super) fn next(&mut self) -> Result<Option<MarkupPiece>, BadMarkup> {
        if std::mem::take(&mut self.is_over) {
            self.stack.pop();
        }
        if std::mem::take(&mut self.is_empty) {
            self.is_over = true;
            return Ok(Some(MarkupPiece::Close));
        }
        loop {
            let rest = self.rest;
            if rest.is_empty() {
                return if self.stack.is_empty() {
                    Ok(None)
                } else {
                    Err(BadMarkup)
                };
            }
            if let Some(inner) = rest.strip_prefix("<![CDATA[") {
                let length = inner.find("]]>").ok_or(BadMarkup)?;
                let text = inner.get(..length).unwrap_or_default().to_owned();
                self.advance("<![CDATA[".len() + length + "]]>".len());
                return Ok(Some(MarkupPiece::Text(text)));
            }
            if rest.starts_with("<!--") {
                self.skip("-->")?;
            } else if rest.starts_with("<?") {
                self.skip("?>")?;
            } else if rest.starts_with("<!") {
                // One that defines entities has a part in brackets.
                if self.skip(">")?.contains('[') {
                    return Err(BadMarkup);
                }
            } else if rest.starts_with('<') {
                return self.tag().map(Some);
            } else {
                let length = rest.find('<').unwrap_or(rest.len());
                let text = decoded(self.advance(length));
                return Ok(Some(MarkupPiece::Text(text)));
            }
        }
    }

    fn tag(&mut self) -> Result<MarkupPiece, BadMarkup> {
        let length = tag_length(self.rest).ok_or(BadMarkup)?;
        let tag = self.advance(length);
        let inner = tag.strip_prefix('<').and_then(|it| it.strip_suffix('>'));
        let inner = inner.ok_or(BadMarkup)?;
        if let Some(name) = inner.strip_prefix('/') {
            if self.stack.last() != Some(&name.trim()) {
                return Err(BadMarkup);
            }
            self.is_over = true;
            return Ok(MarkupPiece::Close);
        }
        let (inner, is_empty) = match inner.strip_suffix('/') {
            Some(inner) => (inner, true),
            None => (inner, false),
        };
        let name = inner.split_ascii_whitespace().next().ok_or(BadMarkup)?;
        if self.stack.len() == DEEPEST || !inner.starts_with(name) {
            return Err(BadMarkup);
        }
        self.stack.push(name);
        self.is_empty = is_empty;
        Ok(MarkupPiece::Open)
    }

    /// Goes on behind the next `end`. Returns what was skipped.
    fn skip(&mut self, end: &str) -> Result<&'a str, BadMarkup> {
        let length = self.rest.find(end).ok_or(BadMarkup)?;
        Ok(self.advance(length + end.len()))
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.line += taken.bytes().filter(|byte| *byte == b'\n').count() as u64;
        self.rest = rest;
        taken
    }
}

/// The length of a tag. A bracket in the value of an attribute does not end it.
fn tag_length(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at + 1),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// The text with the characters that its references stand for. An unknown reference stays as it is.
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let reference = after.split_once(';').filter(|(name, _)| name.len() <= 8);
        match reference.and_then(|(name, behind)| Some((character(name)?, behind))) {
            Some((character, behind)) => {
                out.push(character);
                rest = behind;
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn character(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces, with the open elements at each.
    fn read(text: &str) -> Result<Vec<String>, BadMarkup> {
        let mut markup = Markup::new(text);
        let mut all = Vec::new();
        while let Some(piece) = markup.next()? {
            let place = markup.stack.join("/");
            all.push(match piece {
                MarkupPiece::Open => format!("+{place}"),
                MarkupPiece::Close => format!("-{place}"),
                MarkupPiece::Text(text) => format!("{place}={text}"),
            });
        }
        Ok(all)
    }

    #[test]
    fn elements_nest_and_their_text_is_decoded() {
        let text = "<?xml version=\"1.0\"?><!DOCTYPE rss><a x='1>2'><!-- <c> -->\
            <b/>1 &lt; 2 &amp;&#x41;&#66; &bogus; &<![CDATA[<i>&amp;]]></a >";
        let expect = [
            "+a",
            "+a/b",
            "-a/b",
            "a=1 < 2 &AB &bogus; &",
            "a=<i>&amp;",
            "-a",
        ];
        assert_eq!(read(text).unwrap(), expect);
    }

    #[test]
    fn no_document_defines_entities_or_ends_early() {
        for text in [
            "<a>",
            "<a></b>",
            "</a>",
            "<a",
            "<a b='>",
            "< a></a>",
            "<>",
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>",
            "<!-- <a/>",
            "<a><![CDATA[</a>",
        ] {
            assert_eq!(read(text), Err(BadMarkup), "{text}");
        }
        let deep = "<a>".repeat(DEEPEST + 1);
        assert_eq!(read(&deep), Err(BadMarkup));
    }
}
