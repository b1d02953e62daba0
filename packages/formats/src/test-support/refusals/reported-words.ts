import {
  anthropic,
  awsAccount,
  left,
  openAi,
  org,
  project,
  type Refusal,
  spent,
  team,
  tpm,
} from './refusal.ts'

/** Words about the operator's account, plan or settings that people saw through gateways, also under statuses that say otherwise. */
export const reportedWords: readonly Refusal[] = [
  ...['use the model `gpt-5`', 'stream this model', 'generate reasoning summaries'].map((what) => ({
    of: 'openai, unverified',
    status: 400,
    kind: 'forbidden' as const,
    body: openAi(
      `Your organization must be verified to ${what}. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.`,
      'unsupported_value',
      'invalid_request_error',
      'stream',
    ),
  })),
  {
    of: 'openai, a project',
    status: 403,
    kind: 'model_not_found',
    body: openAi(`Project \`${org}\` does not have access to model \`gpt-4.1\``, 'model_not_found'),
  },
  {
    of: 'volcengine',
    status: 404,
    kind: 'forbidden',
    body: {
      error: {
        code: 'ModelNotOpen',
        message: `Your account ${awsAccount} has not activated the model doubao-pro. Please activate the model service in the Ark Console.`,
        type: 'NotFound',
      },
    },
  },
  {
    of: 'volcengine, its own limit',
    status: 429,
    kind: 'account_limited',
    body: {
      error: {
        message: `Your account [${awsAccount}] has reached the set inference limit for the [doubao] model, and the model service has been paused.`,
      },
    },
  },
  {
    of: 'nvidia, a function',
    status: 404,
    kind: 'model_not_found',
    body: {
      status: 404,
      title: 'Not Found',
      detail: `Function '23d4f03a-b8a6-4adb-a183-7daa083a09cc': Not found for account '${project}'`,
    },
  },
  {
    of: 'nvidia',
    status: 403,
    kind: 'unauthorized',
    body: { status: 403, title: 'Forbidden', detail: 'Authorization failed' },
  },
  ...[
    'No endpoints found matching your data policy (Paid model training). Configure: https://openrouter.ai/settings/privacy',
    'No endpoints available matching your guardrail restrictions and data policy. Configure: https://openrouter.ai/settings/privacy',
    'Paid model training violation (account settings): 1 endpoint excluded',
  ].map((message) => ({
    of: 'openrouter, data policy',
    status: 404,
    kind: 'forbidden' as const,
    body: { error: { message, code: 404 } },
  })),
  {
    of: 'anthropic, long context',
    status: 429,
    kind: 'account_limited',
    body: anthropic('rate_limit_error', 'Extra usage is required for long context requests.'),
  },
  {
    of: 'anthropic, a subscription',
    status: 400,
    kind: 'account_limited',
    body: anthropic(
      'invalid_request_error',
      "You're out of extra usage. Add more at claude.ai/settings/usage and keep going.",
    ),
  },
  {
    of: 'anthropic, a subscription',
    status: 400,
    kind: 'account_limited',
    body: anthropic(
      'invalid_request_error',
      "Third-party apps now draw from your extra usage, not your plan limits. We've added a $20 credit to get you started.",
    ),
  },
  ...[
    "This request would exceed your account's rate limit. Please try again later.",
    `This request would exceed the rate limit for your organization (${team}) of ${tpm} input tokens per minute.`,
    'Your account has hit a rate limit.',
  ].map((message) => ({
    of: 'anthropic, the pace of an account',
    status: 429,
    kind: 'rate_limited' as const,
    body: anthropic('rate_limit_error', message),
  })),
  {
    of: 'azure, its tier',
    status: 429,
    kind: 'rate_limited',
    body: openAi(
      'Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-08-01-preview have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 86400 seconds. Please go here: https://aka.ms/oai/quotaincrease if you would like to further increase the default rate limit.',
      '429',
    ),
  },
  {
    of: 'cerebras',
    status: 429,
    kind: 'rate_limited',
    body: {
      message: 'Tokens per minute limit exceeded - too many tokens processed.',
      type: 'too_many_tokens_error',
      param: 'quota',
      code: 'token_quota_exceeded',
    },
  },
  {
    of: 'cloudflare',
    status: 429,
    kind: 'account_limited',
    body: {
      success: false,
      errors: [
        {
          code: 4006,
          message:
            "you have used up your daily free allocation of 10,000 neurons, please upgrade to Cloudflare's Workers Paid plan if you would like to continue usage.",
        },
      ],
    },
  },
  {
    of: 'ollama, its cloud',
    status: 403,
    kind: 'forbidden',
    body: { error: 'this model requires a subscription, upgrade for access: https://ollama.com/upgrade' },
  },
  {
    of: 'a plan',
    status: 400,
    kind: 'forbidden',
    body: openAi('Your current subscription plan does not include access to x. Please upgrade.', null),
  },
  // A gateway in the middle answers 500 for whatever its own upstream said.
  { of: 'a gateway', status: 500, kind: 'account_limited', body: openAi(`上游余额 ＄${left}`, '', 'x') },
  {
    of: 'a gateway, of Anthropic',
    status: 500,
    kind: 'quota',
    body: openAi('Your credit balance is too low to access the Anthropic API.', '', 'api_error'),
  },
  {
    of: 'a gateway, of LiteLLM',
    status: 502,
    kind: 'quota',
    body: openAi(`Budget has been exceeded! Current cost: ${spent}, Max budget: 0.25`, '502', 'api_error'),
  },
  {
    of: 'a gateway, of a closed account',
    status: 503,
    kind: 'suspended',
    body: openAi('This organization has been disabled.', '', 'api_error'),
  },
  {
    of: 'a gateway, of words in the middle',
    status: 500,
    kind: 'account_limited',
    body: openAi(`do request failed: upstream says insufficient balance of ${left}`, '', 'api_error'),
  },
]
