import { describe, expect, it } from 'bun:test'
import type { UpstreamErrorInfo, UpstreamErrorKind } from '@tollgate/formats'
import { routedChannel } from '../../../channels/test-support/routed-channel.ts'
import { brokenResponse, nextStep, redactor, refusalFor, upstreamWords } from './failures.ts'

function failure(kind: UpstreamErrorKind, status = 400) {
  return { kind, status, message: '', type: '', code: '', param: null }
}

describe('nextStep', () => {
  it('gives up where another upstream would say the same', () => {
    expect(nextStep(failure('bad_request'))).toBe('give-up')
    expect(nextStep(failure('content_policy'))).toBe('give-up')
  })

  it('tries another key where the key is what was refused', () => {
    for (const kind of ['unauthorized', 'forbidden', 'quota', 'rate_limited'] as const) {
      expect(nextStep(failure(kind, 401))).toBe('other-key')
    }
  })

  it('tries elsewhere when the upstream failed', () => {
    for (const kind of ['overloaded', 'upstream_bug', 'not_found'] as const) {
      expect(nextStep(failure(kind, 503))).toBe('other-channel')
    }
  })

  it('does not pay twice for a call an upstream timed out on, but replaces one that stayed silent', () => {
    expect(nextStep(failure('timeout', 504))).toBe('give-up')
    expect(nextStep(failure('timeout', 0))).toBe('other-channel')
  })
})

const channel = routedChannel({
  id: 1,
  baseUrl: 'https://up.example:8443/v1',
  keys: ['plainsecretkey', 'sk-upstream-secret-0001'],
  openaiOrganization: 'TheOperatorsOwn',
})
const leaking =
  'https://up.example:8443/v1 up.example:8443 up.example plainsecretkey sk-upstream-secret-0001 TheOperatorsOwn'

const clean = redactor(channel)

function refusal(change: Partial<UpstreamErrorInfo>) {
  const error = {
    kind: 'upstream_bug',
    status: 500,
    message: 'no',
    type: '',
    code: '',
    param: null,
    ...change,
  } as const
  return refusalFor(error, clean, error)
}

describe('the error that a caller receives for a failed upstream', () => {
  it.each([400, 429, 500, 302, 600, 999])(
    'names neither key, host nor organization, in none of its fields, at status %d',
    (status) => {
      const { publicMessage, type, param, wireCode } = refusal({
        kind: 'bad_request',
        status,
        message: leaking,
        type: leaking,
        code: leaking,
        param: leaking,
      })
      for (const text of [publicMessage, type, param, wireCode]) {
        expect(text).not.toMatch(/up\.example|secret|TheOperatorsOwn/)
      }
    },
  )

  it('names a field where the call has one that is at fault, and no quota of the account', () => {
    expect(refusal({ kind: 'bad_request', status: 400, param: 'temperature' }).param).toBe('temperature')
    expect(refusal({ kind: 'rate_limited', status: 429, param: 'quota' }).param).toBeNull()
  })

  it('does not pass a secret that stands alone where a word is expected', () => {
    expect(refusal({ code: 'plainsecretkey' }).wireCode).toBe('[key]')
    expect(refusal({ code: 'rate_limit_exceeded' }).wireCode).toBe('rate_limit_exceeded')
  })

  it.each([302, 600, 999, 204])(
    'gets 502 where the upstream said %d, which clients do not read as an error',
    (status) => {
      expect(refusal({ status }).status).toBe(502)
    },
  )
})

const reported = 'Your team 99c74652-6e33-4dbd-93f3-5b545da15ade is out of credit'

describe("a failure of the operator's account", () => {
  it.each(['quota', 'suspended', 'account_limited', 'forbidden'] as const)(
    'is 503 and a sentence of the house for the caller, whatever the upstream says of %s',
    (kind) => {
      const details = {
        message: reported,
        type: 'insufficient_quota',
        code: 'insufficient_quota',
        param: 'key',
      }
      const error = refusal({ kind, status: 429, ...details, retryAfterMs: 9000 })
      const { status, type, param, wireCode, retryAfterSeconds, publicMessage } = error
      expect({ status, type, param, wireCode, retryAfterSeconds }).toEqual({
        status: 503,
        type: 'upstream_error',
        param: null,
        wireCode: 'upstream_unavailable',
        retryAfterSeconds: undefined,
      })
      expect(publicMessage).not.toMatch(/credit|team|quota/)
    },
  )

  it("has the operator's own status where that is mapped", () => {
    const error = { kind: 'quota', message: reported, type: '', code: '', param: null } as const
    expect(refusalFor({ ...error, status: 418 }, clean, { status: 402 }).status).toBe(418)
    expect(refusalFor({ ...error, status: 200 }, clean, { status: 402 }).status).toBe(502)
  })

  it('is the same inside a response that has begun', () => {
    const error = { kind: 'quota', status: 402, message: reported, type: '', code: '', param: null } as const
    expect(brokenResponse(error, clean)).toMatchObject({ code: 'upstream_unavailable', status: 503 })
  })

  it('is told to the operator in the words of the upstream, without keys', () => {
    const error = { ...failure('quota', 402), message: `${reported} (plainsecretkey)`, code: 'no_money' }
    expect(upstreamWords(error, channel)).toBe(`${reported} ([key]) (no_money)`)
  })
})

describe('an error inside a response that has begun', () => {
  const broken = (fields: Partial<UpstreamErrorInfo>) =>
    brokenResponse({ ...failure('upstream_bug', 502), message: 'no', ...fields }, clean)

  it('has the kind by which clients act on it', () => {
    expect(broken({ kind: 'context_overflow', tokens: { prompt: 9, max: 8 } })).toMatchObject({
      status: 400,
      failure: { kind: 'context_overflow', tokens: { prompt: 9, max: 8 } },
    })
    expect(broken({ kind: 'rate_limited' }).publicMessage).toContain('in the middle of its response: no')
  })

  it('else only says that the upstream broke off', () => {
    expect(broken({}).publicMessage).toBe('The upstream reported an error in the middle of its response.')
  })
})
