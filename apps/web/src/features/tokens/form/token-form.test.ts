import { describe, expect, it } from 'bun:test'
import { refusalTexts, type Token, tokenCreateBody } from '@tollgate/api'
import english from '../../../i18n/en/tokens.json' with { type: 'json' }
import chinese from '../../../i18n/zh/tokens.json' with { type: 'json' }
import { ratioEffect } from './ratio.ts'
import {
  blankForm,
  changesSomething,
  couldWork,
  createBodyOf,
  formOf,
  problemsOf,
  type TokenForm,
  updateBodyOf,
} from './token-form.ts'

const now = 1_800_000_000
const stored: Token = {
  ...tokenCreateBody.parse({}),
  id: 7,
  user_id: 1,
  key: 'k'.repeat(48),
  status: 1,
  name: 'laptop',
  created_time: now - 5000,
  accessed_time: now - 100,
  expired_time: -1,
  remain_quota: 400_000,
  unlimited_quota: false,
  used_quota: 100_000,
  model_limits_enabled: true,
  model_limits: 'gpt-4o,claude',
  allow_ips: '10.0.0.0/8\n::1',
  group: 'vip',
  requests_per_minute: 0,
  tokens_per_minute: 0,
  concurrency: 0,
  freeze_cause: '',
  freeze_note: '',
  frozen_at: 0,
  DeletedAt: null,
}

describe('a new key', () => {
  it('starts as the specification says', () => {
    expect(createBodyOf({ ...blankForm, name: ' laptop ' })).toMatchObject({
      name: 'laptop',
      remain_quota: 500_000,
      unlimited_quota: false,
      expired_time: -1,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
      requests_per_minute: 0,
      tokens_per_minute: 0,
      concurrency: 0,
    })
  })

  it('sends lists joined and addresses one per line', () => {
    const form = {
      ...blankForm,
      model_limits_enabled: true,
      model_limits: 'a,b',
      allow_ips: ' 10.0.0.1, ::1\n',
    }
    expect(createBodyOf(form)).toMatchObject({ model_limits: 'a,b', allow_ips: '10.0.0.1\n::1' })
  })

  it('never turns a time that was not typed to its end into "never"', () => {
    const form = { ...blankForm, name: 'x', expired_time: undefined }
    expect(problemsOf(form, now).expired_time?.code).toBe('expiryInvalid')
    expect(createBodyOf(form).expired_time).toBe(1)
  })
})

describe('an edit', () => {
  it('goes through the form unchanged', () => {
    const body = updateBodyOf(stored, formOf(stored), now)
    expect(body).toEqual({ id: 7 })
    expect(changesSomething(body)).toBe(false)
  })

  it('sends only what was changed, so that spending meanwhile is not undone', () => {
    const spentMeanwhile = { ...stored, remain_quota: 300_000 }
    const form = { ...formOf(spentMeanwhile), name: 'desk' }
    expect(updateBodyOf(spentMeanwhile, form, now)).toEqual({ id: 7, name: 'desk' })
  })

  it('sends an emptied list and the return to "never"', () => {
    const form = {
      ...formOf({ ...stored, expired_time: now + 60 }),
      expired_time: -1,
      allow_ips: '',
      model_limits_enabled: false,
    }
    expect(updateBodyOf({ ...stored, expired_time: now + 60 }, form, now)).toEqual({
      id: 7,
      expired_time: -1,
      allow_ips: '',
      model_limits_enabled: false,
    })
  })

  it('leaves the quota alone behind "unlimited"', () => {
    const form = { ...formOf(stored), unlimited_quota: true, remain_quota: undefined }
    expect(updateBodyOf(stored, form, now)).toEqual({ id: 7, unlimited_quota: true })
  })

  it('asks a spent key back to life only when it could work again', () => {
    const expired = { ...stored, status: 3, expired_time: now - 60 }
    const later = { ...formOf(expired), expired_time: now + 3600 }
    expect(updateBodyOf(expired, later, now)).toEqual({ id: 7, expired_time: now + 3600, status: 1 })
    expect(updateBodyOf(expired, { ...formOf(expired), name: 'desk' }, now)).toEqual({ id: 7, name: 'desk' })
    const exhausted = { ...stored, status: 4, remain_quota: 0 }
    expect(updateBodyOf(exhausted, { ...formOf(exhausted), unlimited_quota: true }, now)).toMatchObject({
      status: 1,
    })
    expect(updateBodyOf({ ...stored, status: 2 }, formOf(stored), now)).toEqual({ id: 7 })
  })
})

