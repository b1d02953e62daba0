import { findChannelType } from '@tollgate/api/channel-types'
import type { UpstreamErrorInfo } from '@tollgate/formats'
import { type Provider, withoutEndpoint } from '@tollgate/providers'
import type { Channel, ChannelSummary, NewChannel } from '../../store/channels/channels.ts'
import {
  parseChannelSetting,
  parseModelMapping,
  parseParamOverride,
  parseStatusCodeMapping,
} from './channel-fields.ts'
import { drainOf } from './draining.ts'
import type { ModelNames } from './model-names.ts'
import type { RoutedChannel } from './routing-types.ts'

/** The keys of a channel, opened by the vault, and when this process first saw them (monotonic clock, ms). */
export interface OpenedKeys {
  readonly keys: readonly string[]
  readonly since: number
}

/** The channel with a new summary; its long texts are unchanged. */
export function withSummary(routed: RoutedChannel, summary: ChannelSummary): RoutedChannel {
  const { name, status, groups, priority, weight } = summary
  const disabledKeys = disabledKeysOf(summary)
  return { ...routed, name, status, groups, priority, weight, disabledKeys, drain: drainOf(summary) }
}

/** Shared by all channels without one. */
const noDisabledKeys: RoutedChannel['disabledKeys'] = new Map()

function disabledKeysOf({ keyStates }: Pick<Channel, 'keyStates'>): RoutedChannel['disabledKeys'] {
  if (keyStates.length === 0) return noDisabledKeys
  return new Map(
    keyStates.map(({ index, status, reason, at }) => [
      index,
      { reason, at, ...(status === 'disabled' && { isManual: true as const }) },
    ]),
  )
}

/** Fields of a channel that its routing is compiled from. */
export type StoredFields = NewChannel &
  Pick<Channel, 'id' | 'keyStates'> &
  Partial<Pick<Channel, 'statusReason'>>

/**
 * Compiles a stored channel for routing. An unreadable field (written by an importer or another version) counts as not
 * set and is reported, so that one bad row never stops the other channels.
 */
export function compileChannel(
  channel: StoredFields,
  provider: Provider,
  { keys, since }: OpenedKeys,
  names: ModelNames,
  report: (error: unknown) => void,
): RoutedChannel {
  const read = <Value>(parse: (text: string) => Value, text: string): Value => {
    try {
      return parse(text)
    } catch (error) {
      report(error)
      return parse('')
    }
  }
  const mapping = read(parseModelMapping, channel.modelMapping)
  return {
    id: channel.id,
    provider,
    disabledKeys: disabledKeysOf(channel),
    modelMapping: mapping.final,
    mappingLoops: mapping.loops,
    paramOverride: read(parseParamOverride, channel.paramOverride),
    setting: read(parseChannelSetting, channel.setting),
    baseUrlTrusted: channel.baseUrlTrusted,
    keys,
    name: channel.name,
    type: channel.type,
    status: channel.status,
    baseUrl: baseUrlOf(channel, provider),
    openaiOrganization: channel.openaiOrganization,
    other: channel.other,
    models: new Set(channel.models.map((model) => names.intern(model))),
    groups: channel.groups,
    statusCodeMapping: read(parseStatusCodeMapping, channel.statusCodeMapping),
    autoBan: channel.autoBan,
    testModel: channel.testModel,
    priority: channel.priority,
    weight: channel.weight,
    keysSince: since,
    drain: drainOf({ status: channel.status, statusReason: channel.statusReason ?? null }),
  }
}

function baseUrlOf({ type, baseUrl }: StoredFields, provider: Provider): string {
  if (baseUrl === '') return provider.defaultBaseUrl
  return findChannelType(type)?.address === 'complete' ? baseUrl : withoutEndpoint(baseUrl)
}

/** Applies the channel's `status_code_mapping`: retries, disabling and the caller see the mapped status. */
export function mapStatus(
  error: UpstreamErrorInfo,
  { statusCodeMapping }: Pick<RoutedChannel, 'statusCodeMapping'>,
): UpstreamErrorInfo {
  const status = statusCodeMapping.get(error.status)
  return status === undefined ? error : { ...error, status }
}

/** One key per line, in their order. Blank lines and repetitions are dropped. */
export function splitKeys(text: string): readonly string[] {
  const keys = text.split(/\r\n|\r|\n/).map((line) => line.trim())
  return [...new Set(keys)].filter((key) => key !== '')
}

export function joinKeys(keys: readonly string[]): string {
  return keys.join('\n')
}
