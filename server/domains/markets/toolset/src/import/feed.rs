//! Headlines of RSS (0.9 to 2.0) and Atom feeds, as a file. Of an entry the title, the time and the
//! identifier are read; its source is the title of the feed.

use std::io::{BufRead, Read};

use jiff::{Timestamp, fmt::rfc2822::DateTimeParser};

use super::{
    ImportCode, ImportError,
    headlines::{NAME, TEXT, fingerprint},
    markup::{Markup, MarkupPiece},
};
use crate::{Headline, Time, texts};

/// Limit on a file in bytes.
const LARGEST: u64 = 8 * 1024 * 1024;

/// RFC 2822, also with a weekday that is not that of the date: some feeds err there.
const DATES: DateTimeParser = DateTimeParser::new().relaxed_weekday(true);

/// An entry whose end was not read yet.
#[derive(Default)]
struct SyndicatedHeadline {
    line: u64,
    /// Number of open elements, with its own.
    depth: usize,
    title: String,
    id: String,
    /// Text of its time of publication, and of its last change, which counts if there is none of the former.
    published: String,
    updated: String,
}

/// The headlines of a feed, in its order.
///
/// # Errors
/// The file cannot be read, is no feed, or an entry of it lacks a title or a time.
pub(super) fn headlines(input: impl BufRead) -> Result<Vec<Headline>, ImportError> {
    let mut bytes = Vec::new();
    let wrong = |code, message: String| ImportError::new(1, code, message);
    let read = input.take(LARGEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| wrong(ImportCode::Io, texts::imports::file_cannot_be_read(&error)))?;
    if bytes.len() as u64 > LARGEST {
        let message = texts::imports::feed_is_larger_than(LARGEST);
        return Err(wrong(ImportCode::Syntax, message));
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        let message = texts::imports::TEXT_IS_NOT_UTF_8.to_owned();
        wrong(ImportCode::Syntax, message)
    })?;
    of_text(text.trim_start_matches('\u{feff}'))
}

fn of_text(text: &str) -> Result<Vec<Headline>, ImportError> {
    let mut markup = Markup::new(text);
    let mut source = String::new();
    let mut entry: Option<SyndicatedHeadline> = None;
    let mut entries = Vec::new();
    let mut is_feed = false;
    loop {
        let line = markup.line;
        let piece = markup.next().map_err(|_| {
            let message = texts::imports::FEED_IS_NOT_READABLE.to_owned();
            ImportError::new(markup.line, ImportCode::Syntax, message)
        })?;
        let stack = &markup.stack[..];
        match piece {
            None => break,
            Some(MarkupPiece::Open) => {
                if let [root] = stack {
                    is_feed |= matches!(*root, "rss" | "feed" | "rdf:RDF");
                }
                if is_feed && entry.is_none() && is_entry(stack) {
                    entry = Some(SyndicatedHeadline {
                        line,
                        depth: stack.len(),
                        ..SyndicatedHeadline::default()
                    });
                }
            }
            Some(MarkupPiece::Text(text)) => match &mut entry {
                Some(entry) => {
                    if let Some(part) = entry.part(stack) {
                        part.push_str(&text);
                    }
                }
                None if matches!(stack, [.., "channel" | "feed", "title"]) => {
                    source.push_str(&text);
                }
                None => {}
            },
            Some(MarkupPiece::Close) => {
                if let Some(whole) = entry.take_if(|entry| entry.depth == stack.len()) {
                    entries.push(whole);
                }
            }
        }
    }
    if !is_feed {
        let message = texts::imports::FEED_IS_NOT_READABLE.to_owned();
        return Err(ImportError::new(1, ImportCode::Syntax, message));
    }
    let source = shortened(&source, NAME);
    entries
        .iter()
        .map(|entry| entry.headline(&source))
        .collect()
}

/// True if the newest open element is an entry of a feed.
fn is_entry(stack: &[&str]) -> bool {
    matches!(
        stack,
        [.., "channel" | "rdf:RDF", "item"] | [.., "feed", "entry"]
    )
}

impl SyndicatedHeadline {
    /// The field that the text within these elements belongs to. A title may have elements within it.
    fn part(&mut self, stack: &[&str]) -> Option<&mut String> {
        match *stack.get(self.depth)? {
            "title" => Some(&mut self.title),
            "guid" | "id" => Some(&mut self.id),
            "pubDate" | "dc:date" | "published" => Some(&mut self.published),
            "updated" => Some(&mut self.updated),
            _ => None,
        }
    }

