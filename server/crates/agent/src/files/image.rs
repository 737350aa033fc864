//! The kind of an image by its first bytes: format, width and height. Nothing is decoded.

/// An image, or bytes that begin like one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Image {
    pub(super) kind: &'static str,
    /// Width and height in pixels; none if they are not where its format has them.
    pub(super) size: Option<(u32, u32)>,
}

impl Image {
    /// None if this is the beginning of no image that models read.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let (kind, size) = match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => ("image/png", png(bytes)),
            [0xff, 0xd8, 0xff, ..] => ("image/jpeg", jpeg(bytes)),
            [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => ("image/gif", gif(bytes)),
            [
                b'R',
                b'I',
                b'F',
                b'F',
                _,
                _,
                _,
                _,
                b'W',
                b'E',
                b'B',
                b'P',
                ..,
            ] => ("image/webp", webp(bytes)),
            _ => return None,
        };
        Some(Self { kind, size })
    }
}

fn part<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at + N)?.try_into().ok()
}

fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    let [width, height] = [16, 20].map(|at| part(bytes, at).map(u32::from_be_bytes));
    (part(bytes, 12)? == *b"IHDR").then_some((width?, height?))
}

fn gif(bytes: &[u8]) -> Option<(u32, u32)> {
    let [width, height] = [6, 8].map(|at| part(bytes, at).map(u16::from_le_bytes));
    Some((width?.into(), height?.into()))
}

/// Segments follow each other with their lengths; a frame's header has the size.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let [lead, marker] = part(bytes, at)?;
        if lead != 0xff {
            return None;
        }
        match marker {
            // Filling.
            0xff => at += 1,
            // Markers without a length.
            0x01 | 0xd0..=0xd8 => at += 2,
            // Tables, though they lie among the frames.
            0xc4 | 0xc8 | 0xcc => at += 2 + usize::from(length(bytes, at)?),
            0xc0..=0xcf => {
                let [height, width] = [5, 7].map(|on| part(bytes, at + on).map(u16::from_be_bytes));
                return Some((width?.into(), height?.into()));
            }
            // The picture begins, or has ended, without a frame.
            0xd9 | 0xda => return None,
            _ => at += 2 + usize::from(length(bytes, at)?),
        }
    }
}

fn length(bytes: &[u8], at: usize) -> Option<u16> {
    let length = u16::from_be_bytes(part(bytes, at + 2)?);
    (length >= 2).then_some(length)
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match &part(bytes, 12)? {
        b"VP8 " => {
            let [width, height] = [26, 28].map(|at| part(bytes, at).map(u16::from_le_bytes));
            let side = |side: u16| u32::from(side & 0x3fff);
            (part(bytes, 23)? == [0x9d, 0x01, 0x2a]).then_some((side(width?), side(height?)))
        }
        b"VP8L" => {
            let bits = u32::from_le_bytes(part(bytes, 21)?);
            (bytes.get(20) == Some(&0x2f))
                .then_some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => {
            let side = |at| part(bytes, at).map(|[a, b, c]| u32::from_le_bytes([a, b, c, 0]) + 1);
            Some((side(24)?, side(27)?))
        }
        _ => None,
    }
}
