import type { ChannelReason } from '@tollgate/api'
import type { UpstreamErrorInfo } from '@tollgate/formats'

const geminiType = 24

const codes = new Set(['invalid_api_key', 'account_deactivated', 'billing_not_active'])
const types = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
])

/** Finds one of the operator's phrases in a text, whatever the case of its letters. */
export type KeywordMatcher = (text: string) => string | undefined

/** Compiles the phrases once, until the option changes. */
export function compileKeywords(keywords: readonly string[]): KeywordMatcher {
  const phrases = keywords.map((phrase) => phrase.trim().toLowerCase()).filter((phrase) => phrase !== '')
  if (phrases.length === 0) return () => undefined
  const pattern = new RegExp(phrases.map(escapeForPattern).join('|'))
  return (text) => pattern.exec(text.toLowerCase())?.[0]
}

function escapeForPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/**
 * Why a failure takes a key out of service; `undefined` when it does not. Upstreams quote the caller's values in errors
 * about a request, so quotations are not searched: a caller must not be able to disable a key.
 */
export function reasonToDisable(
  error: UpstreamErrorInfo,
  channelType: number,
  keyword: KeywordMatcher,
): ChannelReason | undefined {
  if (error.status === 401) return { code: 'key_refused', params: { status: 401 } }
  if (error.status === 403 && channelType === geminiType)
    return { code: 'key_refused', params: { status: 403 } }
  if (codes.has(error.code)) return { code: 'error_code', params: { code: error.code } }
  if (types.has(error.type)) return { code: 'error_type', params: { type: error.type } }
  const callersFault = error.kind === 'bad_request' || error.kind === 'content_policy'
  const found = keyword(callersFault ? withoutQuotations(error.message) : error.message)
  return found === undefined ? undefined : { code: 'error_keyword', params: { keyword: found } }
}

/** Removes all from the first quotation mark to the last, since a quoted value may contain quotation marks. */
function withoutQuotations(message: string): string {
  return message.replace(/(?<!\w)'.*'(?!\w)|".*"|`.*`/gs, ' ')
}
