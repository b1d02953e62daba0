import { describe, expect, it } from 'bun:test'
import { openApiDocument } from '@tollgate/api/openapi'
import { curlOf } from './curl.ts'
import { fieldRows } from './fields.ts'
import { type DocumentedCall, groupsOf, matching } from './groups.ts'

const document = openApiDocument({ version: '1', statusOf: () => 200 })
const groups = groupsOf(document)

function callOf(id: string): DocumentedCall {
  const found = groups.flatMap(({ calls }) => calls).find((call) => call.id === id)
  if (found === undefined) throw new Error(`no call ${id}`)
  return found
}

describe('the groups of the reference', () => {
  it('have every call of the document once', () => {
    const visible = groups.flatMap(({ calls }) => calls.map(({ id }) => id))
    const all = Object.values(document.paths).flatMap((path) => Object.keys(path))
    expect(visible).toHaveLength(all.length)
    expect(new Set(visible).size).toBe(all.length)
  })

  it('are searched by every word, in whatever place, and by who may', () => {
    const ids = (words: string, who?: string) =>
      matching(groups, { words, who }).flatMap(({ calls }) => calls.map(({ id }) => id))
    expect(ids('TOKEN create')).toContain('tokens.create')
    expect(ids('delete /api/channel')).toEqual(expect.arrayContaining(['channels.delete']))
    expect(ids('/api/token/', 'user')).toContain('tokens.list')
    expect(ids('/api/token/', 'admin')).toEqual([])
    expect(ids('轮换 API 令牌')).toEqual(['tokens.rotate'])
    expect(ids('nothing is called this')).toEqual([])
  })
})

describe('the fields of a schema', () => {
  it('have their type, whether they must be there, their bounds, and what is inside them', () => {
    const schema = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', maxLength: 20 },
        size: { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }], default: 3 },
        rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
        kind: { enum: ['a', 'b'] },
      },
    }
    expect(fieldRows(document, schema)).toEqual([
      { name: 'name', type: 'string', required: true, limits: [{ bound: 'maxLength', value: '20' }] },
      {
        name: 'size',
        type: 'integer | null',
        required: false,
        limits: [
          { bound: 'minimum', value: '0' },
          { bound: 'default', value: '3' },
        ],
      },
      { name: 'rows', type: 'object[]', required: false, limits: [] },
      { name: 'rows[].id', type: 'integer', required: false, limits: [] },
      { name: 'kind', type: 'any', required: false, limits: [{ bound: 'enum', value: 'a · b' }] },
    ])
  })

  it('end, also where a schema has itself inside', () => {
    const endless = { type: 'object', properties: { inner: { $ref: '#/components/schemas/Endless' } } }
    const schemas = { components: { schemas: { Endless: endless }, securitySchemes: {} } }
    expect(fieldRows(schemas, endless).length).toBeLessThan(10)
  })
})

describe('the command of a call', () => {
  it('has the proof that a program has, and a body of the right shape', () => {
    expect(curlOf(document, callOf('options.set'), 'https://gate.test')).toBe(
      [
        'curl -X PUT https://gate.test/api/option/ \\',
        '  -H "Authorization: Bearer $TOLLGATE_ACCESS_TOKEN" \\',
        '  -H "Content-Type: application/json" \\',
        `  -d '{"key":"…"}'`,
      ].join('\n'),
    )
    expect(curlOf(document, callOf('tokens.get'), '')).toStartWith('curl /api/token/1 \\')
    expect(curlOf(document, callOf('relay.messages'), '')).toContain('-H "x-api-key: $TOLLGATE_API_KEY"')
    expect(curlOf(document, callOf('status.read'), '')).toBe('curl /api/status')
  })
})
