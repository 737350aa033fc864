//! Statements of each kind of server, as their documentation shows them, and what hostile ones say.

use super::*;

fn is(tokens: u64, loaded: bool) -> Option<StatedWindow> {
    Some(StatedWindow { tokens, loaded })
}

#[test]
fn each_kind_of_server_states_it_elsewhere() {
    let ps = json!({ "models": [
        { "name": "other:7b", "model": "other:7b", "context_length": 1024 },
        { "name": "qwen3:latest", "model": "qwen3:latest", "size_vram": 5, "context_length": 4096 },
    ]});
    assert_eq!(of_ollama_ps(&ps, "qwen3"), is(4096, true));
    assert_eq!(of_ollama_ps(&ps, "qwen3:latest"), is(4096, true));
    assert_eq!(of_ollama_ps(&ps, "qwen"), None);

    let info = json!({ "general.architecture": "qwen3", "qwen3.context_length": 40960 });
    let show = |parameters: &str| json!({ "parameters": parameters, "model_info": info });
    let stop = "stop    \"<|im_end|>\"\nnum_ctx    8192\ntemperature 0.6";
    assert_eq!(of_ollama_show(&show(stop)), is(8192, false));
    assert_eq!(of_ollama_show(&show("num_ctx 99999999")), is(40960, false));
    assert_eq!(of_ollama_show(&show("")), is(40960, false));
    assert_eq!(of_ollama_show(&json!({})), None);

    let props = json!({ "default_generation_settings": { "n_ctx": 16384 }, "total_slots": 1 });
    assert_eq!(of_llama_cpp(&props), is(16384, true));

    let models = json!({ "object": "list", "data": [
        { "id": "Qwen/Qwen3-8B", "object": "model", "max_model_len": 32768 },
    ]});
    assert_eq!(of_vllm(&models, "Qwen/Qwen3-8B"), is(32768, true));

    let models = json!({ "data": [
        { "id": "far", "state": "not-loaded", "max_context_length": 131_072 },
        { "id": "near", "state": "loaded", "max_context_length": 131_072, "loaded_context_length": 8192 },
    ]});
    assert_eq!(of_lm_studio(&models, "near"), is(8192, true));
    assert_eq!(of_lm_studio(&models, "far"), is(131_072, false));

    let info = json!({ "data": [
        { "model_name": "house", "model_info": { "max_input_tokens": 200_000, "max_tokens": 8192 } },
        { "model_name": "unknown", "model_info": { "max_input_tokens": null } },
    ]});
    assert_eq!(of_lite_llm(&info, "house"), is(200_000, true));
    assert_eq!(of_lite_llm(&info, "unknown"), None);
}

#[test]
fn what_cannot_be_read_is_no_statement() {
    for tokens in [
        json!(-1),
        json!("4096"),
        json!(null),
        json!([4096]),
        json!(1e99),
    ] {
        let row = json!([{ "id": "a", "max_model_len": tokens, "loaded_context_length": tokens }]);
        for list in [row.clone(), json!("a"), json!([["a"]]), json!({ "a": row })] {
            assert_eq!(of_vllm(&json!({ "data": list }), "a"), None);
            assert_eq!(of_lm_studio(&json!({ "data": list }), "a"), None);
        }
        let props = json!({ "default_generation_settings": { "n_ctx": tokens } });
        assert_eq!(of_llama_cpp(&props), None);
    }
    assert_eq!(of_vllm(&json!(7), "a"), None);
    assert!(!PLAUSIBLE.contains(&1) && !PLAUSIBLE.contains(&u64::MAX));
}
