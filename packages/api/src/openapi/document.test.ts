import { describe, expect, it } from 'bun:test'
import { z } from 'zod'
import { put } from '../calls/define.ts'
import { type Call, calls, refusalTexts } from '../index.ts'
import { contractCalls } from '../test-support/call-of.ts'
import { writtenFields } from '../test-support/written-fields.ts'
import { openApiDocument } from './document.ts'
import type { OpenApiDocument } from './document-types.ts'
import { createSchemaWriter } from './json-schema.ts'
import { operationOf } from './operation.ts'
import { summaryOf } from './summaries/index.ts'
import { operationsOf, structuralProblems } from './test-support/structure.ts'

const statusOf = (code: string) => (code === 'not_logged_in' ? 401 : 200)
const document = openApiDocument({ version: '1.2.3', statusOf })
const allCalls = Object.values(calls).flatMap((group): Call[] => Object.values(group))

interface Described {
  readonly $ref?: string
  readonly anyOf?: readonly Described[]
  readonly items?: Described
  readonly properties?: Readonly<Record<string, Described>>
  readonly contentSchema?: Described
}

/** Looks for the field in a schema of the document, through references, choices, lists and texts of JSON. */
function isDescribed(schema: Described | undefined, path: string): boolean {
  const [head = '', ...rest] = path.replaceAll('[]', '').split('.')
  const member = shapesOf(schema).find((shape) => shape.properties?.[head] !== undefined)?.properties?.[head]
  return member !== undefined && (rest.length === 0 || isDescribed(member, rest.join('.')))
}

function shapesOf(schema: Described | undefined): readonly Described[] {
  if (schema === undefined) return []
  const named = schema.$ref?.split('/').at(-1)
  const next = [
    ...(named === undefined ? [] : [document.components.schemas[named] as Described | undefined]),
    ...(schema.anyOf ?? []),
    schema.items,
    schema.contentSchema,
  ]
  return [schema, ...next.flatMap(shapesOf)]
}

function written(call: Call) {
  return operationOf(call, { group: 'sample', name: 'call' }, createSchemaWriter({}), statusOf)
}

describe('the OpenAPI document', () => {
  it('follows the rules of OpenAPI 3.1', () => {
    expect(structuralProblems(document)).toEqual([])
  })

  it('is found broken after damage', () => {
    const operation = document.paths['/api/token/{id}']?.get
    const broken = {
      ...document,
      paths: {
        '/api/a/{id}': { get: { ...operation, parameters: [] } },
        '/api/a/{name}': { get: { ...operation, responses: { 200: { $ref: '#/components/schemas/None' } } } },
      },
    } as unknown as OpenApiDocument
    expect(structuralProblems(broken)).toEqual([
      '#/paths//api/a/{name}/get/responses/200 refers to #/components/schemas/None, which is nowhere',
      'get /api/a/{name}: tokens.get is the id of another operation',
      '/api/a/{name} is /api/a/{id}',
      'get /api/a/{id}: path and declared parameters differ',
      'get /api/a/{name}: path and declared parameters differ',
    ])
  })

  it('has every call of the contract, with who may use it', () => {
    for (const { method, path, access } of allCalls) {
      const template = path.replace(/:(\w+)/g, '{$1}')
      const operation = document.paths[template]?.[method.toLowerCase() as 'get']
      expect(operation?.['x-access'], `${method} ${path}`).toBe(access)
    }
  })

  it('describes each call in one line', () => {
    const missing = allCalls.filter((call) => summaryOf(call) === undefined)
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })

  it('begins with the calls of programs, and comes to administration after those of accounts', () => {
    const groups = document.tags.map(({ name }) => name)
    expect(groups[0]).toBe('relay')
    expect(groups.indexOf('wallet')).toBeLessThan(groups.indexOf('channels'))
    const lines = operationsOf(document).map(([position]) => position)
    expect(lines[0]).toBe('post /v1/chat/completions')
    expect(lines.indexOf('get /api/log/self')).toBeLessThan(lines.indexOf('get /api/log/'))
  })

  it('describes every field that a body writes', () => {
    const missing = contractCalls.flatMap(({ name, call }) => {
      const template = call.path.replace(/:(\w+)/g, '{$1}')
      const content = document.paths[template]?.[call.method.toLowerCase() as 'put']?.requestBody?.content
      const schema = Object.values(content ?? {})[0]?.schema
      const fields = call.body === undefined ? [] : writtenFields(call.body)
      return fields.filter(({ path }) => !isDescribed(schema, path)).map(({ path }) => `${name}.${path}`)
    })
    expect(
      missing.map((field) => `${field}: not described; packages/api/src/openapi/json-schema.ts`),
    ).toEqual([])
  })

  it('is found to lack a field', () => {
    const schema = {
      type: 'object',
      properties: { rows: { type: 'array', items: { properties: { id: {} } } } },
    }
    expect(isDescribed(schema, 'rows[].id')).toBe(true)
    expect(isDescribed(schema, 'rows[].name')).toBe(false)
    expect(isDescribed(schema, 'remark')).toBe(false)
  })

  it('lists every refusal with its sentence in both languages', () => {
    const codes = document.components.schemas['RefusalCode']
    expect(codes?.['enum']).toEqual(Object.keys(refusalTexts))
    expect(codes?.['x-sentences']).toEqual(refusalTexts)
    for (const [position, { 'x-refusals': refusals = [] }] of operationsOf(document))
      for (const code of refusals) expect(Object.keys(refusalTexts), position).toContain(code)
  })

  it('has the endpoints of the relay', () => {
    for (const position of ['/v1/chat/completions', '/v1/messages', '/v1/embeddings', '/pg/chat/completions'])
      expect(document.paths[position]?.post?.tags).toEqual(['relay'])
  })
})

