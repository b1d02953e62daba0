import { openAi, type Refusal } from './refusal.ts'

/** The same as hosts of open models and servers refuse them. */
export const overflowsOfHosts: readonly Refusal[] = [
  {
    of: 'groq',
    status: 400,
    body: openAi(
      'Please reduce the length of the messages or completion.',
      'context_length_exceeded',
      'invalid_request_error',
      'messages',
    ),
  },
  {
    of: 'cerebras',
    status: 400,
    tokens: { prompt: 9000, max: 8192 },
    body: {
      message:
        'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  },
  {
    of: 'mistral',
    status: 400,
    tokens: { prompt: 40_000, max: 32_768 },
    body: {
      object: 'error',
      message:
        'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_prompt',
      code: '3051',
    },
  },
  {
    of: 'together',
    status: 422,
    tokens: { max: 8193, prompt: 9000, output: 512 },
    body: openAi(
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`',
      null,
    ),
  },
  {
    of: 'fireworks',
    status: 400,
    tokens: { prompt: 140_000, max: 131_071 },
    body: openAi('The prompt is too long: 140000, model maximum context length: 131071', null),
  },
  {
    of: 'cohere',
    status: 400,
    tokens: { max: 128_000 },
    body: {
      message:
        'too many tokens: size limit exceeded by 1 tokens. Try using shorter or fewer inputs. The limit for this model is 128000 tokens.',
    },
  },
  {
    of: 'sglang',
    status: 400,
    tokens: { prompt: 5000, max: 4096 },
    body: {
      object: 'error',
      message: "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
      type: 'BadRequestError',
      code: 400,
    },
  },
  {
    of: 'llama.cpp',
    status: 400,
    tokens: { prompt: 5000, max: 4096 },
    body: {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5000,
        n_ctx: 4096,
      },
    },
  },
  {
    of: 'lm studio',
    status: 400,
    tokens: { prompt: 5000, max: 4096 },
    body: {
      error:
        'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    },
  },
  {
    of: 'cloudflare',
    status: 400,
    tokens: { total: 9000, max: 8192 },
    body: {
      success: false,
      errors: [
        {
          code: 5021,
          message:
            'The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (8192).',
        },
      ],
      messages: [],
      result: null,
    },
  },
  { of: 'perplexity', status: 400, body: openAi('The total length of all messages is too long.', '400') },
  {
    of: 'ollama',
    status: 500,
    body: { error: { message: 'the input length exceeds the context length', type: 'api_error' } },
  },
  {
    of: 'litellm',
    status: 400,
    tokens: { prompt: 208_310, max: 200_000 },
    body: openAi(
      'litellm.ContextWindowExceededError: AnthropicException - prompt is too long: 208310 tokens > 200000 maximum',
      '400',
      '',
    ),
  },
].map((refusal) => ({ ...refusal, kind: 'context_overflow' }) as const)
