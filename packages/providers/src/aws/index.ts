import {
  anthropicMessages,
  decodeErrorBody,
  type JsonEdits,
  type UpstreamErrorInfo,
  type UpstreamFailure,
  unwrapBedrockEvent,
} from '@tollgate/formats'
import { splitBetas } from '../claude.ts'
import type { Credential } from '../credential.ts'
import { namesIn } from '../openai-compatible.ts'
import type { ChannelTarget, Operation, OperationQuirks, Provider } from '../provider.ts'
import { mergedEdits } from '../quirks.ts'
import { readAwsKey } from './key.ts'
import { bedrockModelId, callerModelName } from './model-id.ts'
import { signSigV4 } from './sigv4.ts'

const defaultBaseUrl = 'https://bedrock-runtime.{region}.amazonaws.com'
const bodyVersion = '"bedrock-2023-05-31"'

/** Betas that Bedrock knows, without their dates: it refuses calls with any other. */
const knownBetas =
  /^(computer-use|context-1m|context-management|dev-full-thinking|effort|fine-grained-tool-streaming|interleaved-thinking|output-128k|token-efficient-tools|tool-examples|tool-search-tool)-\d{4}-\d\d-\d\d$/

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
  const betas = splitBetas(list).filter((beta) => knownBetas.test(beta))
  if (betas.length === 0) return new Map()
  const all = new Set([...(Array.isArray(own) ? own : []), ...betas])
  return new Map([['anthropic_beta', JSON.stringify([...all])]])
}

/** Claude by `InvokeModel`. https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html */
const invoke: Operation = {
  format: 'anthropic-messages',
  codec: anthropicMessages,
  framing: 'aws-event-stream',
  streamOptions: false,
  hosted: true,
  quirks,
  endpoint(target, { stream }) {
    const { region } = readAwsKey(target.key)
    const id = encodeURIComponent(bedrockModelId(target.upstreamModel, region))
    const action = stream ? 'invoke-with-response-stream' : 'invoke'
    return {
      url: `${hostOf(target, region)}/model/${id}/${action}`,
      headers: stream
        ? { ...json, accept: 'application/vnd.amazon.eventstream', 'x-amzn-bedrock-accept': json.accept }
        : json,
    }
  },
  unwrap: unwrapBedrockEvent,
  decodeError,
}

const json = { accept: 'application/json', 'content-type': 'application/json' }

const credential: Credential = {
  kind: 'signed',
  sign(request, target, tools) {
    const key = readAwsKey(target.key)
    if (key.kind === 'api-key')
      return { ...request, headers: { ...request.headers, authorization: `Bearer ${key.token}` } }
    const { id: accessKeyId, secret: secretAccessKey, region } = key
    return signSigV4(request, { accessKeyId, secretAccessKey, region, service: 'bedrock' }, tools)
  },
}

/** Amazon Bedrock, Claude models. The base URL may hold `{region}`, which the key fills in. */
export const aws: Provider = {
  id: 'aws',
  defaultBaseUrl,
  credential,
  modes: ['chat'],
  operation: (mode) => (mode === 'chat' ? invoke : undefined),
  models: {
    endpoint(target) {
      // The list is another service's, on a host of its own.
      const host = hostOf(target, readAwsKey(target.key).region).replace('//bedrock-runtime.', '//bedrock.')
      return { url: `${host}/foundation-models?byOutputModality=TEXT`, headers: json }
    },
    decode(body) {
      const names = namesIn(body, 'modelSummaries', 'modelId').map(callerModelName)
      return [...new Set(names.filter((name) => name !== undefined))]
    },
  },
  decodeError,
}

function hostOf({ baseUrl }: ChannelTarget, region: string): string {
  const base = baseUrl || defaultBaseUrl
  const host = base.replaceAll('{region}', region)
  return base === defaultBaseUrl && region.startsWith('cn-') ? `${host}.cn` : host
}

const codeKinds = {
  SignatureDoesNotMatch: 'unauthorized',
  IncompleteSignatureException: 'unauthorized',
  MissingAuthenticationTokenException: 'unauthorized',
  ModelErrorException: 'upstream_bug',
} as const

/** Its own failures are named in a header, or by the framing of a stream; the model's own are Anthropic's. */
function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  return failure.headers['x-amzn-errortype'] === undefined
    ? anthropicMessages.decodeError(failure)
    : decodeErrorBody(failure, codeKinds)
}
