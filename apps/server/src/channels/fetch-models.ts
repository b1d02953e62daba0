import type { Role } from '@tollgate/api'
import type { Provider } from '@tollgate/providers'
import { type OutboundAnswer, outboundFetch } from '../lib/outbound-fetch.ts'
import type { OutboundGuard } from '../lib/outbound-guard.ts'
import { Refusal } from '../lib/refusal.ts'
import { readChannelInput } from './channel-input.ts'
import { parseKeys } from './channel-keys.ts'
import { keyToTest } from './channel-tester.ts'
import { providerOf } from './manage-channels.ts'
import { redactUpstream, type UpstreamSecrets } from './redaction.ts'
import { routedChannel, type TestChannelDependencies } from './test-channel.ts'
import { callFailureOf } from './upstream-refusal.ts'

export interface FetchModelsDependencies extends Omit<TestChannelDependencies, 'tester' | 'events'> {
  readonly guard: OutboundGuard
  readonly fetchModelsTimeoutMs?: number
}

const defaultTimeoutMs = 15_000
const maximumAnswerBytes = 8 * 1024 * 1024
const maximumModels = 10_000
const maximumNameLength = 255
const shownMessageLength = 300

interface Listing extends UpstreamSecrets {
  readonly provider: Provider
  readonly key: string
  readonly openaiOrganization: string
  readonly other: string
  readonly proxy: string
  readonly guard: OutboundGuard | undefined
  readonly timeoutMs: number
}

/** Asks the upstream of a stored channel for its models. */
export async function fetchModels(id: number, deps: FetchModelsDependencies): Promise<string[]> {
  const channel = await routedChannel(id, deps)
  return listModels({
    ...channel,
    key: channel.keys[keyToTest(channel)] ?? '',
    proxy: channel.setting.proxy,
    guard: channel.baseUrlTrusted ? undefined : deps.guard,
    timeoutMs: deps.fetchModelsTimeoutMs ?? defaultTimeoutMs,
  })
}

/** Asks an upstream for its models before a channel for it exists. The first key counts. */
export async function fetchModelsForNew(
  request: { readonly type: number; readonly key: string; readonly base_url?: string | null | undefined },
  role: Role,
  deps: FetchModelsDependencies,
): Promise<string[]> {
  const keys = parseKeys(request.key)
  const [key] = keys
  if (key === undefined) throw new Refusal('channel_key_required')
  const provider = providerOf(request.type, deps)
  const { baseUrl = '' } = readChannelInput({ id: 1, base_url: request.base_url }, request.type)
  if (baseUrl === '' && provider.defaultBaseUrl === '') throw new Refusal('channel_base_url_required')
  return listModels({
    provider,
    baseUrl: baseUrl === '' ? provider.defaultBaseUrl : baseUrl,
    key,
    keys,
    openaiOrganization: '',
    other: '',
    proxy: '',
    guard: role === 'root' ? undefined : deps.guard,
    timeoutMs: deps.fetchModelsTimeoutMs ?? defaultTimeoutMs,
  })
}

async function listModels(listing: Listing): Promise<string[]> {
  const endpoint = listing.provider.modelsEndpoint(listing)
  if (endpoint === undefined) throw new Refusal('channel_models_unlisted')
  const { proxy, guard, timeoutMs } = listing
  try {
    const answer = await outboundFetch({ ...endpoint, timeoutMs, maxBytes: maximumAnswerBytes, proxy, guard })
    return decode(listing, answer)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const { code, details } = callFailureOf(error, timeoutMs)
    throw new Refusal(code, details, { cause: error })
  }
}

function decode(listing: Listing, answer: OutboundAnswer): string[] {
  if (answer.status < 200 || answer.status >= 300) {
    const { message } = listing.provider.decodeError(answer)
    const shown = redactUpstream(message, listing).slice(0, shownMessageLength)
    const detail = shown === '' ? `status code ${answer.status}` : `status code ${answer.status}: ${shown}`
    throw new Refusal('channel_models_fetch_failed', { detail })
  }
  const names = decodeNames(listing.provider, answer.body)
  return [...new Set(names)].filter(isUsableName).slice(0, maximumModels)
}

function decodeNames(provider: Provider, text: string): readonly string[] {
  try {
    return provider.decodeModels(JSON.parse(text))
  } catch (cause) {
    throw new Refusal('channel_upstream_malformed', {}, { cause })
  }
}

function isUsableName(name: string): boolean {
  return name !== '' && name.length <= maximumNameLength
}
