import type { CodeKinds } from '@tollgate/formats'

/** Codes of Dify's refusals. https://docs.dify.ai/api-reference/chat/send-chat-message */
export const errorKinds: CodeKinds = {
  unauthorized: 'unauthorized',
  // The application is gone, of another kind, or without a model: no caller can help it.
  app_unavailable: 'not_found',
  not_chat_app: 'not_found',
  provider_not_initialize: 'forbidden',
  model_currently_not_support: 'not_found',
  provider_quota_exceeded: 'quota',
  completion_request_error: 'upstream_bug',
  internal_server_error: 'upstream_bug',
  workflow_failed: 'upstream_bug',
  rate_limit_error: 'rate_limited',
  too_many_requests: 'rate_limited',
  invalid_param: 'bad_request',
}
