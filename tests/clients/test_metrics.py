# SPDX-License-Identifier: GPL-3.0-or-later
"""/metrics as prometheus-client reads it, against /stats and against what a client saw."""
from prometheus_client.parser import text_string_to_metric_families


def scrape(http):
    answer = http.get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    families = {family.name: family for family in text_string_to_metric_families(answer.text)}
    return families, {(sample.name, tuple(sorted(sample.labels.items()))): sample.value
                      for family in families.values() for sample in family.samples}


def value(samples, name, **labels):
    found = [v for (sample, pairs), v in samples.items()
             if sample == name and set(labels.items()) <= set(pairs)]
    assert len(found) == 1, (name, labels, found)
    return found[0]


def test_types_and_histograms_are_well_formed(http):
    families, _ = scrape(http)
    assert families["vllm:num_requests_running"].type == "gauge"
    assert families["vllm:generation_tokens"].type == "counter"
    histograms = [family for family in families.values() if family.type == "histogram"]
    assert len(histograms) >= 16
    for family in histograms:
        buckets = [s for s in family.samples if s.name.endswith("_bucket")]
        counts = [s.value for s in buckets]
        assert counts == sorted(counts)
        assert buckets[-1].labels["le"] == "+Inf"
        assert counts[-1] == next(s.value for s in family.samples if s.name.endswith("_count"))


def test_totals_follow_a_request_and_equal_stats(http, client, model):
    _, before = scrape(http)
    answer = client.completions.create(model=model, prompt="One, two, three,", max_tokens=9, temperature=0)
    _, after = scrape(http)
    stats = http.get("/stats").json()

    def grown(name, **labels):
        return value(after, name, **labels) - value(before, name, **labels)

    assert grown("vllm:generation_tokens_total") == answer.usage.completion_tokens
    assert grown("vllm:request_generation_tokens_sum") == answer.usage.completion_tokens
    assert grown("vllm:request_prompt_tokens_sum") == answer.usage.prompt_tokens
    assert grown("vllm:prefix_cache_queries_total") == answer.usage.prompt_tokens
    assert grown("vllm:time_to_first_token_seconds_count") == 1
    assert grown("vllm:inter_token_latency_seconds_count") == answer.usage.completion_tokens - 1
    assert sum(grown("vllm:request_success_total", finished_reason=reason)
               for reason in ("stop", "length", "tool_calls", "abort", "error")) == 1
    assert value(after, "vllm:generation_tokens_total") == stats["generation_tokens_total"]
    assert value(after, "vllm:prompt_tokens_total") == stats["prompt_tokens_total"]
    assert value(after, "vitrine_kv_blocks", state="cached") == stats["kv_blocks"]["cached"]
    assert value(after, "vllm:cache_config_info", block_size="16") == 1