    fn headline(&self, source: &str) -> Result<Headline, ImportError> {
        let wrong = |code, message: String| ImportError::new(self.line, code, message);
        let told = match self.published.trim() {
            "" => self.updated.trim(),
            published => published,
        };
        if told.is_empty() {
            let message = texts::imports::ENTRY_HAS_NO_TIME.to_owned();
            return Err(wrong(ImportCode::Time, message));
        }
        let published_at = time(told).ok_or_else(|| {
            wrong(
                ImportCode::Time,
                texts::imports::is_no_time(&shortened(told, NAME)),
            )
        })?;
        let text = shortened(&self.title, TEXT);
        let id = match self.id.trim() {
            "" => String::new(),
            // Identifiers are addresses of any length, or numbers that are unique in one feed only.
            id => format!("{:016x}", fingerprint(&format!("{source}\n{id}"))),
        };
        let headline = Headline {
            id,
            published_at,
            source: source.to_owned(),
            text,
            currencies: Vec::new(),
            synthetic: false,
        };
        super::headlines::checked(headline).map_err(|message| wrong(ImportCode::Word, message))
    }
}

/// The text on one line, cut to at most `most` characters.
fn shortened(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let kept: String = line.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// A time of RFC 2822, as RSS has it, or of RFC 3339, as Atom has it, with any offset.
fn time(text: &str) -> Option<Time> {
    let read = DATES
        .parse_timestamp(text)
        .or_else(|_| text.parse::<Timestamp>());
    // The same bounds as those of every other time.
    Time::parse(&Time(read.ok()?.as_second()).to_string()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RSS: &str = "\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <rss version=\"2.0\" xmlns:media=\"m\"><channel><title>A Wire</title>\n\
        <image><title>Logo</title></image>\n\
        <item><title>\n  Euro &amp; dollar\n steady </title><guid isPermaLink=\"false\">7</guid>\n\
        <media:content><media:title>Picture</media:title></media:content>\n\
        <pubDate>Mon, 23 Nov 2026 11:15:00 +0100</pubDate></item>\n\
        <item><title><![CDATA[Yen < 150]]></title><pubDate>Sun, 23 Nov 2026 10:16 GMT</pubDate></item>\n\
        </channel></rss>\n";

    const ATOM: &str = "<feed xmlns=\"a\"><title type=\"text\">A Wire</title>\
        <entry><title type=\"xhtml\"><div>Euro &amp; <b>dollar</b> steady</div></title><id>7</id>\
        <source><title>Another</title><id>9</id></source><updated>2026-11-24T00:00:00Z</updated>\
        <published>2026-11-23T11:15:00.25+01:00</published></entry>\
        <entry><title>Yen &lt; 150</title><updated>2026-11-23T10:16:00Z</updated><link href='/'/></entry>\
        </feed>";

    fn read(text: &str) -> Result<Vec<Headline>, String> {
        headlines(text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn both_kinds_of_feeds_are_the_same_headlines() {
        let rss = read(RSS).unwrap();
        assert_eq!(read(ATOM).unwrap(), rss);
        let told: Vec<_> = rss
            .iter()
            .map(|it| (it.published_at.to_string(), &it.text[..], &it.source[..]))
            .collect();
        let expect = [
            (
                "2026-11-23T10:15:00Z".to_owned(),
                "Euro & dollar steady",
                "A Wire",
            ),
            ("2026-11-23T10:16:00Z".to_owned(), "Yen < 150", "A Wire"),
        ];
        assert_eq!(told, expect);
        // An entry that is told again with another title is the same one.
        let again = read(&RSS.replace("steady", "fall")).unwrap();
        assert_eq!(again[0].id, rss[0].id);
        assert_ne!(again[0].text, rss[0].text);
        let rdf = "<rdf:RDF><channel><title>A Wire</title></channel><item><title>Yen &lt; 150</title>\
            <dc:date>2026-11-23T10:16:00+00:00</dc:date></item></rdf:RDF>";
        assert_eq!(read(rdf).unwrap(), rss[1..]);
    }

    #[test]
    fn what_is_no_feed_is_refused_and_long_titles_are_cut() {
        for (text, expect) in [
            (
                RSS.replace("Mon, 23 Nov 2026 11:15:00 +0100", ""),
                "line 4: ",
            ),
            (RSS.replace("10:16 GMT", "noon"), "(time)"),
            (
                RSS.replace("Euro &amp; dollar\n steady", ""),
                "line 4: text is empty (word)",
            ),
            (
                RSS.replace("steady", "&#7;"),
                "text has control characters (word)",
            ),
            (RSS.replace("</channel>", ""), "(syntax)"),
            (ATOM.replace("feed", "html"), "line 1: "),
            (
                "<!DOCTYPE feed [<!ENTITY a 'b'>]>".to_owned() + ATOM,
                "(syntax)",
            ),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(expect), "{error}");
        }
        let long = read(&RSS.replace("steady", &"a".repeat(9_000))).unwrap();
        assert_eq!(long[0].text.chars().count(), TEXT);
    }
}
