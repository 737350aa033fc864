//! Removal of texts that no reader of the page needs: they stay as long as they are, and compress to
//! nothing.
//!
//! A panic says where it happened. In code of ours that is a line of ours; in a library its name is
//! enough beside the line's number, and 150 names of files are not.

/// Marks in a path: what follows is the folder of a library, after this many others.
const LIBRARIES: [(&[u8], usize); 2] = [(b"/registry/src/", 1), (b"/rustc/", 2)];

/// The longest path that is looked at, in bytes.
const LONGEST: usize = 240;

/// Beginnings of texts for developers of servers, which are told nothing in a browser, and their ends.
const TOLD: [(&[u8], &[u8]); 1] = [(
    b"Value is None because the `ssr` feature is active.",
    b"-i tachys` to identify the source.",
)];

/// Blanks them in a module.
pub(super) fn blank(module: &mut [u8]) {
    for (mark, folders) in LIBRARIES {
        each(module, mark, |rest| {
            let rest = rest.get_mut(..LONGEST)?;
            let end = find(rest, b".rs")? + 3;
            let path = rest.get_mut(..end)?;
            let is_path = |byte: &u8| byte.is_ascii_alphanumeric() || b"/_-.+".contains(byte);
            if !path.iter().all(is_path) {
                return None;
            }
            let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
            let (name_end, _) = slashes.map(|(at, byte)| (at, *byte)).nth(folders)?;
            path.get_mut(name_end..)?.fill(b' ');
            Some(())
        });
    }
    for (begin, end) in TOLD {
        each(module, begin, |rest| {
            let end = find(rest.get(..600)?, end)? + end.len();
            rest.get_mut(..end)?.fill(b' ');
            Some(())
        });
    }
}

/// Shows what follows each place of a mark.
fn each(module: &mut [u8], mark: &[u8], mut change: impl FnMut(&mut [u8]) -> Option<()>) {
    let mut from = 0;
    while let Some(at) = module.get(from..).and_then(|rest| find(rest, mark)) {
        from += at + mark.len();
        if let Some(rest) = module.get_mut(from..) {
            // Another text with the mark in it stays as it is.
            let _ = change(rest);
        }
    }
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|part| part == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_libraries_stay_and_everything_keeps_its_place() {
        let hash = "a".repeat(40);
        let before = format!(
            "\u{1}x.rs/home/a/.cargo/registry/src/index-1f/leaf-0.2.1/src/deep/er.rsapp/src/a.rs\
             /rustc/{hash}/library/core/src/str/mod.rs no path: /registry/src/ of a sentence.rs{}",
            " ".repeat(LONGEST)
        );
        let mut module = before.clone().into_bytes();
        blank(&mut module);
        let after = String::from_utf8(module).unwrap();
        assert_eq!(after.len(), before.len());
        let gone = |text: &str| before.replace(text, &" ".repeat(text.len()));
        let expected = gone("/src/deep/er.rs").replace("/src/str/mod.rs", &" ".repeat(15));
        assert_eq!(after, expected);
    }
}
