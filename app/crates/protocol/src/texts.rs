//! Sentences for people that the wire types make, in one place, so that another language is another such module.

pub(crate) fn name_is_out_of_range(most: usize) -> String {
    format!("A name has 1 to {most} small letters, digits and hyphens.")
}

pub(crate) fn is_a_command(name: &str) -> String {
    format!("/{name} is a command. Choose another name.")
}

pub(crate) const NO_TEXT_TO_KEEP: &str = "There is no text to keep.";

pub(crate) fn text_is_too_long(kibibytes: usize) -> String {
    format!("A prompt may be {kibibytes} KiB long.")
}
