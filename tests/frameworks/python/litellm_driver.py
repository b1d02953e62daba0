import json

import litellm

from driver import CITY, IMAGE, PLAIN, PNG, TEXTS, WEATHER, outcome, run

TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
CITY_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "population": {"type": "integer"}},
    "required": ["city", "population"],
    "additionalProperties": False,
}
VENDORS = {"chat": "openai", "responses": "openai/responses", "messages": "anthropic", "gemini": "gemini"}


def options(case):
    base = case.base
    if case.dialect == "gemini":
        base = f"{case.base}/v1beta"
    return {"model": f"{VENDORS[case.dialect]}/{case.model}", "api_base": base, "api_key": case.key, "num_retries": 0, "max_retries": 0}


def ask(case, content, **more):
    return litellm.completion(messages=[{"role": "user", "content": content}], **options(case), **more)


def used(*replies):
    return [sum(getattr(reply.usage, name) for reply in replies) for name in ("prompt_tokens", "completion_tokens")]


def text_of(reply):
    return reply.choices[0].message.content


def plain(case):
    reply = ask(case, PLAIN)
    return outcome(text=text_of(reply), usage=used(reply))


def stream(case):
    chunks = list(ask(case, PLAIN, stream=True, stream_options={"include_usage": True}))
    reply = litellm.stream_chunk_builder(chunks)
    return outcome(text=text_of(reply), usage=used(reply))


def tools(case):
    asked = {"role": "user", "content": WEATHER}
    more = {"tools": [TOOL], **options(case)}
    first = litellm.completion(messages=[asked], **more)
    said = first.choices[0].message
    results = [
        {
            "role": "tool",
            "tool_call_id": call.id,
            "name": call.function.name,
            "content": f"sunny in {json.loads(call.function.arguments)['city']}",
        }
        for call in said.tool_calls
    ]
    last = litellm.completion(messages=[asked, said.model_dump(), *results], **more)
    return outcome(text=text_of(last), usage=used(first, last))


def schema(case):
    form = {"type": "json_schema", "json_schema": {"name": "City", "schema": CITY_SCHEMA, "strict": True}}
    reply = ask(case, CITY, response_format=form)
    return outcome(value=json.loads(text_of(reply)), usage=used(reply))


def image(case):
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    reply = ask(case, [{"type": "text", "text": IMAGE}, picture])
    return outcome(text=text_of(reply), usage=used(reply))


def reasoning(case):
    effort = {"effort": "low", "summary": "auto"} if case.dialect == "responses" else "low"
    reply = ask(case, PLAIN, reasoning_effort=effort)
    return outcome(text=text_of(reply), reasoning=reply.choices[0].message.reasoning_content, usage=used(reply))


def embeddings(case):
    if case.dialect == "responses":
        return None
    reply = litellm.embedding(input=TEXTS, **options(case))
    usage = [reply.usage.prompt_tokens, 0] if case.dialect == "chat" else None
    return outcome(value=len(reply.data), usage=usage)


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
    {name: ("RateLimitError", "ContextWindowExceededError") for name in VENDORS},
)
