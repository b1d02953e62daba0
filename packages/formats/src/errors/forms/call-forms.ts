import type { ErrorForm } from './error-form.ts'

/** Forms in which upstreams refuse content, limit rates, are overloaded, and do not know a model. */
export const callForms: readonly ErrorForm[] = [
  {
    kind: 'content_policy',
    of: 'OpenAI, Azure',
    codes:
      'content_filter content_policy_violation moderation_blocked ResponsibleAIPolicyViolation image_content_policy_violation sexual_content_violation',
    begins:
      /.{0,60}(content policy|content management policy|safety system|content filter|inappropriate content|usage polic)/i,
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter',
    date: '2026-11',
  },
  {
    kind: 'content_policy',
    of: 'Ali, Volcengine, Moonshot, DeepSeek, StepFun',
    codes:
      'data_inspection_failed DataInspectionFailed SensitiveContentDetected content_filter_error sensitive_content censorship_blocked',
    begins: /content exists risk|the request was rejected because it was considered high risk/i,
    source: 'https://help.aliyun.com/zh/model-studio/error-code',
    date: '2026-11',
  },
  {
    kind: 'content_policy',
    of: 'OpenRouter: moderation (status 403)',
    begins: /.{0,80}\brequires moderation\b.{0,80}\bflagged\b|input (was )?flagged|your input was flagged/i,
    source: 'https://openrouter.ai/docs/api/reference/errors-and-debugging',
    date: '2026-11',
  },
  {
    kind: 'rate_limited',
    of: 'OpenAI, Anthropic, Moonshot, Mistral, Groq, and those that speak as they do',
    codes:
      'rate_limit_exceeded rate_limit_reached_error rate_limit_error rate_limit_reached RateLimitReached requests_limit_reached TooManyRequests too_many_requests service_tier_capacity_exceeded concurrency_limit_exceeded max_parallel_requests throttling_error',
    broad: true,
    source: 'https://platform.openai.com/docs/guides/rate-limits',
    date: '2026-11',
  },
  {
    kind: 'rate_limited',
    of: 'Anthropic: the pace of an account',
    begins:
      /this request would exceed (your|the) .{0,30}rate limit|your (account|organi[sz]ation) has hit (a|its|the) rate limit/i,
    source: 'https://github.com/anthropics/claude-code/issues/71669',
    date: '2026-11',
  },
  {
    kind: 'rate_limited',
    of: 'Cerebras',
    codes: 'token_quota_exceeded request_quota_exceeded too_many_tokens_error too_many_requests_error',
    broad: true,
    source: 'https://github.com/anomalyco/opencode/issues/7463',
    date: '2026-11',
  },
  {
    kind: 'rate_limited',
    of: 'Bedrock, Ali, Tencent',
    codes:
      'ThrottlingException Throttling Throttling.RateQuota ServiceQuotaExceededException RequestLimitExceeded LimitExceeded',
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html',
    date: '2026-11',
  },
  {
    // Daily and minute quotas alike: they return by themselves, and RetryInfo says when.
    kind: 'rate_limited',
    of: "Gemini and Vertex, in OpenAI's form too",
    codes: 'RESOURCE_EXHAUSTED',
    source: 'https://ai.google.dev/gemini-api/docs/rate-limits',
    date: '2026-11',
  },
  {
    kind: 'overloaded',
    of: 'OpenAI, Anthropic, Moonshot, Volcengine, Bedrock, SiliconFlow',
    codes:
      'engine_overloaded_error engine_overloaded overloaded_error overloaded ServerOverloaded server_is_overloaded slow_down ServiceUnavailableException ModelNotReadyException model_overloaded capacity_exceeded',
    begins:
      /(the |that )?(engine|server|model|service)\b.{0,40}\b(is )?(currently )?(overloaded|at capacity)|system is too busy/i,
    source: 'https://platform.claude.com/docs/en/api/errors',
    date: '2026-11',
  },
  {
    kind: 'model_not_found',
    of: 'OpenAI, Azure, Volcengine, Ali, DeepSeek, Mistral, Groq',
    codes:
      'model_not_found ModelNotFound invalid_model model_not_supported DeploymentNotFound InvalidEndpointOrModel.NotFound model_not_exist unknown_model model_terms_required model_decommissioned deprecated_model',
    source: 'https://platform.openai.com/docs/guides/error-codes',
    date: '2026-11',
  },
  {
    kind: 'model_not_found',
    of: 'vLLM, Ollama, SiliconFlow, DeepSeek, Mistral, Fireworks, OpenRouter',
    begins:
      /(the |publisher |requested )?model\b.{0,120}\b(does not exist|doesn't exist|not found|not exist|not available|is not a valid model)|(invalid|unknown|unsupported) model\b(?! (parameter|option|setting|input|output|response|feature)s?\b)|.{0,80}\bis not a valid model id|unable to access model/i,
    source: 'https://docs.ollama.com/api/errors',
    date: '2026-11',
  },
  {
    // Anthropic's words for a 404 are the model's name.
    kind: 'model_not_found',
    of: 'Anthropic',
    begins: /model: [\w.:@/-]+$/i,
    source: 'https://platform.claude.com/docs/en/api/errors',
    date: '2026-11',
  },
  {
    kind: 'model_not_found',
    of: 'NVIDIA: a model that is gone, or that the account does not have',
    begins: /function '?[0-9a-f-]{36}'?: not found for account/i,
    source: 'https://github.com/Alishahryar1/free-claude-code/issues/1021',
    date: '2026-11',
  },
  {
    kind: 'model_not_found',
    of: 'Gemini',
    begins: /models\/\S+ is not found for api version/i,
    source: 'https://ai.google.dev/gemini-api/docs/troubleshooting',
    date: '2026-11',
  },
  {
    kind: 'model_not_found',
    of: 'one-api, new-api: a group without a channel for the model',
    begins: /当前分组.{0,80}无可用渠道|no available channel for model/i,
    source: 'https://github.com/songquanpeng/one-api/issues/1548',
    date: '2026-11',
  },
  {
    kind: 'not_found',
    of: 'Moonshot, Bedrock, Anthropic',
    codes: 'resource_not_found_error ResourceNotFoundException not_found_error',
    broad: true,
    source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html',
    date: '2026-11',
  },
  {
    kind: 'timeout',
    of: 'Bedrock, Anthropic',
    codes: 'ModelTimeoutException timeout_error',
    source: 'https://platform.claude.com/docs/en/api/errors',
    date: '2026-11',
  },
  {
    kind: 'upstream_bug',
    of: 'Bedrock',
    codes: 'ModelStreamErrorException InternalServerException ModelErrorException',
    broad: true,
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html',
    date: '2026-11',
  },
  {
    kind: 'bad_request',
    of: 'OpenAI, Bedrock, Anthropic',
    codes: 'unsupported_parameter unsupported_value ValidationException request_too_large',
    broad: true,
    source: 'https://platform.openai.com/docs/guides/error-codes',
    date: '2026-11',
  },
]
