import { describe, expect, it } from 'bun:test'
import { channelReasonText } from '@tollgate/api'
import type { UpstreamErrorInfo } from '@tollgate/formats'
import { compileKeywords, judgedByOptions, reasonToDisable } from './auto-disable-changes.ts'

const keyword = compileKeywords(['Your credit balance is too low', 'Permission denied', '  ', 'a.b'])

function reasonFor(fields: Partial<UpstreamErrorInfo>, channelType = 1): string | undefined {
  const error: UpstreamErrorInfo = {
    kind: 'upstream_bug',
    status: 500,
    message: '',
    type: '',
    code: '',
    param: null,
  }
  const reason = reasonToDisable({ ...error, ...fields }, channelType, keyword)
  return reason && channelReasonText(reason, 'en')
}

describe('reasonToDisable', () => {
  it.each<[string, Partial<UpstreamErrorInfo>]>([
    ['status 401', { status: 401 }],
    ['invalid_api_key', { code: 'invalid_api_key' }],
    ['account_deactivated', { code: 'account_deactivated' }],
    ['billing_not_active', { code: 'billing_not_active' }],
    ['insufficient_quota', { type: 'insufficient_quota' }],
    ['insufficient_user_quota', { type: 'insufficient_user_quota' }],
    ['authentication_error', { type: 'authentication_error' }],
    ['permission_error', { type: 'permission_error' }],
    ['forbidden', { type: 'forbidden' }],
    ['a keyword in any case', { message: 'YOUR CREDIT BALANCE IS TOO LOW to access' }],
  ])('disables for %s', (_, fields) => expect(reasonFor(fields)).toBeString())

  it.each<[string, Partial<UpstreamErrorInfo>]>([
    ['a rate limit', { status: 429, kind: 'rate_limited', code: 'rate_limit_exceeded' }],
    ['a server fault', { status: 500 }],
    ['403 elsewhere than at Gemini', { status: 403 }],
    ['a keyword read as a pattern', { message: 'axb' }],
  ])('does not disable for %s', (_, fields) => expect(reasonFor(fields)).toBeUndefined())

  it('disables for 403 at Gemini', () => expect(reasonFor({ status: 403 }, 24)).toBeString())

  it.each([
    `Invalid value: 'Permission denied'. Supported values are: 'text' and 'json_object'.`,
    `Invalid value: "x" Permission denied ".`,
    'Unknown tool `Permission denied`',
  ])('does not disable for a phrase that the upstream only quotes from the caller: %s', (message) => {
    expect(reasonFor({ kind: 'bad_request', status: 400, message })).toBeUndefined()
  })

  it("finds a phrase of the upstream's own in a refused request", () => {
    const message = "You can't do this: Your credit balance is too low, don't retry"
    expect(reasonFor({ kind: 'bad_request', status: 400, message })).toContain('credit balance')
  })

  it('finds nothing without phrases', () => expect(compileKeywords([])('anything')).toBeUndefined())
})

describe('a key that its upstream calls dead', () => {
  it.each([
    ['unauthorized', 400, 'the key was refused'],
    ['quota', 429, 'out of credit'],
    ['suspended', 400, 'disabled or suspended'],
  ] as const)('is disabled for %s, whatever the code and status', (kind, status, text) => {
    expect(reasonFor({ kind, status, code: 'x' })).toContain(text)
  })

  it.each(['forbidden', 'account_limited', 'rate_limited', 'context_overflow'] as const)(
    'is not meant by %s',
    (kind) => expect(reasonFor({ kind, status: 400 })).toBeUndefined(),
  )
})

describe("the operator's options", () => {
  const judged = (fields: Partial<UpstreamErrorInfo>, type = 1) =>
    judgedByOptions(
      { kind: 'bad_request', status: 400, message: '', type: '', code: '', param: null, ...fields },
      type,
      keyword,
    ).kind

  it('make of a refused call a key to be replaced, so that failover and disabling agree', () => {
    expect(judged({ message: 'Permission denied: no' })).toBe('suspended')
    expect(judged({ type: 'permission_error', kind: 'forbidden' })).toBe('suspended')
    expect(judged({ status: 403, kind: 'forbidden' }, 24)).toBe('unauthorized')
  })

  it('leave other failures, and those that are decided, as they are', () => {
    expect(judged({ message: 'bad' })).toBe('bad_request')
    expect(judged({ message: "Invalid value: 'Permission denied'" })).toBe('bad_request')
    expect(judged({ kind: 'quota', message: 'Permission denied' })).toBe('quota')
  })
})
