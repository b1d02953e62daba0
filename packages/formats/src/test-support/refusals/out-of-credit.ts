import {
  anthropic,
  awsAccount,
  google,
  left,
  moonshotKey,
  needed,
  openAi,
  org,
  type Refusal,
  spent,
  team,
} from './refusal.ts'

/** Accounts without money or credit. */
export const outOfCredit: readonly Refusal[] = [
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
