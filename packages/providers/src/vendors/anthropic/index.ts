import { anthropicMessages } from '@tollgate/formats'
import { bearer } from '../../credential.ts'
import { chatOperation, defineProvider } from '../../define-provider.ts'
import { versionedUrl } from '../../endpoint-url.ts'
import { uncounted, withBeta } from '../../families/claude.ts'
import type { ChannelTarget, HeaderMap, Operation } from '../../provider.ts'
import { namesIn, nextByLastId } from '../../queries/model-lists.ts'

const defaultVersion = '2023-06-01'
const versionDate = /^\d{4}-\d{2}-\d{2}$/
/** Needed with tokens of a subscription, which are no API keys. */
const oauthBeta = 'oauth-2025-04-20'
const noHeaders: HeaderMap = {}

const messages = chatOperation({
  codec: anthropicMessages,
  endpoint: (target, { query, headers }) => ({
    url: `${addressOf(target, '/messages')}${query}`,
    headers: apiHeaders(target, headers),
  }),
})

/** https://platform.claude.com/docs/en/api/messages/count_tokens */
const countTokens: Operation = {
  ...messages,
  quirks: () => uncounted,
  endpoint: (target, { query, headers }) => ({
    url: `${addressOf(target, '/messages/count_tokens')}${query}`,
    headers: apiHeaders(target, headers),
  }),
}

/** Messages API. https://platform.claude.com/docs/en/api/overview */
export const anthropic = defineProvider({
  credential: { kind: 'headers', headers: keyHeaders },
  operations: { chat: messages },
  counting: () => countTokens,
  models: {
    endpoint: (target) => ({
      url: addressOf(target, '/models?limit=1000'),
      headers: apiHeaders(target, noHeaders),
    }),
    decode: (body) => namesIn(body, 'data', 'id'),
    next: nextByLastId,
  },
  decodeError: anthropicMessages.decodeError,
})

function addressOf({ baseUrl }: ChannelTarget, path: string): string {
  return versionedUrl(baseUrl, '/v1', path)
}

/** The caller's version and betas, as far as it named any; the channel's free field is the version for those who do not. */
function apiHeaders({ key, other }: ChannelTarget, caller: HeaderMap): HeaderMap {
  const version = versionDate.test(other) ? other : defaultVersion
  const betas = withBeta(caller['anthropic-beta'], isOAuthToken(key) ? oauthBeta : '')
  return {
    'anthropic-version': caller['anthropic-version'] ?? version,
    ...(betas !== '' && { 'anthropic-beta': betas }),
  }
}

function keyHeaders({ key }: ChannelTarget): HeaderMap {
  if (key === '') return noHeaders
  return isOAuthToken(key) ? bearer({ key }) : { 'x-api-key': key }
}

function isOAuthToken(key: string): boolean {
  return key.startsWith('sk-ant-oat')
}
