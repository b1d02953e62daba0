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
