import { anthropic, aws, google, openAi, type Refusal } from './refusal.ts'

/** Prompts that exceed a context, as vendors of models and clouds refuse them. */
export const overflowsOfVendors: readonly Refusal[] = [
  {
    of: 'openai',
    status: 400,
    tokens: { max: 128_000, prompt: 130_000 },
    body: openAi(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. Please reduce the length of the messages.",
      'context_length_exceeded',
      'invalid_request_error',
      'messages',
    ),
  },
  {
    of: 'openai responses',
    status: 400,
    body: openAi(
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
      'context_length_exceeded',
      'invalid_request_error',
      'input',
    ),
  },
  {
    of: 'azure',
    status: 400,
    tokens: { max: 272_000, prompt: 509_178 },
    body: openAi(
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens. Please reduce the length of the messages.',
      'context_length_exceeded',
    ),
  },
  {
    of: 'vllm',
    status: 400,
    tokens: { max: 4096, total: 5000, prompt: 4000, output: 1000 },
    body: {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
  },
  {
    of: 'vllm, newer',
    status: 400,
    tokens: { max: 196_608, output: 16_384, prompt: 180_225 },
    body: {
      error: {
        message:
          "This model's maximum context length is 196608 tokens. However, you requested 16384 output tokens and your prompt contains at least 180225 input tokens, for a total of at least 196609 tokens.",
        type: 'BadRequestError',
        param: 'input_tokens',
        code: 400,
      },
    },
  },
  {
    of: 'deepseek',
    status: 400,
    tokens: { max: 65_536, total: 70_000, prompt: 66_000, output: 4000 },
    body: openAi(
      "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
      'invalid_request_error',
    ),
  },
  {
    of: 'openrouter',
    status: 400,
    tokens: { max: 32_768, prompt: 42_832 },
    body: {
      error: {
        code: 400,
        message:
          "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input). Please reduce the length of either one.",
      },
    },
  },
  {
    of: 'openrouter, wrapped',
    status: 400,
    tokens: { prompt: 208_310, max: 200_000 },
    body: {
      error: {
        code: 400,
        message: 'Provider returned error',
        metadata: {
          provider_name: 'Anthropic',
          raw: '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 208310 tokens > 200000 maximum"}}',
        },
      },
    },
  },
  {
    of: 'anthropic',
    status: 400,
    tokens: { prompt: 208_310, max: 200_000 },
    body: anthropic('invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum'),
  },
  {
    of: 'anthropic, with its output',
    status: 400,
    tokens: { prompt: 188_240, output: 21_333, max: 200_000 },
    body: anthropic(
      'invalid_request_error',
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    ),
  },
  {
    of: 'bedrock',
    status: 400,
    headers: aws('ValidationException'),
    body: { message: 'Input is too long for requested model.' },
  },
  {
    of: 'bedrock, claude',
    status: 400,
    headers: aws('ValidationException'),
    tokens: { prompt: 208_310, max: 200_000 },
    body: {
      message: 'The model returned the following errors: prompt is too long: 208310 tokens > 200000 maximum',
    },
  },
  {
    of: 'bedrock, titan',
    status: 400,
    headers: aws('ValidationException'),
    tokens: { max: 8192, prompt: 10_000 },
    body: {
      message:
        '400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 10000',
    },
  },
  {
    of: 'gemini',
    status: 400,
    tokens: { prompt: 2_800_010, max: 1_048_575 },
    body: google(
      400,
      'INVALID_ARGUMENT',
      'The input token count (2800010) exceeds the maximum number of tokens allowed (1048575).',
    ),
  },
  {
    of: 'gemini, newer',
    status: 400,
    tokens: { max: 1_048_576 },
    body: google(
      400,
      'INVALID_ARGUMENT',
      'The input token count exceeds the maximum number of tokens allowed (1048576).',
    ),
  },
  {
    of: 'vertex',
    status: 400,
    tokens: { prompt: 2_000_000, max: 1_048_576 },
    body: google(
      400,
      'INVALID_ARGUMENT',
      'Unable to submit request because the input token count is 2,000,000 but model only supports up to 1048576. Reduce the input token count and try again.',
    ),
  },
  {
    of: 'moonshot',
    status: 400,
    tokens: { max: 131_072, prompt: 140_000 },
    body: openAi(
      'Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)',
      null,
    ),
  },
  { of: 'zhipu', status: 400, body: { error: { code: '1261', message: 'Prompt exceeds max length' } } },
  {
    of: 'ali',
    status: 400,
    tokens: { max: 129_024 },
    body: openAi(
      '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]',
      'invalid_parameter_error',
    ),
  },
  {
    of: 'siliconflow',
    status: 400,
    tokens: { prompt: 40_000, max: 32_768 },
    body: {
      code: 20_015,
      message: 'length of prompt_tokens (40000) must be less than max_seq_len (32768).',
      data: null,
    },
  },
  {
    of: 'volcengine',
    status: 400,
    body: {
      error: {
        code: 'InvalidParameter',
        message: 'Total tokens of image and text exceed max message tokens. Request id: 0217',
        param: '',
        type: 'BadRequest',
      },
    },
  },
  {
    of: 'minimax',
    status: 200,
    body: {
      base_resp: { status_code: 2013, status_msg: 'invalid params, context window exceeds limit (2013)' },
    },
  },
  {
    of: 'xai',
    status: 400,
    tokens: { max: 131_072, prompt: 150_000 },
    body: {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
    },
  },
].map((refusal) => ({ ...refusal, kind: 'context_overflow' }) as const)
