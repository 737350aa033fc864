//! Sentences for people: files that are refused.

pub(crate) const IMAGE_IS_TOO_LARGE: &str = "An image can be at most 3.5 MiB.";

pub(crate) const MAKE_IT_SMALLER: &str = "Make it smaller.";

pub(crate) const IMAGE_HAS_NO_SIZE: &str = "The image is damaged: its size is missing.";

pub(crate) fn image_has_too_many_pixels(width: u32, height: u32, most: u32) -> String {
    format!("The image has {width} × {height} pixels; the limit is {most} per side.")
}

pub(crate) const FILE_IS_EMPTY: &str = "The file is empty.";

pub(crate) const NEITHER_IMAGE_NOR_TEXT: &str =
    "This is neither an image (PNG, JPEG, GIF, WebP) nor UTF-8 text.";

pub(crate) const TEXT_IS_TOO_LARGE: &str = "A text can be at most 256 KiB.";

pub(crate) const SHORTEN_IT_TO_WHAT_MATTERS: &str = "Shorten it to what matters.";

pub(crate) const FILE_IS_BLANK: &str = "The file is blank.";
