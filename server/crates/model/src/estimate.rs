//! Estimates of tokens, for servers that leave usage out or cut what is too long without a word.

use agent::ports::ModelRequest;
use protocol::Usage;
use serde_json::value::RawValue;

use crate::raw::RawObject;

/// Bytes of one token. English has four: an estimate that is too high refuses a request, one that is
/// too low lets the server cut the beginning of the conversation off.
const BYTES_PER_TOKEN: u64 = 3;
/// Tokens of an image or a document, whose bytes say nothing about them.
const TOKENS_OF_IMAGE: u64 = 1_600;

/// The tokens that the model has to read for a request.
pub(crate) fn of_prompt(request: &ModelRequest) -> u64 {
    let tools = request.tools.as_ref().map_or(0, |tools| tools.get().len());
    let blocks = request.messages.iter().flat_map(|message| &message.content);
    of_bytes(request.system.len())
        + of_bytes(tools)
        + blocks.map(|block| of_block(block)).sum::<u64>()
}

/// The tokens of a text.
pub(crate) fn of_bytes(bytes: usize) -> u64 {
    u64::try_from(bytes)
        .unwrap_or(u64::MAX)
        .div_ceil(BYTES_PER_TOKEN)
}

/// Fills in the figures that the server left out, and marks them. `answer` is the length of the answer in
/// bytes. Returns true if there were any.
pub(crate) fn complete(usage: &mut Usage, prompt: u64, answer: usize) -> bool {
    let before = *usage;
    if usage.total_input() == 0 {
        usage.input = prompt;
    }
    if usage.output == 0 {
        usage.output = of_bytes(answer);
    }
    usage.estimated = *usage != before;
    usage.estimated
}

fn of_block(block: &RawValue) -> u64 {
    let whole = || of_bytes(block.get().len());
    let Some(object) = RawObject::parse(block.get()) else {
        return whole();
    };
    match object.text("type").as_deref() {
        Some("image" | "document") => TOKENS_OF_IMAGE,
        Some("tool_result") => {
            let content = object.get("content").map_or("", RawValue::get);
            match serde_json::from_str::<Vec<&RawValue>>(content) {
                Ok(blocks) => blocks.into_iter().map(of_block).sum(),
                Err(_) => whole(),
            }
        }
        _ => whole(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_counts_as_an_image_wherever_it_is() {
        let data = "A".repeat(90_000);
        let image = format!(r#"{{"type":"image","source":{{"type":"base64","data":"{data}"}}}}"#);
        let result = format!(
            r#"{{"type":"tool_result","tool_use_id":"a","content":[{image},{{"type":"text","text":"ok"}}]}}"#
        );
        for (block, least, most) in [
            (image, 1_600, 1_600),
            (result, 1_600, 1_650),
            (
                format!(r#"{{"type":"text","text":"{data}"}}"#),
                30_000,
                30_050,
            ),
            ("[1]".to_owned(), 1, 1),
        ] {
            let block = RawValue::from_string(block).unwrap();
            let tokens = of_block(&block);
            assert!((least..=most).contains(&tokens), "{tokens}");
        }
    }

    #[test]
    fn only_what_is_missing_is_estimated() {
        let usage = |input, output| Usage {
            input,
            output,
            ..Usage::default()
        };
        let check = |sent: Usage, expect: Usage, estimated| {
            let mut usage = sent;
            assert_eq!(complete(&mut usage, 70, 10), estimated);
            let expect = Usage {
                estimated,
                ..expect
            };
            assert_eq!(usage, expect);
        };
        check(usage(0, 0), usage(70, 4), true);
        check(usage(9, 0), usage(9, 4), true);
        check(usage(9, 5), usage(9, 5), false);
        let cached = Usage {
            cache_read: 9,
            ..usage(0, 5)
        };
        check(cached, cached, false);
    }
}
