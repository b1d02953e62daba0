import { describe, expect, it } from 'bun:test'
import { type JsonObject, type JsonPath, textWithEdits, valueWithEdits } from '@tollgate/formats'
import { requestsWith } from '../../test-support/claude-requests.ts'
import { betaTable } from './beta-table.ts'
import { type BetaRow, betaSources, type ClaudeHost } from './betas.ts'
import { hostBetas, supportOf } from './host-betas.ts'
import { fitToClaudeHost } from './host-fit.ts'
import { findClaudeModel } from './model-names.ts'

const hosts: readonly ClaudeHost[] = ['bedrock', 'vertex', 'foundry']
const models = ['claude-3-haiku-20240307', 'claude-haiku-4-5', 'claude-opus-4-8', 'claude-opus-5-5', 'my-own']

/** Values that a member has where the host's rule is for some of them alone. */
const values: Readonly<Record<string, unknown>> = {
  'message.role': 'system',
  'thinking.display': 'updates',
  'block.citations': null,
  'block.caller': { type: 'direct' },
}

const membersOf = ({ drops = [], refuses = [] }: BetaRow) => [...drops, ...refuses]
const members = [...new Set(betaTable.flatMap(membersOf))]
const rowsOf = (member: string) => betaTable.filter((row) => membersOf(row).includes(member))

/** Every request with a member, for every model, with and without each of the betas that it belongs to. */
function* callsWith(member: string) {
  const value = Object.hasOwn(values, member) ? values[member] : { any: 1 }
  const placed = requestsWith(member, value)
  expect(placed).not.toHaveLength(0)
  for (const [body, path] of placed)
    for (const model of models)
      for (const sent of [undefined, ...rowsOf(member)]) yield { body, path, model, sent, ...headersOf(sent) }
}

function headersOf(sent: BetaRow | undefined) {
  const [date] = sent?.dates ?? []
  const betas = date === undefined ? {} : { 'anthropic-beta': `claude-code-20250219, ${sent?.name}-${date}` }
  return { headers: betas }
}

type Call = ReturnType<typeof callsWith> extends Generator<infer Each> ? Each : never

/** Decides by the table whether a member stays, in a second and simple form. */
function stays(member: string, host: ClaudeHost, { model, sent }: Call): boolean {
  const generation = findClaudeModel(model)?.generation
  return rowsOf(member).some((row) => {
    const support = supportOf(row, host, generation)
    return support === 'optional' || support === 'free' || (support === 'beta' && row === sent)
  })
}

function valueAt(body: unknown, path: JsonPath): unknown {
  // Paths of samples lead through objects and lists.
  return path.reduce<unknown>((value, step) => (value as JsonObject | undefined)?.[step], body)
}

function expectLeftOut(
  member: string,
  { body, path }: Call,
  fit: ReturnType<ReturnType<typeof fitToClaudeHost>>,
) {
  const left = valueWithEdits(body, fit.edits)
  expect(JSON.parse(textWithEdits(JSON.stringify(body), fit.edits))).toEqual(left)
  expect([member, valueAt(left, path)]).toEqual([member, member === 'message.role' ? 'user' : undefined])
  expect(fit.dropped).toHaveLength(rowsOf(member)[0]?.name === '' ? 0 : 1)
}

describe.each(hosts)('at %s', (host) => {
  const fitTo = fitToClaudeHost(host)

  it.each(members)('%s stays where the host takes it, and is left out or refused where not', (member) => {
    const isRefused = betaTable.some((row) => row.refuses?.includes(member))
    for (const call of callsWith(member)) {
      const fitted = () => fitTo(call.body, call)
      if (stays(member, host, call)) expect([member, fitted().edits]).toEqual([member, []])
      else if (isRefused) expect(fitted).toThrow("is not supported by this model's provider")
      else expectLeftOut(member, call, fitted())
    }
  })

  it('the names of betas go along that the host takes, and no others', () => {
    const taken = new Set(['beta', 'optional', 'header'])
    for (const row of betaTable)
      for (const date of row.dates) {
        const beta = `${row.name}-${date}`
        const retained = hostBetas(host, `a-future-beta-2099-01-01, ${beta},${beta}`, 'claude-opus-4-8')
        const expected = taken.has(supportOf(row, host, 408)) ? [beta] : []
        expect(retained).toEqual(host === 'foundry' ? ['a-future-beta-2099-01-01', ...expected] : expected)
      }
  })

  it('a tool that is served under a beta of its own keeps what belongs to it', () => {
    const search = { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' }
    const tools = [search, { name: 'f', input_schema: {}, defer_loading: true }]
    expect(fitTo({ tools }, { model: 'claude-opus-5', headers: {} }).edits).toEqual([])
  })
})

describe('the table of betas', () => {
  it('has a source and a date for every row, and no beta twice', () => {
    for (const row of betaTable) {
      const [source, read] = betaSources[row.source]
      expect(source).toStartWith('https://')
      expect(read).toMatch(/^\d{4}-\d\d-\d\d$/)
    }
    const names = betaTable.flatMap(({ name, dates }) =>
      dates.length === 0 ? [name] : dates.map((date) => `${name}-${date}`),
    )
    expect(new Set(names).size).toBe(names.length)
  })
})
