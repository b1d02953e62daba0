import { anthropicMessages } from '@tollgate/formats'
import { bearer } from '../../credential.ts'
import { chatOperation, defineProvider } from '../../define-provider.ts'
import { versionedUrl } from '../../endpoint-url.ts'
import { claudeHostAt, operationsByHost } from '../../families/claude/by-address.ts'
import { betaHeader } from '../../families/claude/host-betas.ts'
import { uncounted, withBeta } from '../../families/claude.ts'
import type { ChannelTarget, HeaderMap, Operation, Target } from '../../provider.ts'
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
const messagesAt = operationsByHost(messages)

/** https://platform.claude.com/docs/en/api/messages/count_tokens */
const countTokens: Operation = {
  ...messages,
  quirks: () => uncounted,
  endpoint: (target, { query, headers }) => ({
    url: `${addressOf(target, '/messages/count_tokens')}${query}`,
    headers: apiHeaders(target, headers),
  }),
}
const countTokensAt = operationsByHost(countTokens)

/** Messages API. https://platform.claude.com/docs/en/api/overview */
export const anthropic = defineProvider({
  credential: { kind: 'headers', headers: keyHeaders },
  operations: { chat: (target) => atHost(target, messagesAt) ?? messages },
  counting: (target) => atHost(target, countTokensAt) ?? countTokens,
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

function atHost(target: Target, operations: ReturnType<typeof operationsByHost>): Operation | undefined {
  const host = claudeHostAt(target)
  return host === undefined ? undefined : operations(host, target)
}

function addressOf({ baseUrl }: ChannelTarget, path: string): string {
  return versionedUrl(baseUrl, '/v1', path)
}

/** The caller's version and betas, as far as it named any; the channel's free field is the version for those who do not. */
function apiHeaders(target: ChannelTarget | Target, caller: HeaderMap): HeaderMap {
  const { key, other } = target
  const version = { 'anthropic-version': caller['anthropic-version'] ?? versionOf(other) }
  const host = claudeHostAt(target)
  if (host !== undefined) return { ...version, ...betaHeader(host, caller, modelOf(target)) }
  const betas = withBeta(caller['anthropic-beta'], isOAuthToken(key) ? oauthBeta : '')
  return { ...version, ...(betas !== '' && { 'anthropic-beta': betas }) }
}

function versionOf(other: string): string {
  return versionDate.test(other) ? other : defaultVersion
}

function modelOf(target: ChannelTarget | Target): string {
  return 'upstreamModel' in target ? target.upstreamModel : ''
}

function keyHeaders({ key }: ChannelTarget): HeaderMap {
  if (key === '') return noHeaders
  return isOAuthToken(key) ? bearer({ key }) : { 'x-api-key': key }
}

function isOAuthToken(key: string): boolean {
  return key.startsWith('sk-ant-oat')
}
