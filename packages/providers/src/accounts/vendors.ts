import type { JsonObject } from '@tollgate/formats'
import { type AccountRefusals, openAiBody, refused } from './account-refusal.ts'

/** Vendors of models, and the clouds that host them. */

const openAiCodes = 'https://platform.openai.com/docs/guides/error-codes'
const claudeErrors = 'https://platform.claude.com/docs/en/api/errors'
const googleErrors = 'https://cloud.google.com/apis/design/errors'
const claude = (type: string, message: string): JsonObject => ({ type: 'error', error: { type, message } })
const google = (code: number, status: string, message: string, reason?: string): JsonObject => ({
  error: {
    code,
    message,
    status,
    ...(reason && { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason }] }),
  },
})

const openai: AccountRefusals = {
  outOfCredit: refused(
    429,
    openAiBody(
      'You exceeded your current quota, please check your plan and billing details.',
      'insufficient_quota',
      'insufficient_quota',
    ),
    openAiCodes,
  ),
  suspended: refused(
    401,
    openAiBody('The OpenAI account associated with this key has been deactivated.', 'account_deactivated'),
    openAiCodes,
  ),
  keyRefused: refused(
    401,
    openAiBody('Incorrect API key provided: sk-x***y.', 'invalid_api_key'),
    openAiCodes,
  ),
}

const azure: AccountRefusals = {
  outOfCredit: 'unknown',
  suspended: 'unknown',
  keyRefused: refused(
    401,
    {
      error: {
        code: '401',
        message:
          'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription.',
      },
    },
    'https://learn.microsoft.com/azure/ai-foundry/openai/how-to/troubleshoot',
  ),
}

const suspendedAtGoogle = refused(
  403,
  google(
    403,
    'PERMISSION_DENIED',
    "Permission denied: Consumer 'api_key:x' has been suspended.",
    'CONSUMER_SUSPENDED',
  ),
  googleErrors,
)

export const vendorAccounts: Readonly<Record<string, AccountRefusals>> = {
  openai,
  sora: openai,
  azure,
  'azure-ai-foundry': azure,
  anthropic: {
    outOfCredit: refused(
      400,
      claude('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
      claudeErrors,
    ),
    suspended: refused(
      400,
      claude('invalid_request_error', 'This organization has been disabled.'),
      'https://github.com/anthropics/claude-code/issues/72457',
    ),
    keyRefused: refused(401, claude('authentication_error', 'invalid x-api-key'), claudeErrors),
  },
  aws: {
    outOfCredit: 'unknown',
    suspended: 'unknown',
    keyRefused: refused(
      403,
      { message: 'The security token included in the request is invalid.' },
      'https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html',
      { 'x-amzn-errortype': 'UnrecognizedClientException:http://internal.amazon.com/' },
    ),
  },
  gemini: {
    outOfCredit: refused(
      429,
      google(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'),
      'https://ai.google.dev/gemini-api/docs/billing',
    ),
    suspended: suspendedAtGoogle,
    keyRefused: refused(
      400,
      google(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', 'API_KEY_INVALID'),
      'https://ai.google.dev/gemini-api/docs/troubleshooting',
    ),
  },
  vertex: {
    outOfCredit: refused(
      403,
      google(403, 'PERMISSION_DENIED', 'This API method requires billing to be enabled.', 'BILLING_DISABLED'),
      googleErrors,
    ),
    suspended: suspendedAtGoogle,
    keyRefused: refused(
      401,
      google(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
      googleErrors,
    ),
  },
  xai: {
    outOfCredit: refused(
      403,
      {
        code: 'The caller does not have permission to execute the specified operation',
        error: "Your newly created team doesn't have any credits yet.",
      },
      'https://github.com/continuedev/continue/issues/10373',
    ),
    suspended: 'unknown',
    keyRefused: refused(
      400,
      { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***y.' },
      'https://docs.x.ai/docs/guides/debugging',
    ),
  },
  mistral: {
    outOfCredit: 'unknown',
    suspended: 'unknown',
    keyRefused: refused(
      401,
      { detail: 'Unauthorized' },
      'https://github.com/nextcloud/integration_openai/issues/332',
    ),
  },
  cohere: {
    outOfCredit: refused(
      402,
      { message: 'please add or update your payment method at the billing page' },
      'https://docs.cohere.com/reference/errors',
    ),
    suspended: 'unknown',
    keyRefused: refused(
      401,
      { message: 'invalid api token' },
      'https://github.com/cohere-ai/cohere-toolkit/issues/857',
    ),
  },
  deepseek: {
    outOfCredit: refused(
      402,
      openAiBody('Insufficient Balance', 'invalid_request_error', 'unknown_error'),
      'https://api-docs.deepseek.com/quick_start/error_codes',
    ),
    suspended: 'unknown',
    keyRefused: refused(
      401,
      openAiBody('Authentication Fails (no such user)', 'invalid_request_error', 'authentication_error'),
      'https://api-docs.deepseek.com/quick_start/error_codes',
    ),
  },
}
