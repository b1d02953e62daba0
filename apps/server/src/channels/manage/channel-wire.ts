import { channelStatuses, type Channel as WireChannel } from '@tollgate/api'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { Channel } from '../../store/entities.ts'
import type { HealthBook, HealthView } from '../health/health-types.ts'
import type { ChannelSnapshot } from '../routing/routing-types.ts'
import { keyHint } from './channel-keys.ts'

interface WireDependencies {
  readonly directory: { readonly snapshot: ChannelSnapshot }
  readonly health: Pick<HealthBook, 'view'>
  readonly ledger: Pick<Ledger, 'unflushed'>
}

/** A channel as the console may see it: of each key only a hint. */
export function toWire(channel: Channel, deps: WireDependencies): WireChannel {
  const view = deps.health.view(channel.id)
  const keys = deps.directory.snapshot.channel(channel.id)?.keys ?? []
  return {
    id: channel.id,
    type: channel.type,
    key: '',
    key_count: channel.keyCount,
    name: channel.name,
    status: channelStatuses[channel.status],
    openai_organization: channel.openaiOrganization,
    max_input_tokens: channel.maxInputTokens,
    base_url: channel.baseUrl,
    other: channel.other,
    models: channel.models.join(','),
    group: channel.groups.join(','),
    model_mapping: channel.modelMapping,
    status_code_mapping: channel.statusCodeMapping,
    param_override: channel.paramOverride,
    setting: channel.setting,
    auto_ban: channel.autoBan ? 1 : 0,
    test_model: channel.testModel,
    priority: channel.priority,
    weight: channel.weight,
    tag: channel.tag,
    used_quota: channel.usedQuota + deps.ledger.unflushed('channel', channel.id).quota,
    balance: channel.balance,
    balance_updated_time: channel.balanceUpdatedAt,
    response_time: channel.responseTimeMs,
    test_time: channel.testedAt,
    created_time: channel.createdAt,
    other_info: otherInfo(channel),
    health: {
      state: view.state,
      error_rate: view.errorRate,
      reason: view.reason,
      retry_at: toSeconds(view.retryAt),
      recent_ms: [...view.recentMs],
      keys: Array.from({ length: channel.keyCount }, (_, index) =>
        keyHealth(channel, view, index, keys[index]),
      ),
    },
  }
}

type WireKey = WireChannel['health']['keys'][number]

function keyHealth(channel: Channel, view: HealthView, index: number, key: string | undefined): WireKey {
  const hint = key === undefined ? '' : keyHint(key)
  const disabled = channel.keyStates.find((state) => state.index === index)
  if (disabled !== undefined)
    return { index, hint, status: 'auto-disabled', reason: disabled.reason, retry_at: 0 }
  const cooling = view.coolingKeys.get(index)
  if (cooling === undefined) return { index, hint, status: 'enabled', reason: '', retry_at: 0 }
  return { index, hint, status: 'resting', reason: cooling.reason, retry_at: toSeconds(cooling.retryAt) }
}

function otherInfo({ statusReason }: Channel): string {
  if (statusReason === null) return ''
  return JSON.stringify({ status_reason: statusReason.reason, status_time: statusReason.at })
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1000)
}
