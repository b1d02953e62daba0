import type { TokenCounts } from '../errors/token-counts.ts'
import type { UpstreamErrorKind } from '../errors/upstream-error.ts'

/** A refusal as an upstream sends it. */
export interface Refusal {
  readonly of: string
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly kind: UpstreamErrorKind
  readonly tokens?: TokenCounts
}

/** Facts of the operator's account: none of them may reach a caller. */
export const accountMarkers = [
  'org-7f3e9a1c5d2b4e68',
  'org_01jab3c4d5e6f7g8h9',
  '99c74652-6e33-4dbd-93f3-5b545da15ade',
  'ak-f8tyo15zao8111h11q4i',
  'sk-live-9f8e7d6c5b4a39281706',
  'vip-resale',
  '0.230000',
  '0.290000',
  '26.075',
  '444455556666',
  'acme-prod-4711',
  'owner@acme.example',
  '77431',
] as const

const [
  org,
  groqOrg,
  team,
  moonshotKey,
  leakedKey,
  group,
  left,
  needed,
  spent,
  awsAccount,
  project,
  mail,
  tpm,
] = accountMarkers

const openAi = (
  message: string,
  code: string | null,
  type = 'invalid_request_error',
  param: string | null = null,
) => ({
  error: { message, type, param, code },
})
const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } })
const google = (code: number, status: string, message: string, reason?: string) => ({
  error: {
    code,
    message,
    status,
    ...(reason && { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] }),
  },
})
const aws = (name: string) => ({ 'x-amzn-errortype': `${name}:http://internal.amazon.com/` })

