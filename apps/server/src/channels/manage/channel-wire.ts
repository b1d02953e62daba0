import {
  type ChannelReason,
  type ChannelReasonCode,
  channelReasonText,
  channelResource,
  type Channel as WireChannel,
} from '@tollgate/api'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { Vault } from '../../lib/crypto.ts'
import type { Channel, ChannelKeyState } from '../../store/channels/channels.ts'
import { channelCondition } from '../health/channel-condition.ts'
import type { HealthRegistry, HealthView } from '../health/health-types.ts'
import { noAttempts, type RecentAttempts } from '../health/recent-attempts.ts'
import type { ChannelSnapshot } from '../routing/routing-types.ts'
import { keyHint, keyIds } from './channel-keys.ts'
import { withHiddenPassword } from './proxy-password.ts'
import { soleModels } from './sole-models.ts'

interface WireDependencies {
  readonly directory: { readonly snapshot: ChannelSnapshot }
  readonly health: Pick<HealthRegistry, 'view'>
  readonly ledger: Pick<Ledger, 'unflushed'>
  readonly vault: Pick<Vault, 'hash'>
}

/**
 * A channel as the console may see it, with a hint of each key instead of the key.
 * @param attempts of the last hour, by channel
 */
export function toWire(
  channel: Channel,
  attempts: ReadonlyMap<number, RecentAttempts>,
  deps: WireDependencies,
): WireChannel {
  const recent = attempts.get(channel.id) ?? noAttempts
  const view = deps.health.view(channel.id)
  const keys = deps.directory.snapshot.channel(channel.id)?.keys ?? []
  const ids = keyIds(keys, deps.vault)
  const usedQuota = channel.usedQuota + deps.ledger.unflushed('channel', channel.id).quota
  return {
    ...channelResource.toWire(channel),
    key: '',
    setting: withHiddenPassword(channel.setting),
    used_quota: usedQuota,
    test_failure: channel.testFailure && {
      code: channel.testFailure.code,
      params: { ...channel.testFailure.params },
    },
    other_info: otherInfo(channel),
    // What is planned stands in another table: see `withSchedules`.
    schedule: null,
    // What is open there, all nodes say: see `withDrains`.
    drain: null,
    sole_models: soleModels(deps.directory.snapshot).get(channel.id) ?? 0,
    health: {
      condition: channelCondition({ channel, health: view, recent }),
      last_hour: {
        ok: recent.ok,
        failed: recent.failed,
        other_failures: recent.otherFailures,
        latency_ms: recent.latencyMs,
      },
      state: view.state,
      error_rate: view.errorRate,
      ...reasonFields(view.reason),
      retry_at: toSeconds(view.retryAt),
      last_success_time: view.lastSuccessAt,
      last_failure_time: view.lastFailureAt,
      last_failure_code: view.lastFailure?.code ?? '',
      last_failure_params: view.lastFailure?.params ?? {},
      // Another node, or a version that stored no times, may have had the successes.
      never_answered: view.lastSuccessAt === 0 && recent.ok === 0 && usedQuota === 0,
      recent_ms: [...view.recentMs],
      keys: Array.from({ length: channel.keyCount }, (_, index) => ({
        ...keyHealth(channel, view, index, keys[index]),
        ...(ids[index] !== undefined && { id: ids[index] }),
      })),
    },
  }
}

/** Returns the fields that the form of a channel edits, as the console reads them; without the keys. */
export function editableFields(channel: Channel) {
  return { ...channelResource.toBody(channel), setting: withHiddenPassword(channel.setting) }
}

type WireKey = WireChannel['health']['keys'][number]

function keyHealth(channel: Channel, view: HealthView, index: number, key: string | undefined): WireKey {
  const hint = key === undefined ? '' : keyHint(key)
  const disabled = disabledState(channel, index)
  if (disabled !== undefined)
    return {
      index,
      hint,
      status: disabled.status,
      ...storedReason(disabled),
      disabled_at: disabled.at,
      retry_at: 0,
    }
  const cooling = view.coolingKeys.get(index)
  if (cooling === undefined)
    return { index, hint, status: 'enabled', ...noReason, disabled_at: 0, retry_at: 0 }
  return {
    index,
    hint,
    status: 'resting',
    ...reasonFields(cooling.reason),
    disabled_at: 0,
    retry_at: toSeconds(cooling.retryAt),
  }
}

/** Returns the state of a key that is out of service. The only key of a channel takes the channel out with it. */
function disabledState(channel: Channel, index: number): ChannelKeyState | undefined {
  const state = channel.keyStates.find((each) => each.index === index)
  const { status, statusReason, keyCount } = channel
  const tookChannelOut =
    keyCount === 1 && status === 'auto-disabled' && keyFailures.has(statusReason?.code ?? '')
  if (state !== undefined || !tookChannelOut || statusReason === null) return state
  return { index, status: 'auto-disabled', ...statusReason }
}

/** Reasons that are about a key; others are about the channel, such as a slow test. */
const keyFailures: ReadonlySet<string> = new Set<ChannelReasonCode>([
  'key_refused',
  'error_code',
  'error_type',
  'error_keyword',
])

type WireReason = Pick<WireKey, 'reason' | 'reason_code' | 'reason_params'>

const noReason: WireReason = { reason: '', reason_code: '', reason_params: {} }

function reasonFields(reason: ChannelReason | undefined): WireReason {
  if (reason === undefined) return noReason
  const { code, params } = reason
  return { reason: channelReasonText(reason, 'en'), reason_code: code, reason_params: { ...params } }
}

/** A recorded reason; older versions wrote the text alone. */
function storedReason({ reason, code = '', params = {} }: StoredReason): WireReason {
  return { reason, reason_code: code, reason_params: { ...params } }
}

type StoredReason = Omit<NonNullable<Channel['statusReason']>, 'at'>

function otherInfo({ statusReason }: Channel): string {
  if (statusReason === null) return ''
  const { reason, at, code, params } = statusReason
  const coded = code === undefined ? {} : { reason_code: code, reason_params: params ?? {} }
  return JSON.stringify({ status_reason: reason, status_time: at, ...coded })
}

function toSeconds(ms: number): number {
  return Math.ceil(ms / 1000)
}
