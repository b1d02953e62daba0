import { describe, expect, it } from 'bun:test'
import { isOperatorMatter, type UpstreamErrorKind, upstreamErrorKinds } from '@tollgate/formats'
import { policyOf } from './failure-policy.ts'

describe('what follows a failure', () => {
  it.each<[UpstreamErrorKind, string, string, boolean]>([
    ['bad_request', 'call', 'give-up', false],
    ['context_overflow', 'call', 'give-up', false],
    ['output_limit', 'call', 'give-up', false],
    ['content_policy', 'call', 'give-up', false],
    ['overloaded', 'channel', 'other-channel', false],
    ['timeout', 'channel', 'other-channel', false],
    ['upstream_bug', 'channel', 'other-channel', false],
    ['not_found', 'channel', 'other-channel', false],
    ['model_not_found', 'model', 'other-channel', false],
    ['rate_limited', 'key-for-model', 'other-key', false],
    ['account_limited', 'key-for-model', 'other-key', false],
    ['forbidden', 'key-for-model', 'other-key', false],
    ['unauthorized', 'key', 'other-key', true],
    ['quota', 'key', 'other-key', true],
    ['suspended', 'key', 'other-key', true],
  ])('of %s concerns the %s, and goes on with %s; the key is dead: %p', (kind, scope, next, disables) => {
    const policy = policyOf(kind)
    expect<unknown[]>([policy.scope, policy.next, policy.disablesKey === true]).toEqual([
      scope,
      next,
      disables,
    ])
  })

  it('never ends a call at the first key that has a trouble of its own', () => {
    for (const kind of upstreamErrorKinds.filter(isOperatorMatter)) {
      expect(policyOf(kind)).toMatchObject({ next: 'other-key', fault: 'upstream' })
    }
  })

  it('takes nothing out for what a caller did', () => {
    for (const kind of upstreamErrorKinds.map(policyOf).filter(({ fault }) => fault === 'caller'))
      expect(kind).toEqual({ scope: 'call', next: 'give-up', fault: 'caller' })
  })
})
