//! Bodies of forms with files: `multipart/form-data`.

/// A field of a form, or a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UploadPart {
    pub name: String,
    /// Present for files.
    pub file_name: Option<String>,
    pub bytes: Vec<u8>,
}

/// The parts of a body, up to the first that is malformed; `None` if the body is of another type.
pub(super) fn parts(content_type: &str, body: &[u8]) -> Option<Vec<UploadPart>> {
    let parameters = content_type.trim().strip_prefix("multipart/form-data")?;
    let (_, boundary) = parameters.split_once("boundary=")?;
    let boundary = boundary.split(';').next().unwrap_or_default();
    let delimiter = format!("\r\n--{}", boundary.trim().trim_matches('"'));
    let delimiter = delimiter.as_bytes();
    let mut found = Vec::new();
    // The first delimiter may open the body.
    let mut rest = match body.strip_prefix(&delimiter[2..]) {
        Some(rest) => rest,
        None => after(body, delimiter).unwrap_or_default().1,
    };
    while let Some(part) = rest.strip_prefix(b"\r\n") {
        let Some((part, next)) = after(part, delimiter) else {
            break;
        };
        let Some(part) = after(part, b"\r\n\r\n").and_then(|(head, bytes)| read(head, bytes))
        else {
            break;
        };
        found.push(part);
        rest = next;
    }
    Some(found)
}

/// Splits at the first occurrence.
fn after<'a>(bytes: &'a [u8], what: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    let at = bytes.windows(what.len()).position(|it| it == what)?;
    Some((bytes.get(..at)?, bytes.get(at + what.len()..)?))
}

fn read(head: &[u8], bytes: &[u8]) -> Option<UploadPart> {
    let head = String::from_utf8_lossy(head);
    let line = head.lines().find(|line| {
        let name = line.split(':').next().unwrap_or_default();
        name.eq_ignore_ascii_case("content-disposition")
    })?;
    // Quotation marks inside of names come as `%22`.
    let parameter = |name: &str| {
        let (_, value) = line.split_once(&format!("; {name}=\""))?;
        let value = value.split('"').next().unwrap_or_default();
        Some(value.replace("%22", "\""))
    };
    Some(UploadPart {
        name: parameter("name")?,
        file_name: parameter("filename"),
        bytes: bytes.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=\"xx\"";

    #[test]
    fn parts_of_a_form() {
        let body = b"--xx\r\nContent-Disposition: form-data; name=\"doctype\"\r\n\r\nItem\r\n\
            --xx\r\nContent-Type: image/png\r\ncontent-disposition: form-data; name=\"file\"; \
            filename=\"a%22;b.png\"\r\n\r\n\0\xff\r\n-xx\r\n\r\n\r\n--xx--\r\n";
        let part = |name: &str, file: Option<&str>, bytes: &[u8]| UploadPart {
            name: name.to_owned(),
            file_name: file.map(str::to_owned),
            bytes: bytes.to_vec(),
        };
        let expected = [
            part("doctype", None, b"Item"),
            part("file", Some("a\";b.png"), b"\0\xff\r\n-xx\r\n\r\n"),
        ];
        assert_eq!(parts(TYPE, body).unwrap(), expected);
        let preamble = [b"any words\r\n", &body[..]].concat();
        assert_eq!(parts(TYPE, &preamble).unwrap(), expected);
    }

    #[test]
    fn bodies_that_end_early_or_are_none() {
        let whole = b"--xx\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--xx--";
        for (end, count) in [
            (whole.len(), 1),
            (whole.len() - 6, 0),
            (12, 0),
            (3, 0),
            (0, 0),
        ] {
            assert_eq!(parts(TYPE, &whole[..end]).unwrap().len(), count, "{end}");
        }
        assert_eq!(parts("application/json", whole), None);
        assert_eq!(parts("multipart/form-data", whole), None);
    }
}
