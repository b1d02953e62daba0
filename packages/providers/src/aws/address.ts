import type { ChannelTarget, UpstreamEndpoint } from '../channel-target.ts'
import type { Target } from '../provider.ts'
import { readAwsKey } from './key.ts'
import { bedrockModelId, foundationModelId } from './model-id.ts'

export const defaultBaseUrl = 'https://bedrock-runtime.{region}.amazonaws.com'

export const json = { accept: 'application/json', 'content-type': 'application/json' }

/** What is done with a model, in the region of the key. @throws TypeError for a key that is none */
export function modelEndpoint(target: Target, action: string): UpstreamEndpoint {
  const { region } = readAwsKey(target.key)
  const id = encodeURIComponent(bedrockModelId(target.upstreamModel, region))
  return { url: `${serviceHost(target, 'bedrock-runtime')}/model/${id}/${action}`, headers: json }
}

/** Where the tokens of a prompt are counted: of the model itself, as profiles are refused there. */
export function countingEndpoint(target: Target): UpstreamEndpoint {
  const id = encodeURIComponent(foundationModelId(target.upstreamModel))
  return { url: `${serviceHost(target, 'bedrock-runtime')}/model/${id}/count-tokens`, headers: json }
}

/** Bedrock is several services, each with a host of its own; an operator's address stands for all of them. */
export function serviceHost(
  { baseUrl, key }: ChannelTarget,
  service: 'bedrock' | 'bedrock-runtime' | 'bedrock-agent-runtime',
): string {
  const { region } = readAwsKey(key)
  const base = baseUrl || defaultBaseUrl
  const host = base.replaceAll('{region}', region).replace('//bedrock-runtime.', `//${service}.`)
  return base === defaultBaseUrl && region.startsWith('cn-') ? `${host}.cn` : host
}
