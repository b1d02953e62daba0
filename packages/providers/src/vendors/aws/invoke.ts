import {
  anthropicMessages,
  type EmbeddingRequest,
  type EmbeddingVectors,
  embeddingCodec,
  type JsonEdits,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  rerankCodec,
  textOf,
  unwrapBedrockEvent,
} from '@tollgate/formats'
import { chatOperation, plainOperation } from '../../define-provider.ts'
import { mergeEdits, noEdits } from '../../edits/json-edits.ts'
import { betasOfTools, hostBetas } from '../../families/claude/host-betas.ts'
import { fitToClaudeHost, movedOutputFormat } from '../../families/claude/host-fit.ts'
import { countFailure } from '../../families/claude.ts'
import { textInputs, vectorOf, vectorsOf } from '../../modes/embeddings.ts'
import type { Operation, OperationQuirks } from '../../provider.ts'
import { countingEndpoint, decodeError, modelEndpoint } from './endpoint.ts'

const bodyVersion = '"bedrock-2023-05-31"'

/** The address holds the model and whether to stream; the body holds version and betas. */
const quirks: OperationQuirks = (request, model, headers) =>
  mergeEdits(
    new Map([
      ['model', undefined],
      ['stream', undefined],
      ['anthropic_version', bodyVersion],
    ]),
    movedOutputFormat(request),
    betasOf(request.body, headers['anthropic-beta'] ?? '', model),
  )

/** The betas of the caller's header and of its body, as far as Bedrock takes them. */
function betasOf(body: JsonObject, header: string, model: string): JsonEdits {
  const written = listOf(body.anthropic_beta).map(textOf)
  const betas = new Set([...hostBetas('bedrock', [...written, header].join(), model), ...betasOfTools(body)])
  if (betas.size === 0) return written.length === 0 ? noEdits : new Map([['anthropic_beta', undefined]])
  return new Map([['anthropic_beta', JSON.stringify([...betas])]])
}

/** Headers with version and betas are for Anthropic's own address: here they belong into the body. */
const notOfCaller = { 'anthropic-version': '', 'anthropic-beta': '' }

/** Claude by `InvokeModel`. https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html */
export const invoke = chatOperation({
  codec: anthropicMessages,
  framing: 'aws-event-stream',
  hosted: true,
  mediaBytes: 'always',
  quirks,
  fit: fitToClaudeHost('bedrock'),
  endpoint(target, { stream }) {
    const { url, headers } = modelEndpoint(target, stream ? 'invoke-with-response-stream' : 'invoke')
    const accepts = stream ? { accept: eventStream, 'x-amzn-bedrock-accept': 'application/json' } : {}
    return { url, headers: { ...headers, ...accepts, ...notOfCaller } }
  },
  unwrap: unwrapBedrockEvent,
})

/**
 * Counts by the body that would be sent, in base64; not every model.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/count-tokens.html
 */
export const countTokens: Operation = {
  ...invoke,
  quirks: (request, model, headers) =>
    mergeEdits(quirks(request, model, headers), new Map([['max_tokens', limitOf(request.body)]])),
  enclosure: { before: '{"input":{"invokeModel":{"body":"', after: '"}}}' },
  endpoint(target) {
    const { url, headers } = countingEndpoint(target)
    return { url, headers: { ...headers, ...notOfCaller } }
  },
  decodeError: countFailure(decodeError),
}

/** The API refuses a body without a limit, or with a limit below its reasoning budget. */
function limitOf({ max_tokens: limit, thinking }: JsonObject): string {
  const budget = numberOf(objectOf(thinking).budget_tokens)
  const min = budget === undefined ? 1 : budget + 1
  return String(Math.max(numberOf(limit) ?? min, min))
}

const eventStream = 'application/vnd.amazon.eventstream'

/** Texts that a model of Cohere's takes at once; one of Amazon's takes one. */
const maxTexts = 96

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html, …/model-parameters-embed.html */
export const embeddings = plainOperation({
  format: 'provider:aws-embeddings',
  plain: embeddingCodec({
    encodeRequest(request, { model }) {
      const body = isCohere(model) ? cohereBody(request, model) : titanBody(request, model)
      const known = isCohere(model) ? ['input_type', 'truncate'] : ['normalize']
      const lost = Object.keys(request.vendor).filter((name) => !known.includes(name))
      return { body, dropped: [...lost, ...(request.user === '' ? [] : ['user'])] }
    },
    decodeResponse: (response) => readTitan(response.json) ?? readCohere(response.json),
  }),
  framing: 'aws-event-stream',
  endpoint: (target) => modelEndpoint(target, 'invoke'),
  decodeError,
})

/** Models of texts as vectors, by their ids. */
export function isEmbedding(model: string): boolean {
  return /titan-embed-|cohere\.embed-/.test(model)
}

function isCohere(model: string): boolean {
  return model.includes('cohere.')
}

function titanBody(request: EmbeddingRequest, model: string) {
  const [inputText = ''] = textInputs(request, 1)
  // The first version has no other field.
  if (!model.includes('-v2')) return { inputText }
  const { dimensions, vendor } = request
  return {
    inputText,
    ...(dimensions !== undefined && { dimensions }),
    ...(typeof vendor.normalize === 'boolean' && { normalize: vendor.normalize }),
  }
}

function cohereBody(request: EmbeddingRequest, model: string) {
  const { dimensions, vendor } = request
  return {
    texts: textInputs(request, maxTexts),
    input_type: textOf(vendor.input_type) || 'search_document',
    embedding_types: ['float'],
    ...(textOf(vendor.truncate) !== '' && { truncate: vendor.truncate }),
    ...(dimensions !== undefined && model.includes('embed-v4') && { output_dimension: dimensions }),
  }
}

function readTitan(body: unknown): EmbeddingVectors | undefined {
  const vector = vectorOf(objectOf(body).embedding)
  return vector === undefined ? undefined : [vector]
}

function readCohere(body: unknown): EmbeddingVectors | undefined {
  const { embeddings } = objectOf(body)
  return vectorsOf(listOf(Array.isArray(embeddings) ? embeddings : objectOf(embeddings).float))
}

/** Reranks by `InvokeModel`, which needs no ARN of the model. */
export const rerank = plainOperation({
  format: 'provider:aws-rerank',
  plain: rerankCodec({
    encodeRequest({ query, texts, topN, vendor }, { model }) {
      const isCohere = model.includes('cohere.')
      const body = {
        query,
        documents: texts,
        ...(topN !== undefined && { top_n: topN }),
        ...(isCohere && { api_version: 2 }),
      }
      return { body, dropped: Object.keys(vendor) }
    },
    decodeResponse(response, { texts }) {
      const { results } = objectOf(response.json)
      if (!Array.isArray(results)) return undefined
      const found = listOf(results).flatMap((result) => scoreOf(objectOf(result), texts.length))
      return found.length === results.length ? { results: found, usage: undefined } : undefined
    },
  }),
  framing: 'aws-event-stream',
  endpoint: (target) => modelEndpoint(target, 'invoke'),
  decodeError,
})

/** Recognises models that rerank, by their ids. */
export function isReranker(model: string): boolean {
  return /\.rerank-/.test(model)
}

function scoreOf({ index, relevance_score }: JsonObject, count: number) {
  const known =
    typeof index === 'number' && index >= 0 && index < count && typeof relevance_score === 'number'
  return known ? [{ index, score: relevance_score }] : []
}
