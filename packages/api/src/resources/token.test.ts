import { describe, expect, it } from 'bun:test'
import { z } from 'zod'
import type { BrokenLimit } from './resource.ts'
import { tokenFields, tokenResource } from './token.ts'

class Broken extends Error {}
const refuse = ({ code, field }: BrokenLimit): never => {
  throw new Broken(`${code} ${field}`)
}
const update = (body: Parameters<typeof tokenResource.fromUpdateBody>[0]) =>
  tokenResource.fromUpdateBody(body, refuse)
const { createBody, updateBody } = tokenResource

describe('the body of a new key', () => {
  it('may leave out every field, and has each in the form of JSON', () => {
    expect(createBody.parse({})).toMatchObject({
      name: '',
      group: '',
      remain_quota: 0,
      unlimited_quota: false,
      expired_time: -1,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      requests_per_minute: 0,
      tokens_per_minute: 0,
      concurrency: 0,
    })
  })

  it('ignores fields that no caller may write', () => {
    const body = createBody.parse({ name: 'a', key: 'x', used_quota: 5, created_time: 1, status: 2 })
    expect(Object.keys(tokenResource.fromCreateBody(body, refuse))).not.toContain('usedQuota')
  })
})

describe('the body of a change', () => {
  it('has only the fields that the caller names', () => {
    expect(update(updateBody.parse({ concurrency: 3 }))).toEqual({ concurrency: 3 })
    expect(update(updateBody.parse({ expired_time: -1 }))).toEqual({ expiresAt: null })
  })
})

describe('the name of a key', () => {
  it('is trimmed and required', () => {
    expect(update({ name: '  laptop ' })).toEqual({ name: 'laptop' })
    expect(() => update({ name: ' \t' })).toThrow('token_name_required')
  })

  it('is measured in characters, not in bytes', () => {
    expect(update({ name: '密'.repeat(30) }).name).toHaveLength(30)
    expect(update({ name: '🙂'.repeat(30) }).name).toBe('🙂'.repeat(30))
    expect(() => update({ name: 'a'.repeat(31) })).toThrow('token_name_too_long')
  })
})

describe('the quota of a key', () => {
  it.each([0, 1, 10 ** 15])('may be %d', (quota) =>
    expect(update({ remain_quota: quota })).toEqual({ remainQuota: quota }),
  )
  it.each([-1, 0.5, Number.NaN, 10 ** 15 + 1, Number.MAX_SAFE_INTEGER, 2 ** 60])('may not be %d', (quota) => {
    expect(() => update({ remain_quota: quota })).toThrow('token_quota_invalid')
  })
})

describe('the allowed models of a key', () => {
  it('are trimmed and listed once', () => {
    expect(update({ model_limits: ' gpt-4o, claude ,gpt-4o,,' }).modelLimits).toEqual(['gpt-4o', 'claude'])
    expect(update(updateBody.parse({ model_limits: null })).modelLimits).toEqual([])
  })

  it('are refused when the list is too long', () => {
    const model_limits = Array.from({ length: 400 }, (_, n) => `some-model-${n}`).join(',')
    expect(() => update({ model_limits })).toThrow('token_models_too_long')
  })
})

describe('the allowed addresses of a key', () => {
  it('are stored one a line', () => {
    const allow_ips = ' 10.0.0.1 \r\n\n192.168.0.0/16,\n2001:db8::/32\n10.0.0.1'
    expect(update({ allow_ips })).toEqual({ allowIps: '10.0.0.1\n192.168.0.0/16\n2001:db8::/32' })
    expect(update(updateBody.parse({ allow_ips: null }))).toEqual({ allowIps: '' })
  })

  it('are refused by the name of the field when there are too many', () => {
    const allow_ips = Array.from({ length: 600 }, (_, n) => `10.0.${Math.floor(n / 250)}.${n % 250}`).join(
      '\n',
    )
    expect(() => update({ allow_ips })).toThrow('invalid_parameter allow_ips')
  })
})

describe('a key in JSON', () => {
  it('has its names and forms of JSON', () => {
    const values = { ...tokenResource.fromCreateBody(createBody.parse({ name: 'a' }), refuse) }
    const wire = tokenResource.toWire({
      ...values,
      modelLimits: ['a', 'b'],
      id: 1,
      userId: 2,
      key: 'k',
      status: 'disabled',
      usedQuota: -3,
      accessedAt: 4,
      createdAt: 5,
      frozenAt: null,
      freezeCause: '',
      freezeNote: '',
    })
    expect(wire).toMatchObject({
      status: 2,
      model_limits: 'a,b',
      expired_time: -1,
      created_time: 5,
      user_id: 2,
    })
    expect(tokenResource.wire.strict().parse(wire)).toEqual(wire)
  })

  it('has its description for lists and forms as plain data', () => {
    expect(JSON.parse(JSON.stringify(tokenFields))).toEqual(tokenFields as never)
    const facts = Object.fromEntries(tokenFields.map((field) => [field.name, field]))
    expect(facts['expired_time']).toMatchObject({ kind: 'time', default: -1, column: { sort: true } })
    expect(facts['requests_per_minute']).toMatchObject({ kind: 'integer', section: 'rateLimit' })
    expect(facts['key']?.isWritable).toBe(false)
    expect(z.toJSONSchema(tokenResource.wire).required).toContain('allow_ips')
  })
})
