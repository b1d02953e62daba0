import { describe, expect, it } from 'bun:test'
import { accountMarkers, refusals } from '../test-support/refusals/index.ts'
import { tellsOfAccount, tellsOfPlan } from './account-facts.ts'
import { decodeErrorBody } from './decode-error.ts'
import { callerStatus, publicMessage, publicName, publicReason, unavailableMessage } from './public-words.ts'
import { isOperatorMatter, type UpstreamErrorKind, upstreamErrorKinds } from './upstream-error.ts'

const ownWords =
  /\b(your|the|in) (account|organi[sz]ation|project|plan)\b|pricing tier|subscription|data policy|for account/i

describe('what a caller reads of a failure', () => {
  it('is a sentence of the house for every kind that concerns the account, with a status of no caller', () => {
    for (const kind of upstreamErrorKinds.filter(isOperatorMatter)) {
      expect(publicMessage({ kind, message: 'anything' })).toBe(unavailableMessage)
      for (const status of [400, 401, 402, 403, 429, 500]) expect(callerStatus({ kind, status })).toBe(503)
    }
    expect(tellsOfPlan(unavailableMessage)).toBe(false)
  })

  it('holds no fact of the account, whatever the kind', () => {
    for (const { status, body, headers = {} } of refusals) {
      const { message } = decodeErrorBody({ status, headers, body: JSON.stringify(body) })
      for (const kind of upstreamErrorKinds.filter((each) => !/overflow|limit|policy|bad/.test(each))) {
        const reported = publicMessage({ kind, message })
        for (const marker of accountMarkers.filter((each) => !each.startsWith('sk-') && each !== '77431'))
          expect(reported).not.toContain(marker)
      }
    }
  })

  it('speaks of no account, plan or tier where the call is not at fault', () => {
    const ofCall = /overflow|limit$|policy|bad_request/
    for (const { of, status, body, headers = {} } of refusals) {
      const error = decodeErrorBody({ status, headers, body: JSON.stringify(body) })
      if (ofCall.test(error.kind)) continue
      expect([of, publicMessage(error)]).not.toEqual([of, expect.stringMatching(ownWords)])
    }
  })

  it.each<[UpstreamErrorKind, string, string]>([
    [
      'rate_limited',
      'Limit 30000, Used 29000, Requested 4000.',
      'Limit [number], Used [number], Requested 4000.',
    ],
    [
      'bad_request',
      'x must be at most 9, in project acme-prod-4711',
      'x must be at most 9, in project [account]',
    ],
    [
      'model_not_found',
      '`projects/acme-1/models/x` was not found',
      '`projects/[project]/models/x` was not found',
    ],
    ['upstream_bug', 'write to ops@acme.example', 'write to [account]'],
    ['bad_request', 'Unsupported value: 7 for billing_plan', 'Unsupported value: 7 for billing_plan'],
    ['upstream_bug', '上游余额 ＄0.23', 'The upstream failed to serve this call. Try again later.'],
    [
      'rate_limited',
      'Upgrade your plan',
      'The upstream limits how often this model can be called. Please try again later.',
    ],
  ])('keeps the words of %s: %s', (kind, message, reported) => {
    expect(publicMessage({ kind, message })).toBe(reported)
  })

  it('says the wait where it hides the words', () => {
    expect(
      publicMessage({ kind: 'rate_limited', message: 'Upgrade your plan', retryAfterMs: 1200 }),
    ).toEndWith('Please try again in 2s.')
  })

  it('has no code of an account', () => {
    expect(publicName('insufficient_quota', 'rate_limited')).toBe('upstream_rate_limited')
    expect(publicName('rate_limit_exceeded', 'rate_limited')).toBe('rate_limit_exceeded')
  })

  it.each<[UpstreamErrorKind, number, number]>([
    ['context_overflow', 413, 400],
    ['rate_limited', 403, 429],
    ['overloaded', 429, 503],
    ['overloaded', 529, 529],
    ['model_not_found', 400, 404],
    ['bad_request', 422, 422],
    ['bad_request', 403, 400],
    ['upstream_bug', 500, 500],
    ['upstream_bug', 302, 502],
    ['timeout', 524, 524],
  ])('has the status of %s that was %d: %d', (kind, status, expected) => {
    expect(callerStatus({ kind, status })).toBe(expected)
  })

  it('keeps the reason of a task unless it is the account', () => {
    expect(publicReason('the prompt holds a banned word')).toBe('the prompt holds a banned word')
    expect(publicReason('insufficient balance')).toBe(unavailableMessage)
  })
})

describe('words of an account', () => {
  it('are not looked for in quotations, which may be the caller’s', () => {
    expect(tellsOfAccount("Invalid value: 'Insufficient balance'.")).toBe(false)
    expect(tellsOfAccount('Insufficient balance.')).toBe(true)
  })
})
