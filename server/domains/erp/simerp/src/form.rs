//! Forms in which a proxy before the site may send the body of an answer.

/// The longest stored block of gzip, in bytes.
const STORED: usize = 65_535;

/// The form of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BodyForm {
    /// Whole, with its length.
    #[default]
    Plain,
    /// In many small chunks, without a length.
    Chunked,
    /// As gzip, whether or not the client asked for it.
    Gzip,
}

/// A text as gzip. Its blocks are stored as they are: a reader cannot tell.
pub(crate) fn gzip(text: &[u8]) -> Vec<u8> {
    // Deflate, no flags, no time, an unknown system.
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
    let mut blocks = text.chunks(STORED).peekable();
    while let Some(block) = blocks.next() {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        out.push(u8::from(blocks.peek().is_none()));
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&(!length).to_le_bytes());
        out.extend_from_slice(block);
    }
    let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&crc32(text).to_le_bytes());
    out.extend_from_slice(&length.to_le_bytes());
    out
}

fn crc32(text: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in text {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            let is_odd = sum & 1 == 1;
            sum >>= 1;
            if is_odd {
                sum ^= 0xedb8_8320;
            }
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_has_the_checksum_of_its_text() {
        // The check value of CRC-32 in its catalogue.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        let packed = gzip(b"123456789");
        assert_eq!(packed.len(), 10 + 5 + 9 + 8);
        assert!(packed.ends_with(&[0x26, 0x39, 0xf4, 0xcb, 9, 0, 0, 0]));
    }
}
