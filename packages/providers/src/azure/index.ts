import { bearer } from '../credential.ts'
import { endpointUrl } from '../endpoint-url.ts'
import { openAiCompatible, openAiPaths } from '../openai-compatible.ts'
import type { ChannelTarget, EndpointCall, HeaderMap, Provider, RelayMode, Target } from '../provider.ts'
import { openAiModelOf, reasoningFields, responsesFields } from '../quirks.ts'
import { realtimeOperation, sessionUrl } from '../realtime-operation.ts'
import { choosesResponses, type ResponsesOffer, responsesOperation } from '../responses-operation.ts'

const usualVersion = '2024-12-01-preview'
const modelsVersion = '2024-10-21'
/** The first dated version with `stream_options`. */
const streamOptionsSince = '2024-09-01'

/** Bodies are OpenAI's, addresses are not. */
const compatible = (streamOptions: boolean) =>
  openAiCompatible({
    id: 'azure',
    defaultBaseUrl: '',
    modes: [
      'chat',
      'completions',
      'embeddings',
      'images',
      'image-edits',
      'speech',
      'transcriptions',
      'translations',
    ],
    streamOptions,
    url: addressOf,
    credential: keyHeaders,
    quirks: reasoningFields,
    codeKinds: { RateLimitReached: 'rate_limited' },
  })

/** Where the body names the deployment. A dated version leads to Chat Completions, which all of them have. */
const offer: ResponsesOffer = { serves: ({ other }) => isUndated(versionOf(other)), quirks: responsesFields }
const responses = responsesOperation(offer, responsesEndpoint, { RateLimitReached: 'rate_limited' })

const current = compatible(true)
const older = compatible(false)

/** https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference */
export const azure: Provider = {
  ...current,
  operation: (mode, target, wanted) =>
    choosesResponses(offer, mode, target, wanted)
      ? responses
      : (hasStreamOptions(versionOf(target.other)) ? current : older).operation(mode, target, wanted),
  realtime: realtimeOperation(realtimeEndpoint, { RateLimitReached: 'rate_limited' }),
  models: { decode: () => [], ...current.models, endpoint: modelsEndpoint },
}

function hasStreamOptions(version: string): boolean {
  return isUndated(version) || version >= streamOptionsSince
}

/** A resource key; tokens of Entra ID are JSON Web Tokens. */
function keyHeaders({ key }: ChannelTarget): HeaderMap {
  if (key === '') return {}
  return key.startsWith('eyJ') ? bearer({ key }) : { 'api-key': key }
}

/** `v1` and `preview` mean the surface without dated versions, where the body names the deployment. */
function isUndated(version: string): boolean {
  return version === 'v1' || version === 'preview'
}

function versionOf(other: string): string {
  return other.trim() || usualVersion
}

function responsesEndpoint({ baseUrl, other }: ChannelTarget) {
  const url = `${endpointUrl(baseUrl, '/openai/v1', '/responses')}${previewQuery(versionOf(other))}`
  return { url, headers: {} }
}

/** The key is a header, whatever the caller did. https://learn.microsoft.com/azure/ai-foundry/openai/how-to/realtime-audio */
function realtimeEndpoint(target: Target, call: EndpointCall) {
  const { baseUrl, other } = target
  const version = versionOf(other)
  const headers = { 'openai-beta': '' }
  if (isUndated(version)) {
    const root = endpointUrl(baseUrl, '/openai/v1', '/realtime')
    return { url: sessionUrl(root, target, call), headers }
  }
  const query = `api-version=${encodeURIComponent(version)}&deployment=${deploymentOf(target)}`
  return { url: sessionUrl(`${rootOf(baseUrl)}/realtime?${query}`, target, call), headers }
}

const queryVersion = /[?&]api-version=([\w.-]+)/

function addressOf(mode: RelayMode, target: Target, { query }: EndpointCall): string {
  const { baseUrl } = target
  const version = queryVersion.exec(query)?.[1] ?? versionOf(target.other)
  if (isUndated(version))
    return `${endpointUrl(baseUrl, '/openai/v1', openAiPaths[mode])}${previewQuery(version)}`
  const rest = `/${deploymentOf(target)}${openAiPaths[mode]}?api-version=${encodeURIComponent(version)}`
  // Cloudflare's gateway names the resource in its own path and the deployment right behind it.
  return baseUrl.includes('/azure-openai/') ? `${baseUrl}${rest}` : `${rootOf(baseUrl)}/deployments${rest}`
}

function rootOf(baseUrl: string): string {
  const base = baseUrl.trim().replace(/\/+$/, '')
  return base.endsWith('/openai') ? base : `${base}/openai`
}

function previewQuery(version: string): string {
  return version === 'preview' ? '?api-version=preview' : ''
}

/** Names of deployments have no dots, by custom; a name that the operator mapped to is taken at its word. */
function deploymentOf({ upstreamModel, isMapped = false }: Target): string {
  return encodeURIComponent(isMapped ? upstreamModel : openAiModelOf(upstreamModel).replaceAll('.', ''))
}

/** Lists what could be deployed: deployments themselves are listed by another service, for another kind of key. */
function modelsEndpoint({ baseUrl, other }: ChannelTarget) {
  const version = versionOf(other)
  const url = isUndated(version)
    ? `${endpointUrl(baseUrl, '/openai/v1', '/models')}${previewQuery(version)}`
    : `${rootOf(baseUrl)}/models?api-version=${modelsVersion}`
  return { url, headers: {} }
}
