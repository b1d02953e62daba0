import { type FormatName, isObject, listOf, objectOf, textOf } from '@tollgate/formats'
import type { Operation, PlainFormat, Provider } from '../provider.ts'
import { defaultBaseUrl, json, modelEndpoint, serviceHost } from './address.ts'
import { converseCodec } from './converse/codec.ts'
import { credential } from './credential.ts'
import { embeddings, isEmbedding } from './embeddings.ts'
import { decodeError } from './error.ts'
import { countTokens, invoke } from './invoke.ts'
import { callerModelName, isClaude } from './model-id.ts'
import { isReranker, rerank } from './rerank.ts'

/** Chat with models of every vendor. https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference.html */
const converse: Operation = {
  format: 'bedrock-converse',
  mediaBytes: 'always',
  codec: converseCodec,
  framing: 'aws-event-stream',
  streamOptions: false,
  endpoint(target, { stream }) {
    const { url, headers } = modelEndpoint(target, stream ? 'converse-stream' : 'converse')
    return { url, headers: stream ? { ...headers, accept: 'application/vnd.amazon.eventstream' } : headers }
  },
  decodeError,
}

/** Amazon Bedrock. The base URL may hold `{region}`, which the key fills in. */
export const aws: Provider = {
  id: 'aws',
  defaultBaseUrl,
  credential,
  modes: ['chat', 'embeddings', 'rerank'],
  operation(mode, { upstreamModel }, wanted) {
    if (mode === 'chat') return chatOperation(upstreamModel, wanted)
    if (mode === 'embeddings') return embeddings
    return mode === 'rerank' ? rerank : undefined
  },
  counting: ({ upstreamModel }) => (isClaude(upstreamModel) ? countTokens : undefined),
  models: {
    endpoint: (target) => ({ url: `${serviceHost(target, 'bedrock')}/foundation-models`, headers: json }),
    decode: (body) => [...new Set(listOf(objectOf(body).modelSummaries).filter(isServed).map(nameOf))],
  },
  decodeError,
}

/** A profile of the operator's own does not say whose model it leads to: Converse serves all of them. */
function chatOperation(model: string, wanted: FormatName | PlainFormat): Operation | undefined {
  if (isEmbedding(model) || isReranker(model)) return undefined
  const isUnknown = model.startsWith('arn:') && wanted === 'anthropic-messages'
  return isClaude(model) || isUnknown ? invoke : converse
}

/** Models that make pictures and films are not asked for through us. */
function isServed(summary: unknown): boolean {
  if (!isObject(summary) || textOf(summary.modelId) === '') return false
  const { outputModalities, modelLifecycle } = summary
  const makes = listOf(outputModalities)
  const isRetired = objectOf(modelLifecycle).status === 'LEGACY'
  return !isRetired && (makes.length === 0 || makes.includes('TEXT') || makes.includes('EMBEDDING'))
}

function nameOf(summary: unknown): string {
  return callerModelName(textOf(objectOf(summary).modelId))
}
