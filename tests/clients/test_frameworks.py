# SPDX-License-Identifier: GPL-3.0-or-later
"""One real round trip each through LangChain, LlamaIndex and instructor (marked slow: pytest --slow)."""
import pytest

pytestmark = pytest.mark.slow
QUESTION = "What is the capital of France?"


def test_langchain(server, model):
    from langchain_openai import ChatOpenAI, OpenAIEmbeddings
    chat = ChatOpenAI(model=model, base_url=server.url + "/v1", api_key="none", temperature=0, max_tokens=24,
                      max_retries=0)
    answer = chat.invoke(QUESTION)
    assert "Paris" in answer.content and answer.usage_metadata["output_tokens"] > 0
    assert "".join(chunk.content for chunk in chat.stream(QUESTION)) == answer.content
    vectors = OpenAIEmbeddings(model=model, base_url=server.url + "/v1", api_key="none",
                               check_embedding_ctx_length=False).embed_documents(["one", "two"])
    assert len(vectors) == 2 and len(vectors[0]) == len(vectors[1]) > 100


def test_llama_index(server, model):
    from llama_index.core.llms import ChatMessage
    from llama_index.llms.openai_like import OpenAILike
    llm = OpenAILike(model=model, api_base=server.url + "/v1", api_key="none", is_chat_model=True, temperature=0,
                     max_tokens=24, max_retries=0)
    messages = [ChatMessage(role="user", content=QUESTION)]
    answer = llm.chat(messages).message.content
    assert "Paris" in answer
    assert "".join(part.delta or "" for part in llm.stream_chat(messages)) == answer
    assert OpenAILike(model=model, api_base=server.url + "/v1", api_key="none", temperature=0, max_tokens=8,
                      max_retries=0).complete("The capital of France is").text


def test_instructor(server, model):
    import instructor
    import openai
    from pydantic import BaseModel

    class City(BaseModel):
        name: str
        country: str

    client = instructor.from_openai(openai.OpenAI(base_url=server.url + "/v1", api_key="none", max_retries=0),
                                    mode=instructor.Mode.JSON_SCHEMA)
    city = client.chat.completions.create(model=model, response_model=City, temperature=0, max_tokens=120,
                                          messages=[{"role": "user", "content": "Name a city and its country."}])
    assert city.name and city.country
