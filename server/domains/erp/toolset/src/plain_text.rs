//! Text of the ERP without markup: what outsiders wrote is data, shown short and plain.

/// The text of HTML in one line, at most `most` characters. Tags become spaces, the usual entities
/// become what they stand for, and the content of scripts and styles is left out.
pub(crate) fn plain(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        let inner = &rest[open..];
        let is_tag =
            inner[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
        if !is_tag {
            out.push('<');
            rest = &inner[1..];
            continue;
        }
        if !is_inline(inner) {
            out.push(' ');
        }
        let hidden = ["script", "style"]
            .into_iter()
            .find(|name| opens(inner, name));
        let end = match hidden {
            Some(name) => end_of(inner, name),
            None => inner.find('>').map(|at| at + 1),
        };
        // A tag without an end hides the rest from a browser, so it is no text.
        rest = end.map_or("", |end| &inner[end..]);
    }
    out.push_str(rest);
    shorten(&one_line(&entities(&out)), most)
}

/// The text with at most `most` characters.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn opens(tag: &str, name: &str) -> bool {
    let inner = tag.as_bytes().get(1..=name.len());
    inner.is_some_and(|inner| inner.eq_ignore_ascii_case(name.as_bytes()))
        && !tag[1 + name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// True for a tag within a word or sentence; every other one separates.
fn is_inline(tag: &str) -> bool {
    const INLINE: [&str; 11] = [
        "a", "b", "code", "em", "font", "i", "mark", "small", "span", "strong", "u",
    ];
    let name = tag.trim_start_matches(['<', '/']);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric());
    let name = &name[..end.unwrap_or(name.len())];
    INLINE.iter().any(|it| it.eq_ignore_ascii_case(name))
}

/// The place after the end of an element whose content is not shown.
fn end_of(text: &str, name: &str) -> Option<usize> {
    let end = format!("</{name}");
    // In ASCII lower case a text has the same length.
    let at = text.to_ascii_lowercase().find(&end)?;
    Some(at + text[at..].find('>')? + 1)
}

fn entities(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    // The ampersand last, so that nothing is decoded twice.
    let table = [
        ("&nbsp;", " "),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    let mut out = text.to_owned();
    for (entity, sign) in table {
        out = out.replace(entity, sign);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_dropped_and_text_stays() {
        for (html, expect) in [
            ("plain", "plain"),
            ("<b>Customer</b> is\n mandatory", "Customer is mandatory"),
            ("a <a href=\"/app/x\">SO-1</a>&nbsp;&amp; b", "a SO-1 & b"),
            ("x<script>alert('<b>')</script>y", "x y"),
            ("x<STYLE >p{}</style>y", "x y"),
            ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
            ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
            ("open <img src=x", "open"),
            ("<em>Bikes</em>, <br>North", "Bikes, North"),
            ("<p>one</p><p>two</p>", "one two"),
            ("<scripty>kept</scripty>", "kept"),
        ] {
            assert_eq!(plain(html, 100), expect, "{html}");
        }
        assert_eq!(plain("ööööö", 3), "ööö…");
    }
}
