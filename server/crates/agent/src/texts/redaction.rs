//! Sentences for people: values that are hidden from the model.

pub(crate) fn request_has_hidden_value(class: &str, token: &str) -> String {
    format!(
        "Nothing was sent to the model: the request contains a hidden value ({class}, {token})."
    )
}

pub(crate) const START_ANEW_AND_REPORT: &str =
    "Start a new conversation, and tell whoever runs this server: redaction missed the value.";

pub(crate) const REQUEST_COULD_NOT_BE_CHECKED: &str =
    "Nothing was sent to the model: the request could not be checked for hidden values.";

pub(crate) const REQUEST_HAS_IMAGES: &str =
    "Nothing was sent to the model: images can't be checked for values that must stay hidden.";

pub(crate) const START_WITHOUT_IMAGES: &str = "Start a new conversation without images.";

pub(crate) const TRY_AGAIN_OR_LOOK_AT_LOG: &str = "Try again; the server's log has the details.";

pub(crate) const MESSAGE_COULD_NOT_BE_COVERED: &str =
    "The message wasn't saved: values that the model must not see could not be hidden.";

pub(crate) const IMAGES_CANNOT_BE_COVERED: &str =
    "This conversation hides values from the model, and images can't be checked for them.";

pub(crate) const SEND_TEXT_INSTEAD: &str = "Remove the image, or send what matters as text.";

pub(crate) const RESULT_IS_WITHHELD: &str = "Withheld: values that the model must not see could not be hidden. The call itself ran to its end.";

pub(crate) const CONTEXT_IS_WITHHELD: &str =
    "withheld: values that the model must not see could not be hidden";

pub(crate) const ANSWER_IN_TIME: &str = "no answer in time";

pub(crate) const REDACTION_FAILED: &str = "redaction failed";

pub(crate) const ANOTHER_NUMBER_OF_TEXTS: &str = "redaction returned another number of texts";
