//! Sentences about files that came with a message.

use super::counted;

pub(crate) fn came_with_message(files: &[String]) -> String {
    format!(
        "What came with your message, sir:\n\n- {}\n\nA rehearsal cannot look into it.",
        files.join("\n- ")
    )
}

pub(crate) fn text_file(name: &str, bytes: usize, lines: usize) -> String {
    let (bytes, lines) = (counted(bytes, "byte"), counted(lines, "line"));
    format!("`{name}`: a text of {bytes} in {lines}")
}

pub(crate) fn image(name: &str, kind: &str, bytes: usize) -> String {
    let bytes = counted(bytes, "byte");
    format!("`{name}`: an image ({kind}) of {bytes}")
}

pub(crate) fn without_content(name: &str) -> String {
    format!("`{name}`: no content came with this name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        for (bytes, lines, told) in [
            (0, 0, "`a`: a text of 0 bytes in 0 lines"),
            (1, 1, "`a`: a text of 1 byte in 1 line"),
            (23, 2, "`a`: a text of 23 bytes in 2 lines"),
        ] {
            assert_eq!(text_file("a", bytes, lines), told);
        }
    }
}
