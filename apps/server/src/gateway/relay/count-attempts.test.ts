import { describe, expect, it } from 'bun:test'
import type { CountedOutcome } from '@tollgate/api'
import type { AttemptRecord, ModelRequest, RelayCall } from './call.ts'
import { newCallTrace } from './call.ts'
import type { EarlyEnd } from './charge/counted-usage.ts'
import { countAttempts } from './count-attempts.ts'
import { faultOfEnd, faultOfError } from './faults.ts'
import { RelayError } from './relay-error.ts'

function counted(kinds: readonly AttemptRecord['kind'][], end: CountedOutcome, times = 1) {
  const trace = newCallTrace()
  for (const [index, kind] of kinds.entries())
    trace.attempts.push({ channel: index + 1, key: 0, startMs: 0, ms: 5, status: 0, kind })
  // Counting needs no more of a call than these.
  const call = {
    trace,
    caller: { user: { id: 7 }, tokenId: 9 },
    request: { model: 'gpt-4o' },
  } as unknown as RelayCall<ModelRequest>
  const found: [number, CountedOutcome][] = []
  for (let time = 0; time < times; time += 1)
    countAttempts(call, end, { count: ({ channelId, outcome }) => found.push([channelId, outcome]) })
  return found
}

const ended = (reason: EarlyEnd | undefined) => counted(['ok'], faultOfEnd(reason))[0]?.[1]
const refused = (code: RelayError['code']) => counted([], faultOfError(new RelayError(code, '')))

describe('attempts of a call', () => {
  it('count at the channel that failed, also when another one served the call', () => {
    expect(counted(['overloaded', 'rate_limited', 'ok'], 'ok')).toEqual([
      [1, 'upstream'],
      [2, 'upstream'],
      [3, 'ok'],
    ])
  })

  it('count a request that the upstream refused as the caller’s fault', () => {
    expect(counted(['bad_request'], 'upstream')).toEqual([[1, 'caller']])
    expect(counted(['content_policy'], 'upstream')).toEqual([[1, 'caller']])
    expect(counted(['client_gone'], 'caller')).toEqual([[1, 'caller']])
  })

  it('count a response that broke off by whose fault it did', () => {
    expect(ended(undefined)).toBe('ok')
    expect(ended('client_gone')).toBe('ok')
    expect(ended('upstream_cut')).toBe('upstream')
    expect(ended('timeout')).toBe('upstream')
    expect(ended('insufficient_quota')).toBe('balance')
    expect(ended('shutdown')).toBe('gateway')
  })

  it('count a call that was refused before any by whose fault it was', () => {
    expect(refused('insufficient_user_quota')).toEqual([[0, 'balance']])
    expect(refused('too_many_requests')).toEqual([[0, 'limit']])
    expect(refused('model_not_found')).toEqual([[0, 'no_channel']])
    expect(refused('no_available_channel')).toEqual([[0, 'no_channel']])
    expect(refused('model_not_allowed')).toEqual([[0, 'caller']])
    expect(refused('model_price_error')).toEqual([[0, 'gateway']])
  })

  it('count once, however many charges the call has', () => {
    expect(counted(['ok'], 'ok', 3)).toEqual([[1, 'ok']])
  })
})
