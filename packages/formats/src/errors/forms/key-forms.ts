import type { ErrorForm } from './error-form.ts'

/** Forms in which upstreams say that the key is refused, or that it may not do this. */
export const keyForms: readonly ErrorForm[] = [
  {
    kind: 'unauthorized',
    of: 'OpenAI, Azure, Anthropic, Moonshot, DeepSeek, and those that speak as they do',
    codes:
      'invalid_api_key incorrect_api_key_error authentication_error invalid_authentication_error authentication_failed auth_error token_expired token_invalid token_disabled api_key_disabled api_key_expired api_key_invalid api_key_not_found api_key_revoked missing_api_key',
    begins:
      /(incorrect|invalid|expired|revoked|unknown|wrong)( or (incorrect|invalid|expired|revoked|missing))? (x-)?(api[ _-]?key|api token|access token|authentication token|bearer token|token provided)/i,
    source: 'https://platform.openai.com/docs/guides/error-codes',
    date: '2026-11',
  },
  {
    kind: 'unauthorized',
    of: 'xAI, Gemini, and others by words alone',
    begins:
      /(your |the |this )?(provided )?(api[ _-]?key|access token|api token|token|credential)s? (you provided )?(is |are |has |have |was )?(been )?(not valid|invalid|incorrect|expired|revoked|disabled|deleted|blocked|not found|not recognized)/i,
    source: 'https://docs.x.ai/docs/guides/debugging',
    date: '2026-11',
  },
  {
    kind: 'unauthorized',
    of: 'Bedrock',
    codes:
      'UnrecognizedClientException InvalidSignatureException ExpiredTokenException ExpiredToken InvalidClientTokenId SignatureDoesNotMatch IncompleteSignature MissingAuthenticationToken',
    begins: /the security token included in the request is (invalid|expired)/i,
    source: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html',
    date: '2026-11',
  },
  {
    kind: 'unauthorized',
    of: 'Google: ErrorInfo',
    codes: 'CREDENTIALS_MISSING ACCESS_TOKEN_EXPIRED ACCESS_TOKEN_TYPE_UNSUPPORTED API_KEY_SERVICE_BLOCKED',
    source: 'https://cloud.google.com/apis/design/errors',
    date: '2026-11',
  },
  {
    kind: 'unauthorized',
    of: 'Gemini',
    begins: /your api key was reported as leaked/i,
    source: 'https://ai.google.dev/gemini-api/docs/troubleshooting',
    date: '2026-11',
  },
  {
    kind: 'unauthorized',
    of: 'NVIDIA (status 403)',
    begins: /authorization failed\.?$/i,
    source: 'https://github.com/dmMaze/BallonsTranslator/issues/1233',
    date: '2026-11',
  },
  {
    kind: 'unauthorized',
    of: 'keys that are exchanged for a token (RFC 6749)',
    codes: 'invalid_client invalid_grant unauthorized_client invalid_iam_token',
    source: 'https://www.rfc-editor.org/rfc/rfc6749#section-5.2',
    date: '2026-11',
  },
  {
    kind: 'unauthorized',
    of: 'Ali, Tencent, Volcengine',
    codes:
      'InvalidApiKey InvalidAccessKeyId AuthFailure AuthFailure.SecretIdNotFound AuthFailure.SignatureFailure AuthFailure.TokenFailure',
    source: 'https://help.aliyun.com/zh/model-studio/error-code',
    date: '2026-11',
  },
  {
    kind: 'unauthorized',
    of: 'one-api, new-api, LiteLLM',
    begins:
      /.{0,16}(无效的令牌|令牌已过期|令牌状态不可用|未提供令牌)|authentication error, invalid proxy server token/i,
    source: 'https://github.com/QuantumNous/new-api/blob/main/model/token.go',
    date: '2026-11',
  },
  {
    kind: 'forbidden',
    of: 'Anthropic, OpenAI, AWS, Ali, and gateways',
    codes:
      'permission_error permission_denied_error permission_denied AccessDenied AccessDeniedException access_denied forbidden unsupported_country_region_territory key_model_access_denied team_model_access_denied UnauthorizedOperation OperationDenied',
    broad: true,
    source: 'https://platform.claude.com/docs/en/api/errors',
    date: '2026-11',
  },
  {
    kind: 'forbidden',
    of: 'Gemini',
    begins: /user location is not supported|country, region, or territory not supported/i,
    source: 'https://ai.google.dev/gemini-api/docs/available-regions',
    date: '2026-11',
  },
  {
    kind: 'forbidden',
    of: 'one-api, new-api, LiteLLM: a key that may not use a model or a group',
    begins:
      /.{0,16}(无权访问|无权使用)|(key|team|user) not allowed to access model|the token has no access to model/i,
    source: 'https://docs.litellm.ai/docs/proxy/virtual_keys',
    date: '2026-11',
  },
  {
    kind: 'forbidden',
    of: 'OpenAI: an organization that is not verified',
    begins: /your organi[sz]ation must be verified/i,
    source: 'https://github.com/openai/openai-go/issues/565',
    date: '2026-11',
  },
  {
    kind: 'forbidden',
    of: 'Volcengine: an account that has not activated a model',
    codes: 'ModelNotOpen',
    begins: /your account .{0,60}has not activated the model/i,
    source: 'https://github.com/xinnan-tech/xiaozhi-esp32-server/issues/1234',
    date: '2026-11',
  },
  {
    kind: 'forbidden',
    of: "OpenRouter: the account's data policy and guardrails",
    begins:
      /no endpoints (found|available) matching your (data policy|guardrail)|no allowed providers are available|.{0,40}violation \(account settings\)/i,
    source: 'https://github.com/dnakov/anon-kode/issues/13',
    date: '2026-11',
  },
  {
    kind: 'forbidden',
    of: 'Ollama, and others whose plans have models of their own',
    begins:
      /this model requires a (paid )?subscription|your (current )?(subscription )?plan does not include access|you must subscribe to a plan/i,
    source: 'https://github.com/ollama/ollama/issues/15990',
    date: '2026-11',
  },
  {
    kind: 'forbidden',
    of: 'Bedrock: an account without access to a model, or whose operations are blocked',
    begins:
      /you don't have access to the model|user: arn:|operation not allowed|your account is not authorized/i,
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html',
    date: '2026-11',
  },
]
