from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_google_genai import ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel

from driver import CITY, IMAGE, PLAIN, PNG, TEXTS, WEATHER, Case, outcome, run


class City(BaseModel):
    city: str
    population: int


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"sunny in {city}"


def model(case: Case, **more):
    if case.dialect == "messages":
        return ChatAnthropic(
            model=case.model, base_url=case.base, api_key=case.key, max_retries=0, max_tokens=2048, **more
        )
    if case.dialect == "gemini":
        return ChatGoogleGenerativeAI(
            model=case.model, base_url=case.base, google_api_key=case.key, max_retries=1, **more
        )
    return ChatOpenAI(
        model=case.model,
        base_url=case.base,
        api_key=case.key,
        max_retries=0,
        stream_usage=True,
        use_responses_api=case.dialect == "responses",
        **more,
    )


def used(*messages):
    usages = [message.usage_metadata for message in messages]
    return [sum(usage[name] for usage in usages) for name in ("input_tokens", "output_tokens")]


def plain(case):
    reply = model(case).invoke(PLAIN)
    return outcome(text=reply.text, usage=used(reply))


def stream(case):
    reply = None
    for chunk in model(case).stream(PLAIN):
        reply = chunk if reply is None else reply + chunk
    return outcome(text=reply.text, usage=used(reply))


def tools(case):
    bound = model(case).bind_tools([get_weather])
    asked = HumanMessage(WEATHER)
    first = bound.invoke([asked])
    results = [ToolMessage(get_weather.invoke(call["args"]), tool_call_id=call["id"]) for call in first.tool_calls]
    last = bound.invoke([asked, first, *results])
    return outcome(text=last.text, usage=used(first, last))


def schema(case):
    found = model(case).with_structured_output(City, include_raw=True).invoke(CITY)
    return outcome(value=found["parsed"].model_dump(), usage=used(found["raw"]))


def image(case):
    parts = [
        {"type": "text", "text": IMAGE},
        {"type": "image", "base64": PNG, "mime_type": "image/png"},
    ]
    reply = model(case).invoke([HumanMessage(parts)])
    return outcome(text=reply.text, usage=used(reply))


def reasoning(case):
    more = {
        "responses": {"reasoning": {"effort": "low", "summary": "auto"}},
        "messages": {"thinking": {"type": "enabled", "budget_tokens": 1024}},
        "gemini": {"include_thoughts": True, "thinking_budget": 1024},
    }
    if case.dialect not in more:
        return None
    reply = model(case, **more[case.dialect]).invoke(PLAIN)
    thoughts = [block["reasoning"] for block in reply.content_blocks if block["type"] == "reasoning" and block.get("reasoning")]
    return outcome(text=reply.text, reasoning="".join(thoughts), usage=used(reply))


def embeddings(case):
    if case.dialect == "gemini":
        embedder = GoogleGenerativeAIEmbeddings(model=case.model, base_url=case.base, google_api_key=case.key)
    else:
        embedder = OpenAIEmbeddings(model=case.model, base_url=case.base, api_key=case.key, check_embedding_ctx_length=False)
    return outcome(value=len(embedder.embed_documents(TEXTS)))


run(
    {
        "plain": plain,
        "stream": stream,
        "tools": tools,
        "schema": schema,
        "image": image,
        "reasoning": reasoning,
        "embeddings": embeddings,
    },
    {
        "chat": ("RateLimitError", "ContextOverflowError"),
        "responses": ("RateLimitError", "ContextOverflowError"),
        "messages": ("RateLimitError", "ContextOverflowError"),
        "gemini": ("ChatGoogleGenerativeAIError:429", "ContextOverflowError"),
    },
)