/** Accounts without money or credit. */
const outOfCredit: readonly Refusal[] = [
  {
    of: 'openai',
    status: 429,
    kind: 'quota',
    body: openAi(
      'You exceeded your current quota, please check your plan and billing details.',
      'insufficient_quota',
      'insufficient_quota',
    ),
  },
  {
    of: 'openai, billing',
    status: 400,
    kind: 'quota',
    body: openAi('Billing hard limit has been reached', 'billing_hard_limit_reached'),
  },
  {
    of: 'openai, inactive',
    status: 429,
    kind: 'quota',
    body: openAi(
      'Your account is not active, please check your billing details on our website.',
      'billing_not_active',
      'billing_not_active',
    ),
  },
  {
    of: 'anthropic',
    status: 400,
    kind: 'quota',
    body: anthropic(
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ),
  },
  {
    of: 'anthropic, billing',
    status: 402,
    kind: 'quota',
    body: anthropic('billing_error', 'Billing is not active.'),
  },
  {
    of: 'deepseek',
    status: 402,
    kind: 'quota',
    body: openAi('Insufficient Balance', 'invalid_request_error', 'unknown_error'),
  },
  {
    of: 'moonshot',
    status: 429,
    kind: 'quota',
    body: {
      error: {
        message: `Your account ${org} <${moonshotKey}> is suspended due to insufficient balance, please recharge your account`,
        type: 'exceeded_current_quota_error',
      },
    },
  },
  {
    of: 'zhipu',
    status: 429,
    kind: 'quota',
    body: { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } },
  },
  {
    of: 'zhipu abroad',
    status: 429,
    kind: 'quota',
    body: {
      error: { code: '1113', message: 'Insufficient balance or no resource package. Please recharge.' },
    },
  },
  {
    of: 'ali',
    status: 400,
    kind: 'quota',
    body: openAi(
      'Access denied, please make sure your account is in good standing.',
      'Arrearage',
      'Arrearage',
    ),
  },
  {
    of: 'siliconflow',
    status: 403,
    kind: 'quota',
    body: { code: 30001, message: 'Sorry, your account balance is insufficient', data: null },
  },
  {
    of: 'volcengine',
    status: 403,
    kind: 'quota',
    body: {
      error: {
        code: 'AccountOverdueError',
        message: `The request failed because your account ${awsAccount} has an overdue balance.`,
        type: 'Forbidden',
      },
    },
  },
  {
    of: 'minimax',
    status: 200,
    kind: 'quota',
    body: { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } },
  },
  {
    of: 'tencent',
    status: 200,
    kind: 'quota',
    body: {
      Response: {
        RequestId: 'r',
        Error: { Code: 'FailedOperation.ResourcePackExhausted', Message: '资源包余量已用尽' },
      },
    },
  },
  {
    of: 'xai, a new team',
    status: 403,
    kind: 'quota',
    body: {
      code: 'The caller does not have permission to execute the specified operation',
      error: `Your newly created team doesn't have any credits yet. You can purchase credits on https://console.x.ai/team/${team}.`,
    },
  },
  {
    of: 'xai, spent',
    status: 429,
    kind: 'quota',
    body: {
      code: 'Some resource has been exhausted',
      error: `Your team ${team} has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit.`,
    },
  },
  {
    of: 'openrouter',
    status: 402,
    kind: 'quota',
    body: {
      error: {
        code: 402,
        message:
          'This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 2666.',
      },
      user_id: 'user_35tI40u3gKTM',
    },
  },
  {
    of: 'together',
    status: 402,
    kind: 'quota',
    body: openAi(
      'Credit limit exceeded, please navigate to billing settings to update your credit limit.',
      null,
      'credit_limit',
    ),
  },
  {
    of: 'gemini',
    status: 429,
    kind: 'quota',
    body: google(
      429,
      'RESOURCE_EXHAUSTED',
      'Your prepayment credits are depleted. Please go to AI Studio to manage your project and billing.',
    ),
  },
  {
    of: 'vertex',
    status: 403,
    kind: 'quota',
    body: google(
      403,
      'PERMISSION_DENIED',
      `This API method requires billing to be enabled. Please enable billing on project #${awsAccount}`,
      'BILLING_DISABLED',
    ),
  },
  {
    of: 'cohere',
    status: 402,
    kind: 'quota',
    body: { id: 'e', message: 'please add or update your payment method at the billing page' },
  },
  {
    of: 'replicate',
    status: 402,
    kind: 'quota',
    body: {
      title: 'Insufficient credit',
      detail: 'You have insufficient credit to run this model.',
      status: 402,
    },
  },
  {
    of: 'novita',
    status: 403,
    kind: 'quota',
    body: { code: 403, reason: 'NOT_ENOUGH_BALANCE', message: 'not enough balance', metadata: {} },
  },
  {
    of: 'dify',
    status: 400,
    kind: 'quota',
    body: {
      code: 'provider_quota_exceeded',
      message: 'Your quota for Dify Hosted Model Provider has been exhausted.',
      status: 400,
    },
  },
  {
    of: 'new-api',
    status: 403,
    kind: 'quota',
    body: openAi(
      `用户额度不足, 剩余额度: ＄${left} (request id: 20261128)`,
      'insufficient_user_quota',
      'new_api_error',
    ),
  },
  {
    of: 'new-api, by the call',
    status: 403,
    kind: 'quota',
    body: openAi(
      `预扣费额度失败, 用户剩余额度: ¥${left}, 需要预扣费额度: ¥${needed} (request id: 20261128)`,
      '',
      'new_api_error',
    ),
  },
  {
    of: 'new-api, its key',
    status: 403,
    kind: 'quota',
    body: openAi(
      `token quota is not enough, token remain quota: ＄${left}, need quota: ＄${needed}`,
      'pre_consume_token_quota_failed',
      'new_api_error',
    ),
  },
  {
    of: 'one-api',
    status: 401,
    kind: 'quota',
    body: openAi(
      `该令牌额度已用尽 !token.UnlimitedQuota && token.RemainQuota = -${left}`,
      '',
      'one_api_error',
    ),
  },
  {
    of: 'litellm',
    status: 400,
    kind: 'quota',
    body: openAi(
      `Budget has been exceeded! Team=${team} Current cost: ${spent}, Max budget: 0.25`,
      '400',
      'budget_exceeded',
    ),
  },
  {
    of: 'sub2api',
    status: 403,
    kind: 'quota',
    body: { code: 'INSUFFICIENT_BALANCE', message: 'Insufficient account balance' },
  },
]

