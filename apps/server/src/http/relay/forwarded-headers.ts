import type { HeaderFields } from '@tollgate/http/server'
import type { DialectName } from './paths.ts'

/** Fields of a request, one by one. */
type CallerFields = HeaderFields & { entries(): Iterable<readonly [name: string, value: string]> }

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
  if (dialect === 'openai' || dialect === 'responses') {
    const beta = headers.get('openai-beta')
    return beta === null || beta.length > maxLength ? none : { 'openai-beta': beta }
  }
  const found: Record<string, string> = {}
  for (const [name, value] of headers.entries())
    if (forwarded[dialect].test(name) && value.length <= maxLength) found[name] = value
  return found
}
