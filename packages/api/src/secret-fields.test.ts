import { describe, expect, it } from 'bun:test'
import { z } from 'zod'
import { token } from './calls/token.ts'
import { maskSecret, secretText, withoutSecrets } from './secret-fields.ts'

const secret = 'abcd0123456789012345678901234567wxyz'
const masked = 'abcd**********wxyz'

describe('a masked secret', () => {
  it('shows the ends of a long one, and nothing of a short one', () => {
    expect(maskSecret(secret)).toBe(masked)
    expect(maskSecret('short')).toBe('**********')
    expect(maskSecret('')).toBe('')
    expect(maskSecret(masked)).toBe(masked)
  })
})

describe('a value without its secrets', () => {
  it.each([
    ['a text', secretText(), secret, masked],
    ['an optional one', secretText().optional(), secret, masked],
    ['an absent one', secretText().optional(), undefined, undefined],
    ['a list', z.array(secretText()), [secret], [masked]],
    [
      'a member',
      z.object({ key: secretText(), name: z.string() }),
      { key: secret, name: secret },
      { key: masked, name: secret },
    ],
    [
      'a member of a page',
      z.object({ items: z.array(z.object({ key: secretText() })) }),
      { items: [{ key: secret }] },
      { items: [{ key: masked }] },
    ],
    ['a record', z.record(z.string(), secretText()), { a: secret }, { a: masked }],
    [
      'one of several forms',
      z.union([z.object({ key: secretText() }), z.undefined()]),
      { key: secret },
      { key: masked },
    ],
    ['null', z.object({ key: secretText().nullable() }), { key: null }, { key: null }],
  ])('masks %s', (_, schema, value, expected) => {
    expect(withoutSecrets(schema, value)).toEqual(expected)
  })

  it('is the value itself where nothing is marked', () => {
    const value = { name: secret }
    expect(withoutSecrets(z.object({ name: z.string() }), value)).toBe(value)
  })

  it('holds for a resource, whose schema is derived', () => {
    expect(withoutSecrets(z.array(token), [{ id: 1, key: secret }])).toEqual([{ id: 1, key: masked }])
  })
})
