import type { ErrorForm } from './error-form.ts'

/** Forms in which upstreams say that the prompt, or the prompt with the requested output, exceeds the model's context. */
export const overflowForms: readonly ErrorForm[] = [
  {
    kind: 'context_overflow',
    of: 'OpenAI, Azure, Groq, Cerebras, and gateways that speak as they do',
    codes:
      'context_length_exceeded context_window_exceeded context_window_exceeded_error ContextWindowExceededError',
    source: 'https://platform.openai.com/docs/guides/error-codes',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'OpenAI, Azure, DeepSeek, vLLM, OpenRouter, DeepInfra, Novita, Nebius, Hyperbolic, NVIDIA, SGLang',
    contains: /maximum context length (is|of)\b|model's maximum context (limit|length)/i,
    source: 'https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/serving_engine.py',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: "OpenAI's Responses, ChatGPT",
    contains: /\bexceeds? (the|this model's|the model's) context (window|length|limit)\b/i,
    source: 'https://github.com/openai/codex/issues/20866',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'OpenAI and Azure for gpt-5',
    begins: /input tokens exceed the configured limit/i,
    source: 'https://github.com/BerriAI/litellm/issues/15968',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Anthropic, Bedrock, Vertex, Fireworks',
    contains:
      /\bprompt is too long\b|\bexceed(s)? context limit\b|\binput is too long for requested model\b/i,
    source: 'https://platform.claude.com/docs/en/build-with-claude/context-windows',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: "Bedrock: Amazon's Nova and Titan, Cohere",
    begins: /input tokens exceeded|too many (input )?tokens\b|too many tokens in prompt/i,
    source: 'https://github.com/BerriAI/litellm/pull/21647',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Gemini, Vertex',
    contains: /\binput token count\b.{0,60}\b(exceeds|but model only supports)/i,
    source: 'https://github.com/BerriAI/litellm/issues/18282',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Moonshot',
    contains: /\bexceeded model token limit\b|^input token length too long/i,
    source: 'https://platform.moonshot.ai/docs/api/chat',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Zhipu (code 1261)',
    begins: /prompt (exceeds max length|超长)/i,
    source: 'https://docs.bigmodel.cn/cn/faq/api-code',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Ali',
    contains: /\brange of input length should be\b/i,
    source: 'https://help.aliyun.com/zh/model-studio/error-code',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'SiliconFlow',
    contains:
      /\bmax_(total|prompt)_tokens\b.{0,40}\bmax_seq_len\b|\blength of prompt_tokens\b|\bprompt_tokens\b.{0,60}\bmax_seq_len\b/i,
    source: 'https://docs.siliconflow.cn/en/faqs/error-code',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Volcengine',
    contains: /\btotal tokens of image and text exceed|\binput length \d+ exceeds the maximum length\b/i,
    source: 'https://www.volcengine.com/docs/82379/1299023',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'MiniMax (2013 is any invalid parameter)',
    contains: /\bcontext window exceeds limit\b|\bcontext window exceeded\b/i,
    source: 'https://platform.minimax.io/docs/api-reference/errorcode',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Qianfan',
    codes: 'tokens_too_long prompt_tokens_too_long',
    contains:
      /\bprompt tokens too long\b|\bthe max (input )?(length|tokens?) of (current )?(question|input) is\b|\binput tokens? too long\b/i,
    source: 'https://cloud.baidu.com/doc/qianfan-api/s/Wm9l9bwhr',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Tencent',
    codes: 'InvalidParameterValue.TokenLimitExceeded FailedOperation.TokenLimitExceeded',
    contains: /\b(input|prompt|message)s? (content )?length (is )?(too long|exceed)/i,
    source: 'https://cloud.tencent.com/document/product/1729/101848',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'xAI',
    contains: /\bmaximum prompt length is \d+/i,
    source: 'https://docs.x.ai/docs/guides/migration',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Groq, Cerebras',
    begins: /please reduce the length of the messages/i,
    source: 'https://console.groq.com/docs/errors',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Mistral',
    contains: /\btoo large for model with \d+ maximum context length\b/i,
    source: 'https://github.com/BerriAI/litellm/pull/21647',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Together, Hugging Face: text-generation-inference',
    contains: /`?inputs`? tokens \+ `?max_new_tokens`? must be|`?inputs`? must have less than \d+ tokens/i,
    source: 'https://github.com/huggingface/text-generation-inference/blob/main/router/src/validation.rs',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Perplexity',
    contains: /\blength of all messages is too long\b/i,
    source: 'https://github.com/BerriAI/litellm/pull/21647',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'vLLM',
    contains:
      /\bis longer than the (maximum model length|model's context length)\b|\bis too large: \d+\. this model's maximum context\b/i,
    source: 'https://github.com/vllm-project/vllm/blob/main/vllm/v1/engine/processor.py',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'SGLang',
    contains:
      /\binput length \(\d+ tokens\) exceeds the maximum allowed length\b|\brequested token count exceeds the model's\b/i,
    source: 'https://github.com/BerriAI/litellm/issues/10793',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'llama.cpp, llamafile, Ollama',
    codes: 'exceed_context_size_error',
    contains: /\bexceeds the available context size\b|\binput length exceeds (the|maximum) context length\b/i,
    source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'LM Studio',
    contains:
      /\bwhen context the overflows\b|\bto keep from the initial prompt is greater than the context length\b|^reached context length of \d+/i,
    source: 'https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/237',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'Cloudflare',
    codes: '5021',
    contains: /\bexceeded this model context window limit\b/i,
    source: 'https://developers.cloudflare.com/workers-ai/platform/errors/',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'GitHub Copilot and Models',
    codes: 'model_max_prompt_tokens_exceeded tokens_limit_reached',
    contains: /\bprompt token count of \d+ exceeds the limit of\b/i,
    source: 'https://github.com/orgs/community/discussions/149698',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'LiteLLM',
    contains: /\bcontext ?window ?exceeded\b/i,
    source: 'https://github.com/anomalyco/opencode/issues/44888',
    date: '2026-11',
  },
  {
    kind: 'context_overflow',
    of: 'servers without a form of their own, in the words that all of them share',
    codes: 'prompt_too_long input_too_long context_too_long InvalidParameter.ContextLengthExceeded',
    contains:
      /\bcontext[ -]?(window|length|size|limit)\b.{0,60}\b(exceed\w*|overflow\w*)|\b(exceed\w*|over|longer than|larger than)\b.{0,60}\bcontext[ -]?(window|length|size|limit)\b|\b(prompt|input|messages?)\b.{0,20}\btoo long\b.{0,80}\btokens?\b|\btoo many tokens in (the )?prompt\b|(上下文|输入|提示词).{0,12}(超过|超出|超长|过长)/i,
    source: 'https://github.com/BerriAI/litellm/issues/10793',
    date: '2026-11',
  },
]

/** Forms in which upstreams say that the requested output alone is longer than the model can write. */
export const outputForms: readonly ErrorForm[] = [
  {
    kind: 'output_limit',
    of: 'OpenAI, Azure',
    contains: /\bmax_(completion_)?tokens is too large\b.{0,60}\bsupports at most \d+ completion tokens\b/i,
    source: 'https://community.openai.com/t/max-tokens-is-too-large/1084264',
    date: '2026-11',
  },
  {
    kind: 'output_limit',
    of: 'Anthropic, Bedrock',
    contains:
      /\bmaximum allowed number of output tokens\b|\bmaximum tokens you requested exceeds the model limit\b/i,
    source: 'https://platform.claude.com/docs/en/api/errors',
    date: '2026-11',
  },
  {
    kind: 'output_limit',
    of: 'Gemini, Vertex',
    contains: /\bmax_?output_?tokens value of \d+ but the supported range\b/i,
    source: 'https://cloud.google.com/vertex-ai/generative-ai/docs/error-code-429',
    date: '2026-11',
  },
  {
    kind: 'output_limit',
    of: 'DeepSeek, Ali, Moonshot, Volcengine',
    contains: /\bvalid range of max_tokens is\b|\brange of max_(completion_)?tokens should be\b/i,
    source: 'https://help.aliyun.com/zh/model-studio/error-code',
    date: '2026-11',
  },
  {
    kind: 'output_limit',
    of: 'Groq, Cerebras, Mistral, xAI',
    contains: /`?max_(completion_)?tokens`?\W+must be less than or equal to `?\d+/i,
    source: 'https://console.groq.com/docs/errors',
    date: '2026-11',
  },
]