describe('a call in the document', () => {
  it('has its path, its query and its body, with optional fields', () => {
    const { parameters, requestBody } = written(
      put('user', '/api/sample/:id', {
        recentProof: 'uses',
        params: z.object({ id: z.coerce.number().int().positive() }),
        query: z.object({ must: z.string(), may: z.string().optional() }),
        body: z.object({ name: z.string().max(20), size: z.number().default(1) }),
        data: z.string(),
      }),
    )
    expect(parameters.map(({ name, in: position, required }) => [name, position, required])).toEqual([
      ['id', 'path', true],
      ['must', 'query', true],
      ['may', 'query', false],
    ])
    expect(requestBody?.content['application/json']?.schema).toMatchObject({
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 20 }, size: { default: 1 } },
    })
  })

  it('has forms and raw bytes as bodies of their own types', () => {
    const basics = {
      method: 'POST',
      path: '/api/sample',
      access: 'signature',
      recentProof: 'signed',
      response: 'text',
    } as const
    const form = written({ ...basics, accepts: 'form', body: z.object({ sign: z.string() }) })
    expect(Object.keys(form.requestBody?.content ?? {})).toEqual([
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ])
    const raw = written({ ...basics, accepts: 'raw', maxBodyBytes: 10 })
    expect(raw.requestBody?.content).toEqual({ 'application/octet-stream': { schema: {} } })
    expect(raw.security).toEqual([{ signature: [] }])
  })

  it('returns the envelope with its data and the fields beside it, or a refusal', () => {
    const { responses } = written({
      method: 'GET',
      path: '/api/sample',
      access: 'public',
      recentProof: 'reads',
      data: z.array(z.number()),
      extra: z.object({ time: z.number() }),
    })
    expect(responses['200']?.content?.['application/json']?.schema).toMatchObject({
      oneOf: [
        {
          properties: { data: { type: 'array' }, time: { type: 'number' } },
          required: ['success', 'message', 'data'],
        },
        { $ref: '#/components/schemas/Refusal' },
      ],
    })
  })

  it('has no `data` where the call has none', () => {
    const { responses } = written({
      method: 'GET',
      path: '/api/sample',
      access: 'public',
      recentProof: 'reads',
      data: z.undefined(),
    })
    expect(JSON.stringify(responses['200'])).not.toContain('"data"')
  })

  it('has a status for each kind of refusal, and 302 alone where a page shows refusals', () => {
    const guarded = written({
      method: 'GET',
      path: '/api/sample',
      access: 'root',
      recentProof: 'reads',
      data: z.string(),
    })
    expect(Object.keys(guarded.responses)).toEqual(['200', '401'])
    expect(guarded['x-refusals']).toContain('permission_denied')
    const redirecting = written({
      method: 'GET',
      path: '/api/sample',
      access: 'public',
      recentProof: 'reads',
      response: 'redirect',
      errorPage: '/login',
    })
    expect(Object.keys(redirecting.responses)).toEqual(['302'])
  })

  it('asks for a session alone where an access token is refused', () => {
    const call = {
      method: 'GET',
      path: '/api/sample',
      access: 'admin',
      recentProof: 'reads',
      data: z.string(),
    } as const
    expect(written(call).security).toHaveLength(2)
    expect(written({ ...call, recentProof: true }).security).toHaveLength(1)
    expect(written({ ...call, recentProof: { forField: 'password' } }).security).toHaveLength(2)
    expect(written({ ...call, sessionOnly: true }).security).toEqual([{ session: ['admin'], userHeader: [] }])
  })

  it('says in which uses it asks for a recent proof, and that a GET acts', () => {
    const call = { method: 'GET', path: '/api/sample', access: 'admin', data: z.string() } as const
    const sentence = (recentProof: Call['recentProof']) => written({ ...call, recentProof }).description
    expect(sentence(true)).toContain(' It asks for a session that has proven whose it is within 10 minutes.')
    expect(sentence({ forField: 'password', provenBy: 'code' })).toContain(
      'With `password`, it asks for a session that has proven whose it is within 10 minutes, or the right `code`.',
    )
    expect(sentence({ forField: 'action', forValues: ['promote', 'enable'] })).toContain(
      'With `action` `promote`, `enable`, it asks',
    )
    expect(sentence({ forEffect: 'sends-stored-keys-elsewhere' })).toContain('Where it sends stored keys')
    expect(sentence({ byOption: true })).toContain('For options that let people in')
    expect(sentence('operates')).toContain('Acts although it is a GET')
    expect(sentence('reads')).not.toContain('asks for')
  })
})

describe('a named shape', () => {
  it('has two names where its request and its response differ', () => {
    const shape = z.object({ size: z.number().default(1) })
    const schemas = createSchemaWriter({ shape })
    expect(schemas.write(shape, 'output')).toEqual({ $ref: '#/components/schemas/Shape' })
    expect(schemas.write(z.object({ inner: shape }), 'input')).toMatchObject({
      properties: { inner: { $ref: '#/components/schemas/ShapeInput' } },
    })
    expect(schemas.components['Shape']).toMatchObject({ required: ['size'] })
    expect(schemas.components['ShapeInput']).not.toHaveProperty('required')
  })
})
