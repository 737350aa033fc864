//! Words in scripts, and refusals of scripts.

pub(crate) fn comment(about: &str, seconds: u32) -> String {
    format!("{about}; at most {seconds} s")
}

pub(crate) fn count(steps: usize, most: usize) -> String {
    format!("a script has 1 to {most} steps, this has {steps}")
}

pub(crate) fn step(at: usize, refusal: &str) -> String {
    format!("step {at}: {refusal}")
}

pub(crate) fn line(at: usize) -> String {
    format!("line {at} is not a step of the table, written as the table writes it")
}

pub(crate) fn seconds(seconds: u32, most: u32) -> String {
    format!("a script runs for {most} s at most, this for up to {seconds} s")
}

pub(crate) fn size(bytes: usize, most: usize) -> String {
    format!("a script has 1 to {most} bytes, this has {bytes}")
}

pub(crate) fn hidden(line: usize, sign: char) -> String {
    format!(
        "line {line} has a character that is not shown (U+{:04X}); only line breaks and tabs are possible",
        u32::from(sign)
    )
}

pub(crate) const PERSON: &str = "free sh needs the person who wrote it";
