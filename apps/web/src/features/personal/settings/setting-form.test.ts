import { describe, expect, it } from 'bun:test'
import type { TFunction } from 'i18next'
import { bodyOf, formOf, needsProof, problemsOf } from './setting-form.ts'

const t = ((key: string) => key) as unknown as TFunction<'personal'>
const newcomer = { email: 'ann@example.com', setting: '' }
const start = formOf('')

describe("somebody's settings", () => {
  it('start with warnings by mail below 500,000', () => {
    expect(start).toMatchObject({ notifyType: 'email', threshold: 100_000, acceptsUnpriced: false })
    expect(formOf('no JSON')).toEqual(start)
  })

  it('are read from what is stored', () => {
    const setting = JSON.stringify({
      notify_type: 'webhook',
      quota_warning_threshold: 7,
      webhook_url_set: true,
    })
    expect(formOf(setting)).toMatchObject({ notifyType: 'webhook', threshold: 7, webhookUrl: '' })
  })

  it('are sent without secrets that were not typed', () => {
    expect(bodyOf(start, newcomer)).toEqual({
      notify_type: 'email',
      quota_warning_threshold: 100_000,
      notification_email: '',
      accept_unset_model_ratio_model: false,
    })
    expect(bodyOf({ ...start, keepsFailedCalls: true }, newcomer)).toMatchObject({ keep_failed_calls: true })
    const form = {
      ...start,
      notifyType: 'webhook' as const,
      webhookUrl: ' https://a.example ',
      webhookSecret: 's',
    }
    expect(bodyOf(form, newcomer)).toMatchObject({ webhook_url: 'https://a.example', webhook_secret: 's' })
  })
})

describe('a webhook', () => {
  const form = { ...start, notifyType: 'webhook' as const }
  const problem = (webhookUrl: string, setting = '') =>
    problemsOf({ ...form, webhookUrl }, { ...newcomer, setting }, t).webhookUrl

  it('is an https address without a name in it', () => {
    expect(problem('')).toBe('webhook.missing')
    expect(problem('http://a.example')).toBe('webhook.invalid')
    expect(problem('https://ann@a.example')).toBe('webhook.invalid')
    expect(problem('nonsense')).toBe('webhook.invalid')
    expect(problem('https://a.example/hook')).toBeUndefined()
  })

  it('may be left out while one is stored', () => {
    expect(problem('', '{"webhook_url_set":true}')).toBeUndefined()
    expect(problem('http://a.example', '{"webhook_url_set":true}')).toBe('webhook.invalid')
  })
})

describe('an address for warnings', () => {
  const to = (notificationEmail: string) => ({ ...start, notificationEmail })

  it("is proven when it is neither the account's nor stored", () => {
    expect(needsProof(to(''), newcomer)).toBe(false)
    expect(needsProof(to('Ann@example.com '), newcomer)).toBe(false)
    expect(
      needsProof(to('b@example.com'), { ...newcomer, setting: '{"notification_email":"b@example.com"}' }),
    ).toBe(false)
    expect(needsProof(to('c@example.com'), newcomer)).toBe(true)
    expect(problemsOf(to('c@example.com'), newcomer, t).verificationCode).toBe('email.codeMissing')
  })

  it('has its code sent along', () => {
    const form = { ...to('c@example.com'), verificationCode: ' 123456 ' }
    expect(bodyOf(form, newcomer)).toMatchObject({ verification_code: '123456' })
  })
})

it('warns at no balance below 1', () => {
  expect(problemsOf({ ...start, threshold: 0 }, newcomer, t).threshold).toBe('threshold.invalid')
  expect(problemsOf({ ...start, threshold: undefined }, newcomer, t).threshold).toBe('threshold.invalid')
})