describe('problems', () => {
  const named = { ...blankForm, name: 'laptop' }
  const codes = (form: TokenForm, retained?: TokenForm) =>
    Object.fromEntries(
      Object.entries(problemsOf(form, now, retained)).map(([field, { code }]) => [field, code]),
    )

  it('finds none in a named blank form', () => {
    expect(codes(named)).toEqual({})
    expect(codes(blankForm)).toEqual({ name: 'token_name_required' })
  })

  it('counts a name in characters, and leaves room for the endings of a batch', () => {
    expect(codes({ ...named, name: '令'.repeat(30) })).toEqual({})
    expect(codes({ ...named, name: '令'.repeat(31) })).toEqual({ name: 'token_name_too_long' })
    expect(codes({ ...named, name: 'a'.repeat(23), count: 2 })).toEqual({})
    expect(codes({ ...named, name: 'a'.repeat(24), count: 2 })).toEqual({ name: 'nameTooLongForBatch' })
  })

  it('wants a quota unless it is unlimited, and at least one key', () => {
    expect(codes({ ...named, remain_quota: undefined })).toEqual({ remain_quota: 'token_quota_invalid' })
    expect(codes({ ...named, remain_quota: -1 })).toEqual({ remain_quota: 'token_quota_invalid' })
    expect(codes({ ...named, remain_quota: 10 ** 15 })).toEqual({})
    expect(codes({ ...named, remain_quota: 10 ** 15 + 1 })).toEqual({ remain_quota: 'token_quota_invalid' })
    expect(codes({ ...named, remain_quota: undefined, unlimited_quota: true })).toEqual({})
    expect(codes({ ...named, remain_quota: -1 }, { ...named, remain_quota: -1 })).toEqual({})
    expect(codes({ ...named, count: 0 })).toEqual({ count: 'countInvalid' })
    expect(codes({ ...named, count: undefined })).toEqual({ count: 'countInvalid' })
  })

  it('wants an expiry in the future, but lets a stored one be', () => {
    expect(codes({ ...named, expired_time: now })).toEqual({ expired_time: 'expiryPast' })
    expect(codes({ ...named, expired_time: now + 1 })).toEqual({})
    expect(codes({ ...named, expired_time: now * 1000 })).toEqual({ expired_time: 'expiryInvalid' })
    expect(codes({ ...named, expired_time: now - 60 }, { ...named, expired_time: now - 60 })).toEqual({})
    expect(codes({ ...named, expired_time: undefined }, named)).toEqual({
      expired_time: 'expiryInvalid',
    })
  })

  it('wants models when they are limited, and addresses that are some', () => {
    expect(codes({ ...named, model_limits_enabled: true })).toEqual({ model_limits: 'modelsRequired' })
    expect(problemsOf({ ...named, allow_ips: '10.0.0.1\nhome' }, now).allow_ips).toEqual({
      code: 'token_address_invalid',
      line: 'home',
    })
  })

  it('says what the server would say', () => {
    const codes = [
      'token_name_required',
      'token_name_too_long',
      'token_models_too_long',
      'token_address_invalid',
    ] as const
    const asServer = (text: string) => text.replaceAll('{{', '{').replaceAll('}}', '}')
    for (const code of codes) {
      expect(asServer(english.problem[code])).toBe(refusalTexts[code].en)
      expect(asServer(chinese.problem[code])).toBe(refusalTexts[code].zh)
    }
  })
})

describe('what a form comes to', () => {
  it('could work while there is time and quota', () => {
    expect(couldWork(blankForm, now)).toBe(true)
    expect(couldWork({ ...blankForm, remain_quota: 0 }, now)).toBe(false)
    expect(couldWork({ ...blankForm, remain_quota: 0, unlimited_quota: true }, now)).toBe(true)
    expect(couldWork({ ...blankForm, expired_time: now }, now)).toBe(false)
  })

  it('says what a group ratio does to the price', () => {
    expect(ratioEffect(1)).toEqual({ kind: 'base', percent: 0 })
    expect(ratioEffect(1.25)).toEqual({ kind: 'dearer', percent: 25 })
    expect(ratioEffect(0.8)).toEqual({ kind: 'cheaper', percent: 20 })
    expect(ratioEffect(0)).toEqual({ kind: 'free', percent: 100 })
  })
})
