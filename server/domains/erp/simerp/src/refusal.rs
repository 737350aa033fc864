//! Errors as Frappe raises them: status, type and messages.

/// An answer that is an error.
#[derive(Clone, Debug)]
pub(crate) struct SimRefusal {
    pub status: u16,
    pub kind: &'static str,
    /// The first is the summary; each is HTML.
    pub messages: Vec<String>,
    pub title: &'static str,
}

pub(crate) type SimResult<T> = Result<T, SimRefusal>;

impl SimRefusal {
    pub(crate) fn new(status: u16, kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            kind,
            messages: vec![message.into()],
            title: "Message",
        }
    }

    pub(crate) fn titled(mut self, title: &'static str) -> Self {
        self.title = title;
        self
    }

    pub(crate) fn also(mut self, message: impl Into<String>) -> Self {
        self.messages.push(message.into());
        self
    }
}

/// 417 with this type.
pub(crate) fn invalid(kind: &'static str, message: impl Into<String>) -> SimRefusal {
    SimRefusal::new(417, kind, message)
}

/// 417 `ValidationError`.
pub(crate) fn unsuitable(message: impl Into<String>) -> SimRefusal {
    invalid("ValidationError", message)
}

/// 403 `PermissionError`.
pub(crate) fn forbidden(message: impl Into<String>) -> SimRefusal {
    SimRefusal::new(403, "PermissionError", message).titled("Not permitted")
}

/// 404 of a document.
pub(crate) fn no_document(kind: &str, name: &str) -> SimRefusal {
    SimRefusal::new(404, "DoesNotExistError", format!("{kind} {name} not found"))
        .titled("Not Found")
}

/// 500: an error that nobody handled.
pub(crate) fn crashed(kind: &'static str, message: impl Into<String>) -> SimRefusal {
    SimRefusal::new(500, kind, message)
}
