import { describe, expect, it } from 'bun:test'
import type { UpstreamErrorKind } from '@tollgate/formats'
import { nextStep } from './failure-policy.ts'

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
