import { anthropicProtocol } from './anthropic-upstream.ts'
import { bedrockProtocol } from './bedrock-upstream.ts'
import { geminiProtocol } from './gemini-upstream.ts'
import { openAiProtocol } from './openai-upstream.ts'
import type { Operator } from './operator.ts'
import type { Protocol } from './upstream-protocol.ts'
import { type ScriptedUpstream, startScriptedUpstream } from './upstream-scripted.ts'

/** An upstream with a channel that leads to it, and the model that the channel serves. */
export interface DialectUpstream {
  readonly model: string
  readonly channelType: number
  readonly key: string
  readonly upstream: ScriptedUpstream
}

export type UpstreamName = (typeof upstreamNames)[number]
export const upstreamNames = ['openai', 'anthropic', 'gemini', 'bedrock'] as const

const awsKey = {
  accessKeyId: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}

interface Kind {
  readonly protocol: Protocol
  readonly channelType: number
  readonly key: string
  readonly model: string
}

/** Names that no price of ours, and no rule for a vendor's family of models, knows. */
export const upstreamKinds: Readonly<Record<UpstreamName, Kind>> = {
  openai: { protocol: openAiProtocol, channelType: 1, key: 'sk-upstream-secret-0001', model: 'house-openai' },
  anthropic: {
    protocol: anthropicProtocol,
    channelType: 14,
    key: 'sk-ant-upstream-0001',
    model: 'house-anthropic',
  },
  gemini: { protocol: geminiProtocol, channelType: 24, key: 'AIzaUpstream0001', model: 'house-gemini' },
  bedrock: {
    protocol: bedrockProtocol(awsKey),
    channelType: 33,
    key: `${awsKey.accessKeyId}|${awsKey.secret}|${awsKey.region}`,
    model: 'anthropic.house-v1:0',
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
      await addChannelTo(operator, name, upstream, { models: kind.model })
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
  const { channelType: type, key } = upstreamKinds[name]
  return operator.addChannel({ name, type, key, base_url: upstream.url, ...fields })
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

/** Channels keep what they learned of a failure: this has them forget it. */
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

/** The same price for the model of every kind. */
export async function priceModels(
  operator: Operator,
  ratios: { readonly model: number; readonly completion: number },
  more: readonly string[] = [],
): Promise<void> {
  const models = [...upstreamNames.map((name) => upstreamKinds[name].model), ...more]
  const each = (ratio: number) => JSON.stringify(Object.fromEntries(models.map((model) => [model, ratio])))
  await operator.option('ModelRatio', each(ratios.model))
  await operator.option('CompletionRatio', each(ratios.completion))
}
