import { describe, expect, it } from 'bun:test'
import type { CallOutcome, CountedOutcome } from '@tollgate/api'
import type { AttemptRecord, ModelRequest, RelayCall } from './call.ts'
import { newCallTrace } from './call.ts'
import type { EarlyEnd } from './charge/counted-usage.ts'
import { type CallEnd, countAttempts } from './count-attempts.ts'
import { faultOfEnd, faultOfError } from './faults.ts'
import { RelayError } from './relay-error.ts'

function countedOf(kinds: readonly AttemptRecord['kind'][], end: CallEnd, times = 1) {
  const trace = newCallTrace()
  for (const [index, kind] of kinds.entries())
    trace.attempts.push({ channel: index + 1, key: 0, startMs: 0, ms: 5, status: 0, kind })
  // Counting needs no more of a call than these.
  const call = {
    trace,
    caller: { user: { id: 7 }, tokenId: 9 },
    request: { model: 'gpt-4o' },
  } as unknown as RelayCall<ModelRequest>
  const attempts: [number, CountedOutcome][] = []
  const calls: CallOutcome[] = []
  for (let time = 0; time < times; time += 1)
    countAttempts(call, end, {
      countAttempt: ({ channelId, outcome }) => attempts.push([channelId, outcome]),
      countCall: ({ outcome }) => calls.push(outcome),
    })
  return { attempts, calls }
}

const counted = (kinds: readonly AttemptRecord['kind'][], outcome: CountedOutcome) =>
  countedOf(kinds, { outcome, isServed: outcome === 'ok' }).attempts
const ended = (reason: EarlyEnd | undefined) => {
  const { attempts, calls } = countedOf(['ok'], { outcome: faultOfEnd(reason), isServed: true })
  return [attempts[0]?.[1], calls[0]]
}
const refused = (code: RelayError['code']) =>
  countedOf([], { outcome: faultOfError(new RelayError(code, '')), isServed: false })

describe('attempts of a call', () => {
  it('count at the channel that failed, also when another one served the call', () => {
    expect(counted(['overloaded', 'rate_limited', 'ok'], 'ok')).toEqual([
      [1, 'upstream'],
      [2, 'upstream'],
      [3, 'ok'],
    ])
    const rescued = countedOf(['overloaded', 'rate_limited', 'ok'], { outcome: 'ok', isServed: true })
    expect(rescued.calls).toEqual(['ok'])
  })

  it('count a request that the upstream refused as the caller’s fault', () => {
    expect(counted(['bad_request'], 'upstream')).toEqual([[1, 'caller']])
    expect(counted(['content_policy'], 'upstream')).toEqual([[1, 'caller']])
    expect(counted(['client_gone'], 'caller')).toEqual([[1, 'caller']])
    const failed = { outcome: 'upstream', isServed: false } as const
    expect(countedOf(['overloaded', 'bad_request'], failed).calls).toEqual(['caller'])
    expect(countedOf(['bad_request', 'overloaded'], failed).calls).toEqual(['upstream'])
  })

  it('count a response that broke off by whose fault it did', () => {
    expect(ended(undefined)).toEqual(['ok', 'ok'])
    expect(ended('client_gone')).toEqual(['ok', 'ok'])
    expect(ended('upstream_cut')).toEqual(['upstream', 'broken'])
    expect(ended('timeout')).toEqual(['upstream', 'broken'])
    expect(ended('insufficient_quota')).toEqual(['balance', 'broken'])
    expect(ended('shutdown')).toEqual(['gateway', 'broken'])
  })

  it('count a call that was refused before any by whose fault it was', () => {
    const faults = {
      insufficient_user_quota: 'balance',
      too_many_requests: 'limit',
      model_not_found: 'no_channel',
      no_available_channel: 'no_channel',
      // Calls that no channel of the group is meant to serve say nothing of the model: a caller must not be able to make it look broken.
      model_not_in_group: 'caller',
      unsupported_endpoint: 'caller',
      model_not_allowed: 'caller',
      model_price_error: 'gateway',
    } as const
    for (const [code, fault] of Object.entries(faults))
      expect(refused(code as keyof typeof faults)).toEqual({ attempts: [], calls: [fault] })
  })

  it('count once, however many charges the call has', () => {
    expect(countedOf(['ok'], { outcome: 'ok', isServed: true }, 3)).toEqual({
      attempts: [[1, 'ok']],
      calls: ['ok'],
    })
  })
})
