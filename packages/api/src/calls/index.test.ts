import { describe, expect, it } from 'bun:test'
import { z } from 'zod'
import { contractCalls } from '../test-support/call-of.ts'

/** Fields of updates whose absence means a value, with what that value does. */
const meant: Readonly<Record<string, string>> = {
  'accounts.updateSelf username': 'empty: stays',
  'accounts.updateSelf display_name': 'empty: stays',
  'accounts.updateSelf password': 'empty: stays',
  'accounts.updateSelf original_password': 'proves who changes the password',
  'accounts.saveNotificationSetting verification_code': 'proves an address, and is stored nowhere',
}

const updates = contractCalls.filter(({ call }) => call.method === 'PUT' && call.body instanceof z.ZodObject)

describe('a body of an update', () => {
  it('means nothing by a field that it leaves out', () => {
    const found = updates.flatMap(({ name, call }) =>
      Object.entries((call.body as z.ZodObject).shape)
        .filter(([, schema]) => (schema as z.ZodType).safeParse(undefined).data !== undefined)
        .map(([field]) => `${name} ${field}`),
    )
    expect(updates.length).toBeGreaterThan(8)
    expect(found.toSorted()).toEqual(Object.keys(meant).toSorted())
  })
})

/** Read as it is: written by a program or by a caller, or brought into the form of a mail address. */
const elsewhere = /^((accounts|users)\.\w+ (turnstile|email)|\w+\.\w+ model_name)$/

describe('a query', () => {
  it('is read without the spaces that come along when a name or an id is copied', () => {
    const fields = contractCalls.flatMap(({ name, call }) => {
      const shape = call.query instanceof z.ZodObject ? Object.entries(call.query.shape) : []
      return shape.map(([field, schema]) => [`${name} ${field}`, schema as z.ZodType] as const)
    })
    const read = fields.map(([field, schema]) => [field, schema.safeParse(' 20261201-x ').data] as const)
    expect(read.filter(([, value]) => value === '20261201-x').length).toBeGreaterThan(60)
    const spaced = read.filter(([, value]) => value === ' 20261201-x ').map(([field]) => field)
    expect(spaced.filter((field) => !elsewhere.test(field))).toEqual([])
  })
})
