//! Filter that passes only the first columns of a table.

/// Passes bytes that belong to the first columns of their line. Columns are separated by spaces;
/// every line is cut, whatever it contains.
#[derive(Debug, Clone)]
pub(crate) struct ColumnNames {
    keep: usize,
    /// The current column of the line, from one.
    at: usize,
    within: bool,
}

impl ColumnNames {
    pub(super) fn first(keep: usize) -> Self {
        Self {
            keep,
            at: 0,
            within: false,
        }
    }

    /// Returns the visible part of the next bytes.
    pub(crate) fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        bytes
            .iter()
            .copied()
            .filter(|byte| self.shows(*byte))
            .collect()
    }

    fn shows(&mut self, byte: u8) -> bool {
        if byte == b'\n' {
            (self.at, self.within) = (0, false);
            return true;
        }
        let blank = byte.is_ascii_whitespace();
        if !blank && !self.within {
            self.at += 1;
        }
        self.within = !blank;
        self.at < self.keep || self.at == self.keep && !blank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_columns_pass_however_the_bytes_come() {
        let text = b"  UNIT        LOAD   ACTIVE SUB    DESCRIPTION\n\
                     run-1.service loaded failed failed /bin/sh -c token=SECRET\n\
                     \n2 loaded units listed. SECRET\nx\n";
        let expect = "  UNIT        LOAD   ACTIVE SUB\nrun-1.service loaded failed failed\n\
                      \n2 loaded units listed.\nx\n";
        for size in [1, 3, 7, text.len()] {
            let mut columns = ColumnNames::first(4);
            let passed: Vec<u8> = text
                .chunks(size)
                .flat_map(|chunk| columns.pass(chunk))
                .collect();
            assert_eq!(String::from_utf8_lossy(&passed), expect, "{size}");
        }
    }
}