/** Accounts and keys that are out of service for another reason. */
const dead: readonly Refusal[] = [
  {
    of: 'openai',
    status: 401,
    kind: 'suspended',
    body: openAi(`The OpenAI account associated with ${org} has been deactivated.`, 'account_deactivated'),
  },
  {
    of: 'anthropic',
    status: 400,
    kind: 'suspended',
    body: anthropic('invalid_request_error', 'This organization has been disabled.'),
  },
  {
    of: 'groq',
    status: 400,
    kind: 'suspended',
    body: openAi(
      'Organization has been restricted. Please reach out to support if you believe this was in error.',
      'organization_restricted',
    ),
  },
  {
    of: 'fireworks',
    status: 412,
    kind: 'suspended',
    body: {
      error: {
        code: 'PRECONDITION_FAILED',
        message: `Account ${project} is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.`,
      },
    },
  },
  {
    of: 'zhipu',
    status: 403,
    kind: 'suspended',
    body: { error: { code: '1112', message: '您的账户已被锁定' } },
  },
  {
    of: 'google',
    status: 403,
    kind: 'suspended',
    body: google(
      403,
      'PERMISSION_DENIED',
      `Permission denied: Consumer 'projects/${awsAccount}' has been suspended.`,
      'CONSUMER_SUSPENDED',
    ),
  },
  { of: 'new-api', status: 403, kind: 'suspended', body: openAi('用户已被封禁', '', 'new_api_error') },
  {
    of: 'openai',
    status: 401,
    kind: 'unauthorized',
    body: openAi(`Incorrect API key provided: ${leakedKey}.`, 'invalid_api_key'),
  },
  {
    of: 'xai',
    status: 400,
    kind: 'unauthorized',
    body: { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***y.' },
  },
  {
    of: 'gemini',
    status: 400,
    kind: 'unauthorized',
    body: google(
      400,
      'INVALID_ARGUMENT',
      'API key not valid. Please pass a valid API key.',
      'API_KEY_INVALID',
    ),
  },
  {
    of: 'bedrock',
    status: 403,
    kind: 'unauthorized',
    headers: aws('UnrecognizedClientException'),
    body: { message: 'The security token included in the request is invalid.' },
  },
  {
    of: 'litellm',
    status: 401,
    kind: 'unauthorized',
    body: openAi(
      `Authentication Error, Invalid proxy server token passed. Received API Key = ${leakedKey}, Key Hash (Token) =${team}`,
      '401',
      'auth_error',
    ),
  },
  { of: 'new-api', status: 401, kind: 'unauthorized', body: openAi('无效的令牌', '', 'new_api_error') },
  {
    of: 'anthropic',
    status: 403,
    kind: 'forbidden',
    body: anthropic(
      'permission_error',
      'Your API key does not have permission to use the specified resource.',
    ),
  },
  {
    of: 'bedrock',
    status: 403,
    kind: 'forbidden',
    headers: aws('AccessDeniedException'),
    body: {
      message: `User: arn:aws:iam::${awsAccount}:user/bob is not authorized to perform: bedrock:InvokeModel`,
    },
  },
  {
    of: 'new-api, a group',
    status: 403,
    kind: 'forbidden',
    body: openAi(`无权访问 ${group} 分组`, '', 'new_api_error'),
  },
  {
    of: 'litellm, a team',
    status: 401,
    kind: 'forbidden',
    body: openAi(
      `team not allowed to access model. This team can only access models=['x']. Team=${team}`,
      '401',
      'team_model_access_denied',
    ),
  },
  {
    of: 'anthropic, its own limit',
    status: 400,
    kind: 'account_limited',
    body: anthropic(
      'invalid_request_error',
      'You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.',
    ),
  },
  {
    of: 'hugging face',
    status: 402,
    kind: 'account_limited',
    body: {
      error: 'You have exceeded your monthly included credits for Inference Providers. Subscribe to PRO.',
    },
  },
  {
    of: 'ali',
    status: 403,
    kind: 'account_limited',
    body: openAi('The free tier of the model has been exhausted.', 'AllocationQuota.FreeTierOnly'),
  },
  {
    of: 'zhipu',
    status: 429,
    kind: 'account_limited',
    body: { error: { code: '1308', message: '已达到 5 小时的使用上限。您的限额将重置。' } },
  },
  {
    of: 'codex',
    status: 429,
    kind: 'account_limited',
    body: {
      error: { type: 'usage_limit_reached', message: 'The usage limit has been reached', plan_type: 'pro' },
    },
  },
]

/** Prompts that exceed a context. */
const overflows: readonly Refusal[] = [
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

/** What concerns the call otherwise, and what the upstream is short of. */
const others: readonly Refusal[] = [
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
  { of: 'a gateway', status: 500, kind: 'upstream_bug', body: openAi(`上游余额 ＄${left}`, '', 'x') },
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

/** Refusals of upstreams as they send them, with what they mean. Synthetic, from the forms in `errors/forms`. */
export const refusals: readonly Refusal[] = [...outOfCredit, ...dead, ...overflows, ...others]
