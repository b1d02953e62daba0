import { describe, expect, it } from 'bun:test'
import type { UpstreamErrorInfo, UpstreamErrorKind } from '@tollgate/formats'
import { routedChannel } from '../../channels/test-support/routed-channel.ts'
import { nextStep, refusalFor } from './failures.ts'

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
  return refusalFor(error, channel, error)
}

describe('the error that a caller receives for a failed upstream', () => {
  it.each([400, 429, 500, 302, 600, 999])(
    'names neither key, host nor organization, in none of its fields, at status %d',
    (status) => {
      const { publicMessage, type, param, wireCode } = refusal({
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
