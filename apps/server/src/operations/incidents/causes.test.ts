import { describe, expect, it } from 'bun:test'
import type { FailureGroup } from '../../store/log/index/log-row.ts'
import { notAccepted } from '../../store/work/incidents.ts'
import { causesOf, type Observed, type ProblemChannel, unexplainedCause } from './causes.ts'
import { lossesOf } from './losses.ts'
import { isWorse } from './watch-incidents.ts'

const now = 1_800_000_000

interface Failing {
  readonly code?: string
  readonly condition?: ProblemChannel['health']['condition']
  readonly address?: string
  readonly cause?: string
}

function failing(
  id: number,
  { code = '', condition = 'failing', address = '', cause }: Failing = {},
): ProblemChannel {
  return {
    id,
    type: 1,
    base_url: address,
    other_info: '',
    health: {
      condition,
      last_hour: { ok: 0, failed: 4, other_failures: 0, latency_ms: 0 },
      state: 'open',
      error_rate: 1,
      reason: '',
      reason_code: code,
      reason_params: cause === undefined ? {} : { cause },
      retry_at: 0,
      last_success_time: now - 600,
      last_failure_time: now,
      last_failure_code: '',
      last_failure_params: {},
      never_answered: false,
      recent_ms: [],
      keys: [],
    },
  }
}

const quiet: Observed = {
  channels: [],
  unpriced: [],
  losing: [],
  refusedUsers: [],
  respondingAt: new Set(),
  now,
}
const names = (observed: Partial<Observed>) =>
  causesOf({ ...quiet, ...observed }).map(({ kind, subject, members }) => [kind, subject, members.join()])

describe('causesOf', () => {
  it('folds channels of one address into one cause, and leaves a refused key to its channel', () => {
    const address = 'https://api.example.com/v1'
    expect(
      names({
        channels: [
          failing(1, { code: 'timeout', address }),
          failing(2, { code: 'many_failed', cause: 'upstream_bug', address }),
          failing(3, { code: 'quota', address }),
          failing(4, { code: 'balance_empty', address, condition: 'auto-disabled' }),
          failing(5, { code: 'key_refused', address }),
          failing(6, { condition: 'untested' }),
          failing(7, { condition: 'untested' }),
        ],
      }),
    ).toEqual([
      ['provider', 'OpenAI · api.example.com', '1,2'],
      ['account', 'OpenAI · api.example.com', '3,4'],
      ['channel', '5', '5'],
      ['untested', '', '6,7'],
    ])
  })

  it('leaves a channel alone where others respond at its address', () => {
    const respondingAt = new Set(['OpenAI · api.openai.com'])
    expect(
      names({ channels: [failing(1, { code: 'timeout' }), failing(2, { code: 'quota' })], respondingAt }),
    ).toEqual([
      ['channel', '1', '1'],
      ['channel', '2', '2'],
    ])
  })

  it('begins when the channel worked last, has the extent of its worst channel, and goes by the official address', () => {
    const [cause] = causesOf({
      ...quiet,
      channels: [failing(1, { code: 'timeout', condition: 'degraded' }), failing(2, { code: 'timeout' })],
    })
    expect(cause).toMatchObject({ name: 'OpenAI · api.openai.com', level: 3, since: now - 600 })
  })

  it('has one cause for all models without a price, one for prices below cost, and one for each user without a balance', () => {
    const user = { username: '', quota: 0, count: 1, last_at: now }
    const losing = { model_name: 'b', losing_groups: ['vip', 'default'] } as Observed['losing'][number]
    expect(
      names({
        unpriced: [{ model_name: 'x', count: 2, last_at: now }],
        losing: [losing, { ...losing, model_name: 'a' }, losing],
        refusedUsers: [
          { ...user, user_id: 9 },
          { ...user, user_id: 4 },
        ],
      }),
    ).toEqual([
      ['unpriced', '', 'x'],
      ['below-cost', '', 'a,b'],
      ['balance', '4', '4'],
      ['balance', '9', '9'],
    ])
  })

  it('leaves out no user without a balance: beyond thirty they share a cause, which counts those that it cannot store', () => {
    const refused = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ user_id: count - index, username: '', quota: 0, count: index, last_at: now },
      }))
    const some = causesOf({ ...quiet, refusedUsers: refused(33) })
    expect(some.map(({ subject }) => subject)).toEqual([
      ...Array.from({ length: 30 }, (_, index) => String(index + 1)),
      '',
    ])
    expect(some.at(-1)).toMatchObject({ members: ['31', '32', '33'], detail: {} })
    const many = causesOf({ ...quiet, refusedUsers: refused(700) }).at(-1)
    expect([many?.members.length, many?.detail]).toEqual([500, { memberCount: 670 }])
  })
})

