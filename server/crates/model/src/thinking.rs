//! The limit on a model's thinking: a number of tokens for models that take one, else a level of
//! effort.

use protocol::Effort;

/// The least number of tokens that the API takes.
const LEAST: u32 = 1024;

/// The highest level of effort at which a model is expected to think within this many tokens. No
/// vendor promises it: a level is no limit.
pub fn effort_within(thinking_tokens: u32) -> Effort {
    match thinking_tokens {
        0..4_096 => Effort::Low,
        4_096..16_384 => Effort::Medium,
        16_384..32_768 => Effort::High,
        32_768..65_536 => Effort::ExtraHigh,
        65_536.. => Effort::Max,
    }
}

/// The tokens that a model is given to think; none if they are too few to think at all. They are a
/// part of the answer's.
pub(crate) fn budget(thinking_tokens: u32, max_tokens: u32) -> Option<u32> {
    let most = max_tokens.saturating_sub(1);
    Some(thinking_tokens.min(most)).filter(|tokens| *tokens >= LEAST)
}

/// The level of effort that is sent: never above what the limit allows.
pub(crate) fn effort(wanted: Option<Effort>, thinking_tokens: Option<u32>) -> Option<Effort> {
    let Some(most) = thinking_tokens.map(effort_within) else {
        return wanted;
    };
    // A model's own default may be higher.
    Some(wanted.map_or(most, |wanted| wanted.min(most)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_never_raises_the_effort() {
        let levels = [
            Effort::Low,
            Effort::Medium,
            Effort::High,
            Effort::ExtraHigh,
            Effort::Max,
        ];
        for tokens in [0, 1_023, 4_096, 20_000, 40_000, 128_000] {
            let most = effort_within(tokens);
            assert_eq!(effort(None, Some(tokens)), Some(most));
            for wanted in levels {
                let sent = effort(Some(wanted), Some(tokens)).unwrap();
                assert!(sent <= wanted && sent <= most, "{wanted:?} {tokens}");
            }
        }
        assert_eq!(effort(None, None), None);
        assert_eq!(effort(Some(Effort::Max), None), Some(Effort::Max));
    }

    #[test]
    fn thinking_is_a_part_of_the_answer_or_there_is_none() {
        for (tokens, max_tokens, expect) in [
            (0, 8192, None),
            (1023, 8192, None),
            (1024, 8192, Some(1024)),
            (9000, 8192, Some(8191)),
            (9000, 1024, None),
        ] {
            assert_eq!(budget(tokens, max_tokens), expect, "{tokens} {max_tokens}");
        }
    }
}
