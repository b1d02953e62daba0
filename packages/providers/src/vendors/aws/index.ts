import { type FormatName, isObject, listOf, objectOf, textOf, type UpstreamCodec } from '@tollgate/formats'
import { chatOperation, type ProviderShape } from '../../define-provider.ts'
import { isClaudeName } from '../../families/claude/model-names.ts'
import type { Operation, PlainFormat } from '../../provider.ts'
import { decodeResponse, decodeStream } from './converse/decode.ts'
import { encodeRequest } from './converse/encode-request.ts'
import { credential, decodeError, json, modelEndpoint, serviceHost } from './endpoint.ts'
import { countTokens, embeddings, invoke, isEmbedding, isReranker, rerank } from './invoke.ts'
import { callerModelName } from './model-id.ts'

/**
 * Bedrock's one form for the chat models of all its vendors.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
const converseCodec: UpstreamCodec = {
  format: 'bedrock-converse',
  encodeRequest,
  decodeResponse,
  decodeStream,
  decodeError,
}

/** Chat with models of every vendor. https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference.html */
const converse = chatOperation({
  mediaBytes: 'always',
  codec: converseCodec,
  framing: 'aws-event-stream',
  endpoint(target, { stream }) {
    const { url, headers } = modelEndpoint(target, stream ? 'converse-stream' : 'converse')
    return { url, headers: stream ? { ...headers, accept: 'application/vnd.amazon.eventstream' } : headers }
  },
})

/** Amazon Bedrock. The base URL may hold `{region}`, which the key fills in. */
export const aws: ProviderShape = {
  credential,
  modes: ['chat', 'embeddings', 'rerank'],
  operation(mode, { upstreamModel }, wanted) {
    if (mode === 'chat') return chatOperationOf(upstreamModel, wanted)
    if (mode === 'embeddings') return embeddings
    return mode === 'rerank' ? rerank : undefined
  },
  counting: ({ upstreamModel }) => (isClaudeName(upstreamModel) ? countTokens : undefined),
  models: {
    endpoint: (target) => ({ url: `${serviceHost(target, 'bedrock')}/foundation-models`, headers: json }),
    decode: (body) => [...new Set(listOf(objectOf(body).modelSummaries).filter(isServed).map(nameOf))],
  },
  decodeError,
}

/**
 * Returns the operation of a chat. A profile of the operator's own does not name the vendor of its model: Converse serves all of them.
 */
function chatOperationOf(model: string, wanted: FormatName | PlainFormat): Operation | undefined {
  if (isEmbedding(model) || isReranker(model)) return undefined
  const isUnknown = model.startsWith('arn:') && wanted === 'anthropic-messages'
  return isClaudeName(model) || isUnknown ? invoke : converse
}

/** Decides whether a model of the list is served: not those for images and videos, which the gateway does not call here. */
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
