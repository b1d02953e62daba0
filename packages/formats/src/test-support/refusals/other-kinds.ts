import {
  anthropic,
  google,
  groqOrg,
  group,
  mail,
  openAi,
  org,
  project,
  type Refusal,
  team,
  tpm,
} from './refusal.ts'

/** Refusals that concern the call otherwise, or that the upstream makes for lack of something. */
export const otherKinds: readonly Refusal[] = [
  {
    of: 'openai',
    status: 400,
    kind: 'output_limit',
    tokens: { output: 100_000, max: 16_384 },
    body: openAi(
      'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
      'invalid_value',
      'invalid_request_error',
      'max_tokens',
    ),
  },
  {
    of: 'anthropic',
    status: 400,
    kind: 'output_limit',
    tokens: { output: 100_000, max: 64_000 },
    body: anthropic(
      'invalid_request_error',
      'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5',
    ),
  },
  {
    of: 'ali',
    status: 400,
    kind: 'output_limit',
    tokens: { max: 8192 },
    body: openAi(
      '<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]',
      'invalid_parameter_error',
    ),
  },
  {
    of: 'azure',
    status: 400,
    kind: 'content_policy',
    body: openAi(
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      'content_filter',
      '',
    ),
  },
  {
    of: 'ali',
    status: 400,
    kind: 'content_policy',
    body: openAi(
      'Input data may contain inappropriate content.',
      'data_inspection_failed',
      'data_inspection_failed',
    ),
  },
  {
    of: 'deepseek',
    status: 400,
    kind: 'content_policy',
    body: openAi('Content Exists Risk', 'invalid_request_error'),
  },
  {
    of: 'openai',
    status: 429,
    kind: 'rate_limited',
    headers: { 'retry-after': '7' },
    body: openAi(
      `Rate limit reached for gpt-4o in organization ${org} on tokens per min (TPM): Limit ${tpm}, Used 29000, Requested 4000. Please try again in 6s.`,
      'rate_limit_exceeded',
      'tokens',
    ),
  },
  {
    of: 'groq',
    status: 429,
    kind: 'rate_limited',
    body: openAi(
      `Rate limit reached for model \`x\` in organization \`${groqOrg}\` service tier \`on_demand\` on tokens per minute (TPM): Limit ${tpm}, Used 5000, Requested 3000. Please try again in 19.9s. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing`,
      'rate_limit_exceeded',
      'tokens',
    ),
  },
  {
    of: 'gemini',
    status: 429,
    kind: 'rate_limited',
    body: google(
      429,
      'RESOURCE_EXHAUSTED',
      `You exceeded your current quota, please check your plan and billing details. * Quota exceeded for metric: generate_content_free_tier_requests, limit: ${tpm}, model: gemini-2.5-flash Please retry in 27.5s.`,
    ),
  },
  {
    of: 'new-api',
    status: 429,
    kind: 'rate_limited',
    body: openAi(`您已达到请求数限制：1分钟内最多请求${tpm}次`, '', 'new_api_error'),
  },
  {
    of: 'moonshot',
    status: 429,
    kind: 'overloaded',
    body: {
      error: {
        message: 'The engine is currently overloaded, please try again later',
        type: 'engine_overloaded_error',
      },
    },
  },
  { of: 'anthropic', status: 529, kind: 'overloaded', body: anthropic('overloaded_error', 'Overloaded') },
  {
    of: 'openai',
    status: 404,
    kind: 'model_not_found',
    body: openAi('The model `gpt-9` does not exist or you do not have access to it.', 'model_not_found'),
  },
  {
    of: 'siliconflow',
    status: 400,
    kind: 'model_not_found',
    body: { code: 20_012, message: 'Model does not exist. Please check it carefully.', data: null },
  },
  {
    of: 'vertex',
    status: 404,
    kind: 'model_not_found',
    body: google(
      404,
      'NOT_FOUND',
      `Publisher Model \`projects/${project}/locations/us/publishers/google/models/x\` was not found or your project does not have access to it.`,
    ),
  },
  {
    of: 'new-api, a group',
    status: 503,
    kind: 'model_not_found',
    body: openAi(
      `当前分组 ${group} 下对于模型 x 无可用渠道（distributor）`,
      'model_not_found',
      'new_api_error',
    ),
  },
  {
    of: 'new-api, a group',
    status: 503,
    kind: 'model_not_found',
    body: openAi(
      `No available channel for model x under group ${group} (distributor)`,
      'model_not_found',
      'new_api_error',
    ),
  },
  {
    of: 'openai',
    status: 500,
    kind: 'upstream_bug',
    body: openAi(`The server had an error. Contact ${mail} (team ${team}).`, null, 'server_error'),
  },
  {
    of: 'openai',
    status: 400,
    kind: 'bad_request',
    body: openAi(
      "Invalid value: 'Insufficient balance'. Supported values are: 'a'.",
      null,
      'invalid_request_error',
      'x',
    ),
  },
]
