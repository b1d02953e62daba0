import type { ChannelReason } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { ChannelRepository } from '../../store/channels/channels.ts'
import { describeFailure } from '../health/failure-policy.ts'
import type { HealthRegistry } from '../health/health-types.ts'
import type { RoutedChannel } from '../routing/routing-types.ts'
import { type TestCallDependencies, type TestResult, testCall } from './test-call.ts'

export interface TesterDependencies extends TestCallDependencies {
  readonly wallClock: Clock
  readonly channels: Pick<ChannelRepository, 'update'>
  readonly health: Pick<HealthRegistry, 'record' | 'reset' | 'noteFailure'>
}

/** Tests channels and stores how long the tests took. Never changes a status: the caller decides that. */
export function createChannelTester(deps: TesterDependencies) {
  return {
    async test(
      channel: RoutedChannel,
      keyIndex: number,
      model?: string,
      signal?: AbortSignal,
    ): Promise<TestResult> {
      const result = await testCall(channel, keyIndex, model, deps, signal)
      await deps.channels.update(channel.id, {
        responseTimeMs: Math.round(result.ms),
        testedAt: unixSeconds(deps.wallClock),
        testFailure: testFailureOf(result),
      })
      if (result.failure?.error !== undefined) deps.health.noteFailure(channel.id, result.failure.error)
      if (result.failure === undefined) {
        deps.health.record({ channelId: channel.id, keyIndex, model: result.model, ms: result.ms })
        // A key that passed says nothing about the others and their cooldowns.
        if (channel.keys.length === 1) deps.health.reset(channel.id)
      }
      return result
    },
  }
}

/** Why a test failed; `null` for one that passed. */
export function testFailureOf({ model, failure }: TestResult): ChannelReason | null {
  if (failure === undefined) return null
  const { code, params } = failure.error === undefined ? notSent : describeFailure(failure.error)
  return { code, params: { ...params, model } }
}

const notSent: ChannelReason = { code: 'not_sent', params: {} }

export type ChannelTester = ReturnType<typeof createChannelTester>

/** The key a test uses: the first in service, else the first that no person took out of it, else the first of all. */
export function keyToTest({ keys, disabledKeys }: RoutedChannel): number {
  const inService = keys.findIndex((_, candidate) => !disabledKeys.has(candidate))
  if (inService >= 0) return inService
  return Math.max(
    keys.findIndex((_, candidate) => disabledKeys.get(candidate)?.isManual !== true),
    0,
  )
}
