import type { ErrorForm } from './error-form.ts'

/** Forms in which upstreams say that the account has no money or credit left. */
const quotaForms: readonly ErrorForm[] = [
  {
    kind: 'quota',
    of: 'OpenAI, Azure, and most that speak as they do',
    codes:
      'insufficient_quota billing_not_active billing_hard_limit_reached exceeded_current_quota_error quota_exceeded',
    begins:
      /you exceeded your current quota|billing hard limit has been reached|your account is not active, please check your billing/i,
    source: 'https://platform.openai.com/docs/guides/error-codes',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'Anthropic',
    codes: 'billing_error',
    begins: /your credit balance is too low/i,
    source: 'https://platform.claude.com/docs/en/api/errors',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'DeepSeek, SiliconFlow, MiniMax, Novita, Nebius, Hyperbolic, Kling, Jina, Vidu',
    codes:
      'insufficient_balance insufficient_balance_error not_enough_balance balance_not_enough credit_insufficient insufficient_credits insufficient_funds no_credits out_of_credits payment_required',
    begins:
      /(sorry, )?((your|the) )?(account('s)? |credit |user )?(insufficient|balance|credits?|quota)\b.{0,40}(insufficient|too low|not enough|exhausted|exceeded|used up|depleted)/i,
    source: 'https://api-docs.deepseek.com/quick_start/error_codes',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'the same',
    begins:
      /(sorry, )?(insufficient (account |user )?(balance|quota|credits?|funds)|not enough (balance|credits?|quota)|no (remaining )?(balance|credits?)|out of credits?|you (have )?(run|are) out of credits?)/i,
    source: 'https://docs.siliconflow.cn/en/faqs/error-code',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'Moonshot',
    begins: /your account .{0,120}\bis suspended due to insufficient balance/i,
    source: 'https://github.com/continuedev/continue/issues/11443',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'Ali',
    codes: 'Arrearage PrepaidBillOverdue PostpaidBillOverdue CommodityNotPurchased',
    begins: /access denied, please make sure your account is in good standing/i,
    source: 'https://help.aliyun.com/zh/model-studio/error-code',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'Volcengine',
    codes: 'AccountOverdueError AccountOverdue',
    source: 'https://www.volcengine.com/docs/82379/1299023',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'Qianfan',
    codes: 'account_overdue account_arrears arrears unpaid insufficient_account_balance',
    source: 'https://cloud.baidu.com/doc/qianfan-api/s/Wm9l9bwhr',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'Tencent',
    codes:
      'FailedOperation.ResourcePackExhausted FailedOperation.FreeResourcePackExhausted ResourceInsufficient.ChargeResourceExhaust ResourceUnavailable.InArrears',
    source: 'https://cloud.tencent.com/document/product/1729/101848',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'xAI',
    begins:
      /your (newly created )?(team|account|workspace|organization|project)\b.{0,120}(does not|doesn't|do not|don't) have (any|enough|sufficient) (credits?|funds|balance)|your (team|account|organization)\b.{0,120}(used all available credits|reached (its|your) (monthly )?spending limit)/i,
    source: 'https://github.com/continuedev/continue/issues/10373',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'Grok, by its own gateway',
    codes: 'personal-team-blocked:spending-limit spending_limit spend_limit_exceeded',
    source: 'https://github.com/NousResearch/hermes-agent/issues/26847',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'OpenRouter',
    begins: /this request requires more credits|insufficient credits|key limit exceeded|payment required/i,
    source: 'https://openrouter.ai/docs/api/reference/errors-and-debugging',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'Together, Groq, SambaNova, Replicate, Perplexity',
    begins:
      /credit limit exceeded|you have (reached|exceeded|insufficient) .{0,40}(credit|spend|billing|balance)/i,
    source: 'https://docs.together.ai/docs/error-codes',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'Gemini: prepaid projects',
    begins:
      /your prepayment credits are depleted|billing (account )?(is |has been )?(disabled|not enabled|closed)|this api method requires billing/i,
    source: 'https://ai.google.dev/gemini-api/docs/billing',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'Google: ErrorInfo',
    codes: 'BILLING_DISABLED BILLING_STATE_INACTIVE',
    source: 'https://cloud.google.com/apis/design/errors',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'Dify',
    codes: 'provider_quota_exceeded',
    source: 'https://docs.dify.ai/api-reference/chat/send-chat-message',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'vendors and gateways in Chinese: Zhipu, Baidu, MiniMax, one-api, new-api',
    begins:
      /.{0,24}(余额不足|余额已|欠费|额度不足|额度已用尽|额度已用完|额度已耗尽|额度耗尽|订阅额度|预扣费额度失败|配额不足|请充值|无可用资源包|资源包)/,
    source: 'https://github.com/QuantumNous/new-api/issues/6306',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'new-api, one-api',
    codes:
      'insufficient_user_quota insufficient_token_quota pre_consume_token_quota_failed token_quota_exhausted quota_not_enough',
    begins: /(token|user) quota is not enough|(chat )?pre-?consumed? quota failed/i,
    source: 'https://github.com/QuantumNous/new-api/issues/6306',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'LiteLLM',
    codes: 'budget_exceeded exceeded_budget BudgetExceededError',
    begins:
      /budget has been exceeded|exceeded(token|model|team|user|end ?user)?budget|.{0,60}\bover budget\b/i,
    source: 'https://github.com/BerriAI/litellm/issues/14144',
    date: '2026-11',
  },
  {
    kind: 'quota',
    of: 'sub2api',
    codes: 'API_KEY_QUOTA_EXHAUSTED SUBSCRIPTION_EXPIRED SUBSCRIPTION_NOT_FOUND SUBSCRIPTION_INVALID',
    source: 'https://github.com/Wei-Shaw/sub2api/issues/890',
    date: '2026-11',
  },
]

/** Forms in which upstreams say that the account is closed for another reason, or that nobody may tell. */
const suspendedForms: readonly ErrorForm[] = [
  {
    kind: 'suspended',
    of: 'OpenAI, Azure',
    codes:
      'account_deactivated account_suspended account_disabled organization_deactivated organization_disabled organization_restricted user_deactivated access_terminated',
    begins:
      /(your|this|the) (openai )?(account|organization|workspace|project|team|user|subscription)\b.{0,60}\b(has been|is|was) (deactivated|disabled|suspended|terminated|restricted|locked|banned|blocked|closed|archived)/i,
    source: 'https://platform.openai.com/docs/guides/error-codes',
    date: '2026-11',
  },
  {
    kind: 'suspended',
    of: 'Anthropic',
    begins:
      /this organization has been disabled|oauth authentication is currently not allowed for this organization/i,
    source: 'https://github.com/anthropics/claude-code/issues/72457',
    date: '2026-11',
  },
  {
    kind: 'suspended',
    of: 'Groq',
    begins: /organization has been restricted/i,
    source: 'https://console.groq.com/docs/errors',
    date: '2026-11',
  },
  {
    kind: 'suspended',
    of: 'Fireworks (status 412)',
    begins: /account .{0,80}\bis suspended/i,
    source: 'https://github.com/amd/gaia/issues/3766',
    date: '2026-11',
  },
  {
    kind: 'suspended',
    of: 'Google: ErrorInfo',
    codes: 'CONSUMER_SUSPENDED CONSUMER_INVALID USER_PROJECT_DENIED',
    begins: /(permission denied: )?consumer .{0,80}\bhas been suspended/i,
    source: 'https://cloud.google.com/apis/design/errors',
    date: '2026-11',
  },
  {
    kind: 'suspended',
    of: 'Zhipu, Baidu, one-api, new-api',
    begins:
      /.{0,16}(账号|账户|用户|令牌|组织)(状态)?.{0,6}(已被封禁|已被禁用|被锁定|已锁定|已停用|被冻结|已冻结|异常)/,
    source: 'https://docs.bigmodel.cn/cn/faq/api-code',
    date: '2026-11',
  },
  {
    kind: 'suspended',
    of: 'sub2api',
    codes: 'USER_INACTIVE USER_NOT_FOUND GROUP_DELETED GROUP_DISABLED',
    source: 'https://github.com/Wei-Shaw/sub2api',
    date: '2026-11',
  },
]

/** An allowance that comes back by itself: the key pauses, and nothing is disabled. */
const allowanceForms: readonly ErrorForm[] = [
  {
    kind: 'account_limited',
    of: 'Anthropic: limits that the account set itself',
    begins: /you have reached your specified (workspace )?api usage limits/i,
    source: 'https://platform.claude.com/docs/en/api/rate-limits',
    date: '2026-11',
  },
  {
    kind: 'account_limited',
    of: 'ChatGPT, Claude and Kiro subscriptions',
    codes: 'usage_limit_reached usage_limit_exceeded usage_not_included MONTHLY_REQUEST_COUNT',
    begins:
      /(the |your )?usage limit (has been )?(reached|exceeded)|you('ve| have) (hit|reached) (your|the) (usage |monthly )?limit/i,
    source: 'https://github.com/openai/codex/blob/main/codex-rs/codex-api/src/error.rs',
    date: '2026-11',
  },
  {
    kind: 'account_limited',
    of: 'Anthropic: what a subscription does not cover',
    begins:
      /extra usage is required|you('re| are) out of extra usage|third-party apps now draw from your extra usage/i,
    source: 'https://github.com/anthropics/claude-code/issues/45048',
    date: '2026-11',
  },
  {
    kind: 'account_limited',
    of: 'Cloudflare: free allocation',
    begins: /you have used up your (daily )?free allocation/i,
    source: 'https://developers.cloudflare.com/workers-ai/platform/errors/',
    date: '2026-11',
  },
  {
    kind: 'account_limited',
    of: 'Hugging Face',
    begins: /you have (exceeded|depleted) your monthly included credits/i,
    source: 'https://github.com/huggingface/agents-course/issues/386',
    date: '2026-11',
  },
  {
    kind: 'account_limited',
    of: 'OpenRouter: free models',
    begins: /rate limit exceeded: free-models-per-(day|min)/i,
    source: 'https://github.com/Gitlawb/openclaude/issues/936',
    date: '2026-11',
  },
  {
    kind: 'account_limited',
    of: 'opencode, and other free tiers',
    codes: 'FreeUsageLimitError',
    begins: /free (usage|tier|allocation|quota)\b.{0,40}\b(exceeded|exhausted|used)/i,
    source: 'https://github.com/anomalyco/opencode/issues/42738',
    date: '2026-11',
  },
  {
    kind: 'account_limited',
    of: 'Ali',
    codes: 'AllocationQuota.FreeTierOnly',
    begins: /the free tier of the model has been exhausted/i,
    source: 'https://github.com/APIParkLab/APIPark/issues/394',
    date: '2026-11',
  },
  {
    kind: 'account_limited',
    of: 'Volcengine',
    codes: 'QuotaExceeded SetLimitExceeded AccountQuotaExceeded InferenceLimitExceeded',
    begins: /your account .{0,60}has reached the set inference limit/i,
    source: 'https://github.com/volcengine/MineContext/issues/328',
    date: '2026-11',
  },
  {
    kind: 'account_limited',
    of: 'sub2api, LiteLLM: limits of the gateway',
    codes: 'USAGE_LIMIT_EXCEEDED DAILY_LIMIT_EXCEEDED WEEKLY_LIMIT_EXCEEDED MONTHLY_LIMIT_EXCEEDED',
    source: 'https://github.com/Wei-Shaw/sub2api',
    date: '2026-11',
  },
]

export const accountForms: readonly ErrorForm[] = [...allowanceForms, ...quotaForms, ...suspendedForms]
