import { describe, expect, it } from 'bun:test'
import type { ChannelCondition } from '@tollgate/api'
import { type ConditionFacts, channelCondition } from './channel-condition.ts'
import { noAttempts } from './recent-attempts.ts'

const quiet: ConditionFacts = {
  channel: { status: 'enabled', keyCount: 2, keyStates: [] },
  health: { state: 'closed', lastSuccessAt: 100, lastFailureAt: 0, errorRate: 0, coolingKeys: new Map() },
  recent: noAttempts,
}

interface Changes {
  readonly channel?: Partial<ConditionFacts['channel']>
  readonly health?: Partial<ConditionFacts['health']>
  readonly recent?: Partial<ConditionFacts['recent']>
}

const cooling = (...keys: number[]) =>
  new Map(keys.map((key) => [key, { reason: undefined, retryAt: 0 }] as const))
const failedLast = { lastSuccessAt: 100, lastFailureAt: 200 }
const neverResponded = { lastSuccessAt: 0, lastFailureAt: 200 }

const cases: readonly (readonly [string, Changes, ChannelCondition])[] = [
  ['a channel that responds', {}, 'healthy'],
  ['no call and no test', { health: { lastSuccessAt: 0 } }, 'untested'],
  ['disabled by a person', { channel: { status: 'disabled' } }, 'disabled'],
  ['disabled by the gateway', { channel: { status: 'auto-disabled' } }, 'auto-disabled'],
  ['never responded, and failed', { health: neverResponded }, 'failing'],
  ['never responded, in cooldown', { health: { ...neverResponded, state: 'open' } }, 'failing'],
  ['nothing succeeded in the last hour', { health: failedLast, recent: { failed: 3 } }, 'failing'],
  [
    'nothing succeeded in the last hour, in cooldown',
    { health: { ...failedLast, state: 'open' }, recent: { failed: 3 } },
    'failing',
  ],
  ['92 % failed', { health: failedLast, recent: { ok: 5, failed: 61 } }, 'failing'],
  [
    '92 % failed, one has just succeeded between them',
    { health: { lastSuccessAt: 300, lastFailureAt: 200, errorRate: 0.9 }, recent: { ok: 5, failed: 61 } },
    'failing',
  ],
  [
    '92 % failed, until it was put right',
    { health: { lastSuccessAt: 300, lastFailureAt: 200, errorRate: 0 }, recent: { ok: 5, failed: 61 } },
    'degraded',
  ],
  [
    'in cooldown after it responded',
    { health: { ...failedLast, state: 'open' }, recent: { ok: 90, failed: 5 } },
    'retrying',
  ],
  [
    'a probe is under way',
    { health: { ...failedLast, state: 'half-open' }, recent: { ok: 1, failed: 5 } },
    'retrying',
  ],
  [
    'one model in cooldown, others respond',
    { health: { lastSuccessAt: 300, lastFailureAt: 200, state: 'open' }, recent: { ok: 90, failed: 5 } },
    'degraded',
  ],
  [
    'all keys in cooldown',
    { health: { ...failedLast, coolingKeys: cooling(0, 1) }, recent: { ok: 9 } },
    'retrying',
  ],
  ['one key in cooldown', { health: { coolingKeys: cooling(1) }, recent: { ok: 9 } }, 'degraded'],
  [
    'one key disabled by the gateway',
    { channel: { keyStates: [{ index: 0, status: 'auto-disabled', reason: '', at: 0 }] } },
    'degraded',
  ],
  [
    'one key disabled by a person',
    { channel: { keyStates: [{ index: 0, status: 'disabled', reason: '', at: 0 }] } },
    'healthy',
  ],
  [
    'a few failed',
    { health: { lastSuccessAt: 300, lastFailureAt: 200 }, recent: { ok: 90, failed: 10 } },
    'degraded',
  ],
  [
    'one of many failed',
    { health: { lastSuccessAt: 300, lastFailureAt: 200 }, recent: { ok: 99, failed: 1 } },
    'healthy',
  ],
  [
    'two of three failed before calls succeeded again',
    { health: { lastSuccessAt: 300, lastFailureAt: 200 }, recent: { ok: 1, failed: 2 } },
    'healthy',
  ],
  ['callers failed', { recent: { ok: 1, otherFailures: 50 } }, 'healthy'],
]

describe('the condition of a channel', () => {
  for (const [what, { channel, health, recent }, condition] of cases)
    it(`is ${condition}: ${what}`, () => {
      const facts = {
        channel: { ...quiet.channel, ...channel },
        health: { ...quiet.health, ...health },
        recent: { ...quiet.recent, ...recent },
      }
      expect(channelCondition(facts)).toBe(condition)
    })
})
