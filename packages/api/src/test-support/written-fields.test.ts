import { describe, expect, it } from 'bun:test'
import { z } from 'zod'
import { calls } from '../calls/index.ts'
import { jsonMembers } from '../unknown-members.ts'
import { distinctValues, writtenFields } from './written-fields.ts'

const paths = (schema: z.ZodType) => writtenFields(schema).map(({ path }) => path)
const valuesOf = (schema: z.ZodType) => distinctValues({ path: 'field', schema })

describe('the fields of a body', () => {
  it('have those inside of others, of lists, behind defaults and of texts of JSON', () => {
    const body = z
      .object({
        name: z.string().nullish(),
        models: z.object({ mode: z.string(), names: z.string() }).optional(),
        rows: z.array(z.object({ id: z.number() })).default([]),
        setting: z
          .string()
          .register(jsonMembers, { members: ['proxy', 'limit'] })
          .nullable(),
        ids: z.array(z.number()),
        map: z.record(z.string(), z.unknown()),
      })
      .refine(() => true)
    expect(paths(body)).toEqual([
      'name',
      'models.mode',
      'models.names',
      'rows[].id',
      'setting.proxy',
      'setting.limit',
      'ids',
      'map',
    ])
  })

  it('are those of the contract', () => {
    expect(paths(calls.channels.create.body)).toContain('setting.proxy')
    expect(paths(calls.channels.updateMany.body)).toContain('models.names')
    expect(paths(calls.options.setMany.body)).toContain('options[].key')
  })
})

describe('two values of a field', () => {
  it('differ and fit its schema', () => {
    for (const schema of [
      z.string().max(6),
      z.boolean(),
      z.enum(['a', 'b']),
      z.number().int().min(5).max(8),
      z.number().int().nullable(),
      z.string().nullable().optional(),
      z.union([z.literal(1), z.literal(2)]),
      z.string().default('x'),
    ]) {
      const [first, second] = valuesOf(schema) ?? []
      expect(first).not.toEqual(second)
      expect([schema.safeParse(first).success, schema.safeParse(second).success]).toEqual([true, true])
    }
  })

  it('are none where the schema takes one, or has none', () => {
    expect(valuesOf(z.literal('only'))).toBeUndefined()
    expect(distinctValues({ path: 'setting.proxy', schema: undefined })).toBeUndefined()
  })
})
