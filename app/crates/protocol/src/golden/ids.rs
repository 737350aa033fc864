//! Identifiers as text.

use super::{AT, id};
use crate::{
    CallId, CommandId, ConversationId, GrantId, MessageId, NoticeId, ParseIdError, Seq, TabId,
    TurnId, UserId,
};

#[test]
fn ids_are_prefix_and_ulid_and_come_back() {
    macro_rules! round_trip {
        ($($type:ident $text:literal),* $(,)?) => {$(
            let made = $type::new(AT, 0x0123_4567_89ab_cdef_0123);
            assert_eq!(made.to_string(), $text);
            assert_eq!(format!("{made:?}"), $text);
            assert_eq!(id::<$type>($text), made);
            let json = serde_json::to_string(&made).unwrap();
            assert_eq!(json, concat!("\"", $text, "\""));
            assert_eq!(serde_json::from_str::<$type>(&json).unwrap(), made);
            let owned = serde_json::Value::String($text.to_owned());
            assert_eq!(serde_json::from_value::<$type>(owned).unwrap(), made);
        )*};
    }
    round_trip!(
        ConversationId "cnv_01HF7YAT0004HMASW9NF6YY093",
        TurnId "trn_01HF7YAT0004HMASW9NF6YY093",
        MessageId "msg_01HF7YAT0004HMASW9NF6YY093",
        CallId "call_01HF7YAT0004HMASW9NF6YY093",
        CommandId "cmd_01HF7YAT0004HMASW9NF6YY093",
        GrantId "grt_01HF7YAT0004HMASW9NF6YY093",
        NoticeId "ntc_01HF7YAT0004HMASW9NF6YY093",
        TabId "tab_01HF7YAT0004HMASW9NF6YY093",
        UserId "usr_01HF7YAT0004HMASW9NF6YY093",
    );
}

#[test]
fn other_text_is_not_an_id() {
    for text in [
        "",
        "cnv",
        "cnv_",
        "01HF7YAT0004HMASW9NF6YY093",
        "trn_01HF7YAT0004HMASW9NF6YY093",
        "cnv_01HF7YAT0004HMASW9NF6YY09",
        "cnv_01HF7YAT0004HMASW9NF6YY0933",
        "cnv_01HF7YAT0004HMASW9NF6YY09U",
        "cnv_01HF7YAT0004HMASW9NF6YY09é",
        "cnv_01hf7yat0004hmasw9nf6yy093",
        "cnv_8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
        " cnv_01HF7YAT0004HMASW9NF6YY093",
        "CNV_01HF7YAT0004HMASW9NF6YY093",
    ] {
        let parsed = text.parse::<ConversationId>();
        assert_eq!(parsed, Err(ParseIdError { expected: "cnv" }), "{text:?}");
        let json = serde_json::to_string(text).unwrap();
        assert!(
            serde_json::from_str::<ConversationId>(&json).is_err(),
            "{text:?}"
        );
    }
}

/// Identifiers of one kind sort by their creation time: the database and lists rely on it.
#[test]
fn ids_sort_by_time() {
    let early = ConversationId::new(AT, u128::MAX);
    let late = ConversationId::new(crate::Timestamp(AT.0 + 1), 0);
    assert!(early < late);
    assert!(early.to_string() < late.to_string());
}

#[test]
fn numbers_are_plain() {
    assert_eq!(serde_json::to_string(&Seq(3)).unwrap(), "3");
    assert_eq!(serde_json::to_string(&AT).unwrap(), "1700000000000");
    assert_eq!(Seq(3).next(), Seq(4));
}