describe('lossesOf', () => {
  const group = (reason: string, fields: Partial<FailureGroup> = {}): FailureGroup => ({
    ...{
      reason,
      model: 'm',
      userId: 1,
      username: '',
      channelId: 0,
      count: 1,
      firstAt: now - 9,
      lastAt: now,
      lastNeeded: 0,
    },
    ...fields,
  })
  const faults: Readonly<Record<string, 'upstream' | 'caller' | 'balance' | 'no_channel'>> = {
    upstream_error: 'upstream',
    invalid_request: 'caller',
    insufficient_user_quota: 'balance',
    no_available_channel: 'no_channel',
  }
  const facts = {
    modelsOf: (id: number) => new Set(id === 5 ? ['m'] : []),
    faultOf: (name: string) => faults[name],
  }
  const causes = causesOf({ ...quiet, channels: [failing(5, { code: 'key_refused' })] })

  it('gives each failed call to one cause, and what no cause explains to none', () => {
    const losses = lossesOf(
      [
        group('upstream_error', { channelId: 5, count: 2 }),
        group('no_available_channel', { count: 3, userId: 2 }),
        group('no_available_channel', { model: 'elsewhere', count: 4 }),
        group('upstream_error', { channelId: 6, count: 5 }),
        group('invalid_request', { channelId: 5, count: 6 }),
        group('insufficient_user_quota', { count: 7 }),
      ],
      causes,
      facts,
      () => 1.5,
    )
    expect(losses.get(causes[0])).toEqual({
      calls: 5,
      quota: 8,
      since: now - 9,
      models: ['m'],
      users: [1, 2],
    })
    expect(losses.get(undefined)?.calls).toBe(9)
    expect(losses.size).toBe(2)
  })

  it('gives the refusals of users who share a cause to it', () => {
    const user = { username: '', quota: 0, count: 1, last_at: now }
    const shared = causesOf({
      ...quiet,
      refusedUsers: Array.from({ length: 32 }, (_, index) => ({ ...user, user_id: index + 1 })),
    })
    const refused = [2, 31, 32].map((userId) => group('insufficient_user_quota', { userId }))
    const losses = lossesOf(refused, shared, facts, () => 1)
    expect([losses.get(shared[1])?.users, losses.get(shared[30])?.users]).toEqual([[2], [31, 32]])
  })

  it('says that failures are unexplained where they are more than an accident', () => {
    const faultsOfHour = { upstream: 10, caller: 50, balance: 0, limit: 0, no_channel: 0, gateway: 0 }
    const calls = { ok: 90, broken: 0, faults: faultsOfHour }
    expect(unexplainedCause(2, calls, now)).toBeUndefined()
    expect(unexplainedCause(4, calls, now)).toBeUndefined()
    expect(unexplainedCause(10, calls, now)?.level).toBe(4)
    expect(unexplainedCause(40, calls, now)?.level).toBe(7)
  })
})

describe('isWorse', () => {
  const row = { ...notAccepted, acceptedUntil: 0, acceptedLevel: 3, acceptedMembers: ['1', '2'] }
  const worse = (level: number, members: string[], fields = {}) =>
    isWorse({ ...row, ...fields } as never, { level, members })

  it('is what has a new member or a greater extent, and nothing where nobody accepted', () => {
    expect([worse(3, ['1']), worse(2, ['2', '1'])]).toEqual([false, false])
    expect([worse(4, ['1']), worse(3, ['3'])]).toEqual([true, true])
    expect(worse(9, ['9'], notAccepted)).toBe(false)
  })
})
