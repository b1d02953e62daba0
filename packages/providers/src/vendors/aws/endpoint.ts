import {
  anthropicMessages,
  decodeErrorBody,
  type UpstreamErrorInfo,
  type UpstreamFailure,
} from '@tollgate/formats'
import type { ChannelTarget, UpstreamEndpoint } from '../../channel-target.ts'
import type { Credential } from '../../credential.ts'
import { pathSegment } from '../../endpoint-url.ts'
import type { Target } from '../../provider.ts'
import { rowOf } from '../../table.ts'
import { bedrockModelId, foundationModelId } from './model-id.ts'
import { signSigV4 } from './sigv4.ts'

/** A channel's key, taken apart. */
type AwsKey =
  | { readonly kind: 'access-key'; readonly id: string; readonly secret: string; readonly region: string }
  | { readonly kind: 'api-key'; readonly token: string; readonly region: string }

const regionName = /^[a-z]{2,4}(-[a-z]+)+-\d+$/

/**
 * `AccessKeyId|SecretAccessKey|Region`, or `ApiKey|Region` for an API key of Bedrock.
 * @throws TypeError for any other text
 */
function readAwsKey(key: string): AwsKey {
  const parts = key.split('|').map((part) => part.trim())
  const region = parts.at(-1) ?? ''
  // The region becomes a part of the host: anything else would lead elsewhere.
  if (!regionName.test(region) || parts.includes('')) throw malformed()
  const [first = '', second = ''] = parts
  if (parts.length === 3) return { kind: 'access-key', id: first, secret: second, region }
  if (parts.length === 2) return { kind: 'api-key', token: first, region }
  throw malformed()
}

function malformed(): TypeError {
  return new TypeError('the key must be AccessKeyId|SecretAccessKey|Region or ApiKey|Region')
}

export const json = { accept: 'application/json', 'content-type': 'application/json' }

/** The URL of an action on a model, in the key's region. @throws TypeError for an invalid key */
export function modelEndpoint(target: Target, action: string): UpstreamEndpoint {
  const { region } = readAwsKey(target.key)
  const id = pathSegment(bedrockModelId(target.upstreamModel, region, target.isMapped))
  return { url: `${serviceHost(target, 'bedrock-runtime')}/model/${id}/${action}`, headers: json }
}

/** Returns the endpoint that counts the tokens of a prompt: of the model itself, because it refuses profiles. */
export function countingEndpoint(target: Target): UpstreamEndpoint {
  const id = pathSegment(foundationModelId(target.upstreamModel, target.isMapped))
  return { url: `${serviceHost(target, 'bedrock-runtime')}/model/${id}/count-tokens`, headers: json }
}

/** Returns the host of one of Bedrock's services, each of which has its own; an operator's address replaces all of them. */
export function serviceHost(
  { baseUrl, key }: ChannelTarget,
  service: 'bedrock' | 'bedrock-runtime' | 'bedrock-agent-runtime',
): string {
  const { region } = readAwsKey(key)
  const host = baseUrl.replaceAll('{region}', region).replace('//bedrock-runtime.', `//${service}.`)
  return baseUrl === rowOf('aws').baseUrl && region.startsWith('cn-') ? `${host}.cn` : host
}

const codeKinds = {
  SignatureDoesNotMatch: 'unauthorized',
  IncompleteSignatureException: 'unauthorized',
  MissingAuthenticationTokenException: 'unauthorized',
  ModelErrorException: 'upstream_bug',
} as const

/** Its own failures are named in a header, or by the framing of a stream; the model's own are Anthropic's. */
export function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  return failure.headers['x-amzn-errortype'] === undefined
    ? anthropicMessages.decodeError(failure)
    : decodeErrorBody(failure, codeKinds)
}

/** Access keys sign each request; an API key of Bedrock is sent as it is. */
export const credential: Credential = {
  kind: 'signed',
  sign(request, target, tools) {
    const key = readAwsKey(target.key)
    if (key.kind === 'api-key')
      return { ...request, headers: { ...request.headers, authorization: `Bearer ${key.token}` } }
    const { id: accessKeyId, secret: secretAccessKey, region } = key
    return signSigV4(request, { accessKeyId, secretAccessKey, region, service: 'bedrock' }, tools)
  },
}
