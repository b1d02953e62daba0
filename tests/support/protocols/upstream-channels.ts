import type { Operator } from '../operator.ts'
import { anthropicProtocol } from './anthropic.ts'
import { bedrockProtocol } from './bedrock.ts'
import { geminiProtocol } from './gemini.ts'
import { openAiProtocol } from './openai.ts'
import type { Protocol } from './protocol.ts'
import { responsesProtocol } from './responses.ts'
import { type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts'

/** An upstream with a channel that leads to it, and the model that the channel serves. */
export interface DialectUpstream {
  readonly model: string
  readonly knownModel: string
  readonly channelType: number
  readonly key: string
  readonly upstream: ScriptedUpstream
}

export type UpstreamName = (typeof upstreamNames)[number]
export const upstreamNames = ['openai', 'responses', 'anthropic', 'gemini', 'bedrock'] as const

const awsKey = {
  accessKeyId: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}

/** Features of a model beside text. */
export type Feature = (typeof features)[number]
export const features = ['text', 'tools', 'parallel', 'image', 'reasoning', 'schema', 'usage'] as const

/**
 * Protocol of an upstream, and the settings of its channel. A new one is a new row in `upstreamKinds`, and takes part in every test.
 */
interface Kind {
  readonly protocol: Protocol
  readonly channelType: number
  readonly key: string
  /** A name that no price of ours, and where it can be no rule for a vendor's family of models, knows. */
  readonly model: string
  /** One of the vendor's own, which its rules hold for. */
  readonly knownModel: string
  /** Behind the upstream's address, in the channel's. */
  readonly basePath?: string
  /** Features that the vendor lacks: requesting one is refused by name. */
  readonly lacks?: readonly Feature[]
}

export const upstreamKinds: Readonly<Record<UpstreamName, Kind>> = {
  // One of the many that speak as OpenAI does, and have nothing but Chat Completions.
  openai: {
    protocol: openAiProtocol,
    channelType: 1006,
    key: 'sk-upstream-secret-0001',
    model: 'house-openai',
    knownModel: 'gpt-5.5',
  },
  // Models that OpenAI itself serves through Responses alone.
  responses: {
    protocol: responsesProtocol,
    channelType: 1,
    key: 'sk-upstream-secret-0002',
    model: 'house-codex',
    knownModel: 'gpt-5.5-pro',
    basePath: '/api.openai.com',
  },
  anthropic: {
    protocol: anthropicProtocol,
    channelType: 14,
    key: 'sk-ant-upstream-0001',
    model: 'house-anthropic',
    knownModel: 'claude-sonnet-4-5-20250929',
  },
  gemini: {
    protocol: geminiProtocol,
    channelType: 24,
    key: 'AIzaUpstream0001',
    model: 'house-gemini',
    knownModel: 'gemini-3-pro-preview',
  },
  bedrock: {
    protocol: bedrockProtocol(awsKey),
    channelType: 33,
    key: `${awsKey.accessKeyId}|${awsKey.secret}|${awsKey.region}`,
    model: 'anthropic.house-v1:0',
    knownModel: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
  },
}

/** One of each kind, each with a channel of its own. */
export async function startDialectUpstreams(
  operator: Operator,
): Promise<Readonly<Record<UpstreamName, DialectUpstream>>> {
  const started = await Promise.all(
    upstreamNames.map(async (name) => {
      const { protocol, ...kind } = upstreamKinds[name]
      const upstream = await startScriptedUpstream(protocol)
      await addChannelTo(operator, name, upstream, { models: `${kind.model},${kind.knownModel}` })
      return [name, { ...kind, upstream }] as const
    }),
  )
  return Object.fromEntries(started) as Record<UpstreamName, DialectUpstream>
}

/** A channel of the upstream's kind that leads to it. */
export function addChannelTo(
  operator: Operator,
  name: UpstreamName,
  upstream: ScriptedUpstream,
  fields: { readonly models: string } & Readonly<Record<string, unknown>>,
): Promise<{ id: number }> {
  const { channelType: type, key, basePath = '' } = upstreamKinds[name]
  return operator.addChannel({ name, type, key, base_url: upstream.url + basePath, ...fields })
}

/** Two upstreams that serve the same model, the first one before the second. */
export interface UpstreamPair {
  readonly model: string
  readonly first: ScriptedUpstream
  readonly second: ScriptedUpstream
  readonly channelIds: readonly number[]
}

export async function startPairs<Name extends UpstreamName>(
  operator: Operator,
  names: readonly Name[],
): Promise<Readonly<Record<Name, UpstreamPair>>> {
  const started = await Promise.all(
    names.map(async (name) => {
      const { protocol, model } = upstreamKinds[name]
      const [first, second] = [await startScriptedUpstream(protocol), await startScriptedUpstream(protocol)]
      const { id } = await addChannelTo(operator, name, first, { models: model, priority: 10 })
      const other = await addChannelTo(operator, name, second, { models: model })
      const pair: UpstreamPair = { model, first, second, channelIds: [id, other.id] }
      return [name, pair] as const
    }),
  )
  return Object.fromEntries(started) as Record<Name, UpstreamPair>
}

/** Channels remember a failure: this makes them forget it. */
export async function healPairs(operator: Operator, pairs: Readonly<Record<string, UpstreamPair>>) {
  for (const { first, second, channelIds } of Object.values(pairs)) {
    first.forget()
    second.forget()
    for (const id of channelIds) {
      await operator.api('PUT', '/api/channel/', { id, status: 2 })
      await operator.api('PUT', '/api/channel/', { id, status: 1 })
    }
  }
}

export async function stopPairs(pairs: Readonly<Record<string, UpstreamPair>> = {}): Promise<void> {
  for (const { first, second } of Object.values(pairs)) {
    await first.stop()
    await second.stop()
  }
}

export interface Ratios {
  readonly model: number
  readonly completion: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** The same price for the models of every kind. */
export async function priceModels(
  operator: Operator,
  ratios: Ratios,
  more: readonly string[] = [],
): Promise<void> {
  const models = [...modelsOfKinds(), ...more]
  const each = (ratio: number) => JSON.stringify(Object.fromEntries(models.map((model) => [model, ratio])))
  await operator.option('ModelRatio', each(ratios.model))
  await operator.option('CompletionRatio', each(ratios.completion))
  if (ratios.cacheRead !== undefined) await operator.option('CacheRatio', each(ratios.cacheRead))
  if (ratios.cacheWrite !== undefined) await operator.option('CreateCacheRatio', each(ratios.cacheWrite))
}

function modelsOfKinds(): readonly string[] {
  return upstreamNames.flatMap((name) => [upstreamKinds[name].model, upstreamKinds[name].knownModel])
}
