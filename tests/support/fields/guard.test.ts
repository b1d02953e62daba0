import { describe, expect, it } from 'bun:test'
import { z } from 'zod'
import { get, post, put } from '../../../packages/api/src/calls/define.ts'
import type { NamedCall } from '../../../packages/api/src/test-support/call-of.ts'
import { createGuard } from './guard.ts'
import type { Door, Resource, Values, Write } from './resource.ts'
import { unwalkedFields } from './unwalked.ts'

const record = z.object({
  id: z.number(),
  name: z.string(),
  remark: z.string(),
  size: z.number(),
  kind: z.string(),
})
const fields = { name: z.string(), remark: z.string().nullable(), size: z.number().int().min(0).max(90) }
const page = z.object({ p: z.string().optional() })
const calls: readonly NamedCall[] = [
  {
    name: 'boxes.create',
    call: post('admin', '/api/box/', {
      part: 'any',
      recentProof: 'operates',
      body: z.object({ ...fields, name: fields.name.default(''), remark: fields.remark.default('') }),
      data: record,
    }),
  },
  {
    name: 'boxes.update',
    call: put('admin', '/api/box/', {
      part: 'any',
      recentProof: 'operates',
      body: z.object({ id: z.number() }).extend(z.object(fields).partial().shape),
      data: record,
    }),
  },
  {
    name: 'boxes.get',
    call: get('admin', '/api/box/:id', { part: 'any', recentProof: 'reads', data: record }),
  },
  {
    name: 'boxes.list',
    call: get('admin', '/api/box/', {
      part: 'any',
      recentProof: 'reads',
      query: page,
      data: z.array(record),
    }),
  },
]

type Fault = 'get' | 'list' | 'export' | 'audit' | 'moves' | 'null' | 'unnamed' | 'takes-wrong'

const accepted = (data: unknown) => ({ success: true, message: '', data })
const withoutRemark = ({ remark: _, ...rest }: Values): Values => rest

/** The refusal of a body, as the field is named or not. */
function refusalOf(body: Values, fault: Fault | undefined) {
  const isWrong = ([field, value]: [string, unknown]) =>
    (value === null && field !== 'remark' && fault !== 'takes-wrong') || (value === '' && field === 'name')
  const wrong = Object.entries(body).find(isWrong)
  const message = fault === 'unnamed' ? 'No' : `Invalid parameter: ${wrong?.[0]}`
  return wrong && { success: false, message, code: 'invalid_parameter' }
}

/** Boxes over memory, which go wrong in one way. */
function boxes(fault?: Fault): Door {
  let stored: Values = {}
  const entries: { id: number; action: string; after: string }[] = []
  const visibleBy = (reader: Fault) => (fault === reader ? withoutRemark(stored) : stored)
  function write(body: Values) {
    const refusal = refusalOf(body, fault)
    if (refusal !== undefined) return refusal
    const isTaken = ([, value]: [string, unknown]) => value !== null || fault === 'null'
    const taken = Object.fromEntries(Object.entries(body).filter(isTaken))
    const moved = fault === 'moves' && 'size' in body ? { remark: 'moved' } : {}
    stored = { id: 1, kind: 'box', ...stored, ...taken, ...moved }
    const after = fault === 'audit' ? withoutRemark(taken) : taken
    entries.unshift({ id: entries.length + 1, action: 'box.update', after: JSON.stringify(after) })
    return accepted(stored)
  }
  const reads: Readonly<Record<string, () => unknown>> = {
    '/api/box/1': () => visibleBy('get'),
    '/api/box/1/export': () => visibleBy('export'),
  }
  return {
    async call(method, path, body) {
      if (method !== 'GET') return write(body as Values)
      if (path.startsWith('/api/audit_log')) return accepted({ items: entries.slice(0, 1) })
      return accepted(reads[path]?.() ?? [visibleBy('list')])
    },
  }
}

const create: Write = { call: 'boxes.create' }
const update: Write = { call: 'boxes.update', leaves: ['id'], beside: (id) => ({ id }) }

const box: Omit<Resource, 'door'> = {
  name: 'box',
  calls,
  record,
  roots: ['/api/box/'],
  exports: '/api/box/:id/export',
  audit: { kind: 'box' },
  null: 'keeps',
  files: { write: 'write.ts', read: 'read.ts', audit: 'audit.ts' },
}

async function findings(fault?: Fault, resource: Partial<Resource> = {}): Promise<readonly string[]> {
  const guard = createGuard({ ...box, door: boxes(fault), ...resource })
  const made = await guard.create(create)
  return [...new Set([...(await made.findings()), ...(await guard.update(update, made.id))])]
}

describe('the guard', () => {
  it('finds nothing where every reader has every field', async () => {
    expect(await findings()).toEqual([])
  })

  it.each([
    ['get', 'box.remark: not in the read-back of GET /api/box/{id}; read.ts'],
    ['list', 'box.remark: not in the read-back of GET /api/box/; read.ts'],
    ['export', 'box.remark: not in GET /api/box/:id/export; read.ts'],
    ['audit', 'box.remark: not in the audit entry of boxes.update; audit.ts'],
    ['moves', 'box.remark: changed by boxes.update of size alone in GET /api/box/; write.ts'],
    ['null', 'box.remark: boxes.update leaves null for null in GET /api/box/; write.ts'],
    ['unnamed', 'box.name: boxes.update refuses "" without naming it: No; write.ts'],
    ['takes-wrong', 'box.size: boxes.update takes null, and its schema does not; write.ts'],
  ] as const)('names the field, the reader and the file of a fault: %s', async (fault, line) => {
    expect(await findings(fault)).toContain(line)
  })

  it('asks for another value where a new record has it anyway', async () => {
    const guard = createGuard({ ...box, door: boxes() })
    const made = await guard.create({ ...create, values: { remark: ['', 'other'] } })
    expect(await made.findings()).toContain(
      'box.remark: boxes.create needs a value that is not its default; tests/support/fields/walks.ts',
    )
  })

  it('asks for values where the schema has less than two, or what it makes is refused', async () => {
    const narrow = calls.map((each) =>
      each.name === 'boxes.update'
        ? { ...each, call: { ...each.call, body: z.object({ id: z.number(), size: z.literal(4) }) } }
        : each,
    ) as readonly NamedCall[]
    expect(await findings(undefined, { calls: narrow })).toEqual([
      'box.size: boxes.update needs two values of it; tests/support/fields/walks.ts',
    ])
  })
})

describe('a field of a body', () => {
  const all = [
    { call: 'boxes.update', path: 'remark' },
    { call: 'boxes.update', path: 'id' },
  ]

  it('is named while no walk writes it and no reason excuses it', () => {
    expect(unwalkedFields(new Set(), {}, all)).toEqual([
      'boxes.update.remark: no walk writes it; tests/support/fields/walks.ts',
    ])
    expect(unwalkedFields(new Set(['boxes.update remark']), {}, all)).toEqual([])
    expect(unwalkedFields(new Set(), { 'boxes.update remark': 'never read' }, all)).toEqual([])
  })

  it('keeps no reason once it is walked or gone', () => {
    expect(
      unwalkedFields(new Set(['boxes.update remark']), { 'boxes.update remark': 'never read' }, all),
    ).toEqual(['boxes.update remark: a reason for nothing; tests/support/fields/unwalked.ts'])
  })
})
