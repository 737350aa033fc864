//! Refusals of documents.

pub(crate) const OTHER_FORM: &str = "the document is not in its one form: members are doubled, missing, in another order or written in another way";

pub(crate) fn too_large(bytes: usize, most: usize) -> String {
    format!("the document has {bytes} bytes, more than {most}")
}

pub(crate) fn not_read(reason: &str) -> String {
    format!("the document cannot be read: {reason}")
}

pub(crate) fn bad_id(kind: &str) -> String {
    format!("this is not the identifier of a {kind}")
}

pub(crate) fn bad_field(field: &str) -> String {
    format!("the field {field} of the manifest is not possible")
}
