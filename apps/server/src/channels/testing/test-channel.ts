import type { LogEvent } from '@tollgate/api/log-events'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor, AuditLog } from '../../records/audit-log/audit-log.ts'
import type { EventLog } from '../../records/logs/event-log.ts'
import type { ChannelRepository } from '../../store/channels/channels.ts'
import { type ProviderFor, providerOf } from '../routing/provider-of.ts'
import type { ChannelSnapshot, RoutedChannel } from '../routing/routing-types.ts'
import { type ChannelTester, keyToTest } from './channel-tester.ts'
import type { TestResult } from './test-call.ts'

export interface TestChannelDependencies {
  readonly providerFor: ProviderFor
  readonly channels: Pick<ChannelRepository, 'find'>
  readonly directory: { readonly snapshot: ChannelSnapshot }
  readonly tester: ChannelTester
  readonly events: Pick<EventLog, 'appendSystemLog'>
  readonly auditLog: AuditLog
}

/**
 * Tests one channel for a person, with a row in the log. Returns the seconds it took; a failed test is a `Refusal` with
 * its seconds. The channel's status stays as it is.
 */
export async function testChannel(
  id: number,
  { model, keyIndex }: { readonly model: string | undefined; readonly keyIndex: number | undefined },
  actor: Actor,
  deps: TestChannelDependencies,
): Promise<number> {
  const channel = await routedChannel(id, deps)
  const result = await deps.tester.test(channel, keyIndex ?? keyToTest(channel), model)
  await deps.events.appendSystemLog(actor, testEvent(channel, result))
  const target = { kind: 'channel' as const, id, name: channel.name }
  await deps.auditLog.record(actor, { action: 'channel.test', target })
  const time = result.ms / 1000
  if (result.failure === undefined) return time
  throw new Refusal(result.failure.code, result.failure.details, { extra: { time } })
}

/**
 * A channel as routing knows it, whatever its status. Throws `Refusal` when it does not exist, or its type has no
 * provider.
 */
export async function routedChannel(
  id: number,
  deps: Omit<TestChannelDependencies, 'tester' | 'events' | 'auditLog'>,
): Promise<RoutedChannel> {
  const channel = deps.directory.snapshot.channel(id)
  if (channel !== undefined) return channel
  const stored = await deps.channels.find(id)
  if (stored === undefined) throw new Refusal('record_not_found')
  providerOf(stored.type, deps.providerFor)
  throw new Refusal('channel_keys_unreadable')
}

function testEvent({ id, name }: RoutedChannel, { model, ms, failure }: TestResult): LogEvent {
  const params = { channel: name, id, model, duration: ms }
  if (failure === undefined) return { event: 'channel_test_passed', params }
  const { code, details } = failure
  return { event: 'channel_test_failed', params: { ...params, failure: { code, details } } }
}
