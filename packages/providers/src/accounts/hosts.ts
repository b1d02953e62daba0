import { type AccountRefusals, openAiBody, refused } from './account-refusal.ts'

/** Hosts of others' models, routers and services of one kind. */

export const hostAccounts: Readonly<Record<string, AccountRefusals>> = {
  groq: {
    outOfCredit: 'unknown',
    suspended: refused(
      400,
      openAiBody('Organization has been restricted. Please reach out to support.', 'organization_restricted'),
      'https://console.groq.com/docs/errors',
    ),
    keyRefused: refused(
      401,
      openAiBody('Invalid API Key', 'invalid_api_key'),
      'https://console.groq.com/docs/errors',
    ),
  },
  cerebras: {
    outOfCredit: 'unknown',
    suspended: 'unknown',
    keyRefused: refused(
      401,
      { message: 'Wrong API Key', type: 'invalid_request_error', param: 'api_key', code: 'wrong_api_key' },
      'https://inference-docs.cerebras.ai/support/error',
    ),
  },
  fireworks: {
    outOfCredit: 'unknown',
    suspended: refused(
      412,
      {
        error: {
          code: 'PRECONDITION_FAILED',
          message: 'Account x is suspended, possibly due to reaching the monthly spending limit.',
        },
      },
      'https://github.com/amd/gaia/issues/3766',
    ),
    keyRefused: 'unknown',
  },
  together: {
    outOfCredit: refused(
      402,
      openAiBody(
        'Credit limit exceeded, please navigate to billing settings to update your credit limit.',
        null,
        'credit_limit',
      ),
      'https://docs.together.ai/docs/error-codes',
    ),
    suspended: 'unknown',
    keyRefused: refused(
      401,
      openAiBody('Invalid API key provided.', 'invalid_api_key'),
      'https://docs.together.ai/docs/error-codes',
    ),
  },
  openrouter: {
    outOfCredit: refused(
      402,
      { error: { code: 402, message: 'This request requires more credits, or fewer max_tokens.' } },
      'https://openrouter.ai/docs/api/reference/errors-and-debugging',
    ),
    suspended: 'unknown',
    keyRefused: refused(
      401,
      { error: { code: 401, message: 'User not found.' } },
      'https://openrouter.ai/docs/api/reference/errors-and-debugging',
    ),
  },
  nvidia: {
    outOfCredit: 'unknown',
    suspended: 'unknown',
    keyRefused: refused(
      403,
      { status: 403, title: 'Forbidden', detail: 'Authorization failed' },
      'https://github.com/dmMaze/BallonsTranslator/issues/1233',
    ),
  },
  huggingface: {
    outOfCredit: refused(
      402,
      { error: 'You have exceeded your monthly included credits for Inference Providers.' },
      'https://github.com/huggingface/agents-course/issues/386',
    ),
    suspended: 'unknown',
    keyRefused: 'unknown',
  },
  novita: {
    outOfCredit: refused(
      403,
      { code: 403, reason: 'NOT_ENOUGH_BALANCE', message: 'not enough balance', metadata: {} },
      'https://novita.ai/docs/api-reference/basic-error-code',
    ),
    suspended: 'unknown',
    keyRefused: 'unknown',
  },
  cloudflare: {
    outOfCredit: refused(
      429,
      {
        success: false,
        errors: [{ code: 4006, message: 'you have used up your daily free allocation of 10,000 neurons' }],
      },
      'https://developers.cloudflare.com/workers-ai/platform/errors/',
    ),
    suspended: 'unknown',
    keyRefused: refused(
      401,
      { success: false, errors: [{ code: 10000, message: 'Authentication error' }] },
      'https://developers.cloudflare.com/fundamentals/api/troubleshooting/',
    ),
  },
  replicate: {
    outOfCredit: refused(
      402,
      {
        title: 'Insufficient credit',
        detail: 'You have insufficient credit to run this model.',
        status: 402,
      },
      'https://replicate.com/docs/topics/billing/prepaid-credit',
    ),
    suspended: 'unknown',
    keyRefused: refused(
      401,
      { title: 'Unauthenticated', detail: 'You did not pass a valid authentication token', status: 401 },
      'https://replicate.com/docs/reference/http',
    ),
  },
  jina: {
    outOfCredit: refused(
      402,
      { detail: 'Account balance not enough to run this query, please recharge.' },
      'https://github.com/jina-ai/node-DeepResearch/issues/21',
    ),
    suspended: 'unknown',
    keyRefused: 'unknown',
  },
  dify: {
    outOfCredit: refused(
      400,
      {
        code: 'provider_quota_exceeded',
        message: 'Your quota for Dify Hosted Model Provider has been exhausted.',
        status: 400,
      },
      'https://docs.dify.ai/api-reference/chat/send-chat-message',
    ),
    suspended: 'unknown',
    keyRefused: refused(
      401,
      { code: 'unauthorized', message: 'Access token is invalid', status: 401 },
      'https://docs.dify.ai/api-reference/chat/send-chat-message',
    ),
  },
  midjourney: {
    outOfCredit: refused(
      200,
      { code: 3, description: '无可用的账号实例' },
      'https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md',
    ),
    suspended: 'unknown',
    keyRefused: 'unknown',
  },
}
