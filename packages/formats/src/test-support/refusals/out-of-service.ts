import {
  anthropic,
  aws,
  awsAccount,
  google,
  group,
  leakedKey,
  openAi,
  org,
  project,
  type Refusal,
  team,
} from './refusal.ts'

/** Accounts and keys that are out of service for another reason. */
export const outOfService: readonly Refusal[] = [
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
