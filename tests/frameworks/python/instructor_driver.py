import instructor
from anthropic import Anthropic
from google import genai
from openai import OpenAI
from pydantic import BaseModel

from driver import CITY, outcome, run


class City(BaseModel):
    city: str
    population: int


def client(case):
    if case.dialect == "messages":
        return instructor.from_anthropic(Anthropic(base_url=case.base, api_key=case.key, max_retries=0))
    if case.dialect == "gemini":
        options = {"base_url": case.base}
        return instructor.from_genai(genai.Client(api_key=case.key, http_options=options))
    return instructor.from_openai(OpenAI(base_url=case.base, api_key=case.key, max_retries=0))


def used(raw):
    if hasattr(raw, "usage_metadata"):
        return [raw.usage_metadata.prompt_token_count, raw.usage_metadata.candidates_token_count]
    usage = raw.usage
    names = ("input_tokens", "output_tokens") if hasattr(usage, "input_tokens") else ("prompt_tokens", "completion_tokens")
    return [getattr(usage, name) for name in names]


def options(case):
    more = {"max_tokens": 1024} if case.dialect == "messages" else {}
    return {"model": case.model, "response_model": City, "max_retries": 0, **more}


def schema(case):
    found, raw = client(case).create_with_completion(messages=[{"role": "user", "content": CITY}], **options(case))
    return outcome(value=found.model_dump(), usage=used(raw))


run(
    {"schema": schema},
    {
        "chat": ("RateLimitError", "BadRequestError:context_length_exceeded"),
        "messages": ("RateLimitError", "BadRequestError:prompt is too long"),
        "gemini": ("ClientError:429", "ClientError:token count"),
    },
)
