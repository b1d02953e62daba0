import type { RequestQuirks } from '@tollgate/formats'
import { bearer } from '../../credential.ts'
import type { ProviderShape } from '../../define-provider.ts'
import { noEdits } from '../../edits/json-edits.ts'
import { endpointUrl, pathSegment } from '../../endpoint-url.ts'
import { openAiCompatible, openAiPaths } from '../../openai/openai-compatible.ts'
import { isReasonedToolTurn, isResponsesOnly, openAiModelOf } from '../../openai/openai-names.ts'
import {
  choosesResponses,
  compactionOperation,
  type ResponsesOffer,
  realtimeOperation,
  responsesOperation,
  sessionUrl,
} from '../../openai/operations.ts'
import type { ChannelTarget, EndpointCall, HeaderMap, RelayMode, Target } from '../../provider.ts'
import { openAiVideo } from '../../video/openai-video.ts'

const defaultVersion = '2024-12-01-preview'
const modelsVersion = '2024-10-21'
/** The first dated version with `stream_options`. */
const streamOptionsSince = '2024-09-01'

/** Bodies are OpenAI's, addresses are not. */
const compatible = (streamOptions: true | false, name: RequestQuirks = asNamed) =>
  openAiCompatible({
    id: 'azure',
    serves: [
      'chat',
      'completions',
      'embeddings',
      'images',
      'image-edits',
      'speech',
      'transcriptions',
      'translations',
    ],
    ...(!streamOptions && { streamOptions }),
    url: addressOf,
    credential: keyHeaders,
    quirks: name,
    modeQuirks: { images: name, speech: name },
    codes: { RateLimitReached: 'rate_limited' },
  })

const asNamed: RequestQuirks = () => noEdits
/** Removes the dots from a body's name of the deployment. */
const withoutDots: RequestQuirks = (_, model) =>
  model.includes('.') ? new Map([['model', JSON.stringify(dotless(model))]]) : noEdits

/**
 * Responses have no dated version: the body names the deployment, whatever version the channel names for the rest.
 * https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses
 */
const offer: ResponsesOffer = {
  compacts: true,
  serves: ({ baseUrl }) => !isCloudflare(baseUrl),
  only: ({ baseUrl, upstreamModel }) => !isCloudflare(baseUrl) && isResponsesOnly(upstreamModel),
  alone: ({ baseUrl, upstreamModel }, turn) =>
    !isCloudflare(baseUrl) && isReasonedToolTurn(upstreamModel, turn),
}
const responsesWith = (quirks: RequestQuirks) => {
  const endpoint = responsesEndpoint('/responses')
  const responses = responsesOperation({ ...offer, quirks }, endpoint, { RateLimitReached: 'rate_limited' })
  const compaction = compactionOperation(responses, responsesEndpoint('/responses/compact'))
  return { responses, compaction, silent: { ...responses, silentReasoning: true } }
}

const modelNames = responsesWith(asNamed)
const dotlessNames = responsesWith(withoutDots)
const current = compatible(true)
const older = compatible(false)
const dotlessUndated = compatible(true, withoutDots)

/** Videos on the surface without dated versions alone, where the body names the deployment. */
const video = openAiVideo((path, { baseUrl, other }) => ({
  url: endpointUrl(baseUrl, '/openai/v1', `/videos${path}`) + previewQuery(versionOf(other)),
  headers: {},
}))

/** https://learn.microsoft.com/en-us/azure/ai-foundry/openai/reference */
export const azure: ProviderShape = {
  ...current,
  operation(mode, target, wanted, turn) {
    const choice = choosesResponses(offer, mode, target, wanted, turn)
    if (choice !== undefined) {
      const named = losesDots(target) ? dotlessNames : modelNames
      if (choice === 'silent') return named.silent
      return wanted === 'openai-compaction' ? named.compaction : named.responses
    }
    const version = versionOf(target.other)
    const undated = losesDots(target) ? dotlessUndated : current
    const dated = hasStreamOptions(version) ? current : older
    return (isUndated(version) ? undated : dated).operation(mode, target, wanted)
  },
  realtime: realtimeOperation(realtimeEndpoint, { RateLimitReached: 'rate_limited' }),
  models: { decode: () => [], ...current.models, endpoint: modelsEndpoint },
  tasks: { video: () => video },
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
  return other.trim() || defaultVersion
}

function responsesEndpoint(path: string) {
  return ({ baseUrl, other }: ChannelTarget) => ({
    url: `${endpointUrl(baseUrl, '/openai/v1', path)}${previewQuery(versionOf(other))}`,
    headers: {},
  })
}

/** Returns the endpoint of a session, with the key in a header, whatever the caller did. */
function realtimeEndpoint(target: Target, call: EndpointCall) {
  const { baseUrl, other } = target
  const version = versionOf(other)
  const headers = { 'openai-beta': '' }
  if (isUndated(version)) {
    const root = endpointUrl(baseUrl, '/openai/v1', '/realtime')
    return { url: sessionUrl(root, { ...target, upstreamModel: nameOf(target) }, call), headers }
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
  return isCloudflare(baseUrl) ? `${baseUrl}${rest}` : `${rootOf(baseUrl)}/deployments${rest}`
}

function rootOf(baseUrl: string): string {
  const base = baseUrl.trim().replace(/\/+$/, '')
  return base.endsWith('/openai') ? base : `${base}/openai`
}

function previewQuery(version: string): string {
  return version === 'preview' ? '?api-version=preview' : ''
}

function isCloudflare(baseUrl: string): boolean {
  return baseUrl.includes('/azure-openai/')
}

/**
 * Returns the deployment as an address has it. Azure's own name of the model is `gpt-35-turbo`, from which its deployments are named.
 */
function deploymentOf(target: Target): string {
  const name = nameOf(target)
  return pathSegment(target.isMapped === true ? name : name.replace(/^gpt-3\.5/, 'gpt-35'))
}

/** Returns the name of a deployment, which is that of its model; one that the operator mapped to is taken at its word. */
function nameOf(target: Target): string {
  const { upstreamModel, isMapped } = target
  if (isMapped === true) return upstreamModel
  return losesDots(target) ? dotless(upstreamModel) : openAiModelOf(upstreamModel)
}

function losesDots({ stripsDeploymentDots, isMapped }: Target): boolean {
  return stripsDeploymentDots === true && isMapped !== true
}

function dotless(model: string): string {
  return openAiModelOf(model).replaceAll('.', '')
}

/** Lists what could be deployed: deployments themselves are listed by another service, for another kind of key. */
function modelsEndpoint({ baseUrl, other }: ChannelTarget) {
  const version = versionOf(other)
  const url = isUndated(version)
    ? `${endpointUrl(baseUrl, '/openai/v1', '/models')}${previewQuery(version)}`
    : `${rootOf(baseUrl)}/models?api-version=${modelsVersion}`
  return { url, headers: {} }
}
