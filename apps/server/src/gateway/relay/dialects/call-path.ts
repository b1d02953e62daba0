import type { HeaderFields } from '@tollgate/http/server'
import { forwardedFields } from './caller-fields.ts'
import type { CallerFields, CallPath, DialectName, ReceivedCall } from './dialect.ts'

/**
 * Fields by which a client tells its vendor what it wants beside the body: betas, versions, its own name. An upstream of
 * the same format gets them; keys, cookies and addresses never are among them.
 */
const forwarded = {
  anthropic: /^(anthropic-(?!organization)[\w-]+|x-app|x-stainless-[\w-]+)$/,
  gemini: /^x-goog-(api-client|request-params)$/,
} as const

const none: Readonly<Record<string, string>> = {}
/** Longer ones are no flags. */
const maxLength = 4096

/** Names in lower case; nothing for nearly every caller of OpenAI's formats. */
export function forwardedHeaders(
  dialect: DialectName,
  headers: CallerFields,
): Readonly<Record<string, string>> {
  if (dialect === 'openai' || dialect === 'responses') return namedIn(forwardedFields[dialect], headers)
  const found: Record<string, string> = {}
  for (const [name, value] of headers.entries())
    if (forwarded[dialect].test(name) && value.length <= maxLength) found[name] = value
  return found
}

function namedIn(names: readonly string[], headers: HeaderFields): Readonly<Record<string, string>> {
  let found: Record<string, string> | undefined
  for (const name of names) {
    const value = headers.get(name)
    if (value === null || value.length > maxLength) continue
    found ??= {}
    found[name] = value
  }
  return found ?? none
}

/** Readers of the query, by the caller's format. */
const inQuery: Readonly<Record<DialectName, (received: ReceivedCall) => Partial<CallPath>>> = {
  openai: () => nothing,
  responses: () => nothing,
  anthropic: ({ query }) => (query === '?beta=true' ? { query } : nothing),
  // Gemini streams a JSON array unless its caller asks for events. https://ai.google.dev/api/generate-content
  gemini: ({ match, query }) =>
    match.stream === true && !/[?&]alt=sse(&|$)/.test(query) ? { asArray: true } : nothing,
}

const nothing: Partial<CallPath> = {}

/** Reads path, query and headers of a call, as callers of its format write them. */
export function callPath(dialect: DialectName, received: ReceivedCall): CallPath {
  const { model, stream, isEdit, isBatch, isCompaction, isSecondVersion } = received.match
  return {
    headers: forwardedHeaders(dialect, received.headers),
    ...(model !== undefined && { model }),
    ...(stream !== undefined && { stream }),
    ...(isEdit === true && { isEdit }),
    ...(isBatch === true && { isBatch }),
    ...(isCompaction === true && { isCompaction }),
    ...(isSecondVersion === true && { isSecondVersion }),
    ...inQuery[dialect](received),
  }
}
