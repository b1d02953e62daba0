import {
  anthropicMessages,
  type JsonEdits,
  type JsonObject,
  objectOf,
  unwrapBedrockEvent,
} from '@tollgate/formats'
import { cloudBetas, countFailure } from '../claude.ts'
import type { Operation, OperationQuirks } from '../provider.ts'
import { mergedEdits } from '../quirks.ts'
import { countingEndpoint, modelEndpoint } from './address.ts'
import { decodeError } from './error.ts'

const bodyVersion = '"bedrock-2023-05-31"'

/** The model and whether to stream stand in the address; version and betas stand in the body. */
const quirks: OperationQuirks = (request, _model, headers) =>
  mergedEdits(
    new Map([
      ['model', undefined],
      ['stream', undefined],
      // Not known there, and of no weight for the answer.
      ['service_tier', undefined],
      ['anthropic_version', bodyVersion],
    ]),
    betasOf(headers['anthropic-beta'] ?? '', request.body.anthropic_beta),
  )

function betasOf(list: string, own: unknown): JsonEdits {
  const betas = cloudBetas(list)
  if (betas.length === 0) return new Map()
  const all = new Set([...(Array.isArray(own) ? own : []), ...betas])
  return new Map([['anthropic_beta', JSON.stringify([...all])]])
}

/** Version and betas are for Anthropic's own address: here they stand in the body. */
const notOfCaller = { 'anthropic-version': '', 'anthropic-beta': '' }

/** Claude by `InvokeModel`. https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html */
export const invoke: Operation = {
  format: 'anthropic-messages',
  codec: anthropicMessages,
  framing: 'aws-event-stream',
  streamOptions: false,
  hosted: true,
  mediaBytes: 'always',
  quirks,
  endpoint(target, { stream }) {
    const { url, headers } = modelEndpoint(target, stream ? 'invoke-with-response-stream' : 'invoke')
    const accepts = stream ? { accept: eventStream, 'x-amzn-bedrock-accept': 'application/json' } : {}
    return { url, headers: { ...headers, ...accepts, ...notOfCaller } }
  },
  unwrap: unwrapBedrockEvent,
  decodeError,
}

/**
 * Counts by the body that would be sent, in base64; not every model.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/count-tokens.html
 */
export const countTokens: Operation = {
  ...invoke,
  quirks: (request, model, headers) =>
    mergedEdits(quirks(request, model, headers), new Map([['max_tokens', limitOf(request.body)]])),
  enclosure: { before: '{"input":{"invokeModel":{"body":"', after: '"}}}' },
  endpoint(target) {
    const { url, headers } = countingEndpoint(target)
    return { url, headers: { ...headers, ...notOfCaller } }
  },
  decodeError: countFailure(decodeError),
}

/** A body without a limit, or with one below its budget of thoughts, is none that could be sent. */
function limitOf({ max_tokens: limit, thinking }: JsonObject): string {
  const { budget_tokens: budget } = objectOf(thinking)
  const least = typeof budget === 'number' ? budget + 1 : 1
  return String(typeof limit === 'number' ? Math.max(limit, least) : least)
}

const eventStream = 'application/vnd.amazon.eventstream'
