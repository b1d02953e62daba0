import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type ConsoleCall, type ConsoleContract, readContract } from '../../support/console/console-calls.ts'
import { argumentsOf, type Seen, send } from '../../support/console/console-request.ts'
import { changedRows, giveOneOfEverything, rowsOf } from '../../support/console/owned-rows.ts'
import { createPeople, type Person, password, withDatabase } from '../../support/console/people.ts'
import { type Hint, propertiesOf, shapeOf } from '../../support/console/sample-values.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(60_000))

let gateway: Tollgate
let contract: ConsoleContract
let people: ReturnType<typeof createPeople>
/** Person who owns one of everything. */
let owner: Person
/** Person who tries to get at it. */
let other: Person
let otherKey: string
let owned: ReturnType<typeof rowsOf>
/** Names of the owner's rows, as a caller could send them. */
let ids: readonly string[]
/** Texts that only the owner's rows have. */
let marks: readonly string[]

beforeAll(async () => {
  gateway = await startTollgate({ env: consoleWithoutLimits })
  await operate(gateway.url)
  contract = await readContract(gateway.url)
  people = createPeople(gateway)
  owner = people.loggedIn('common')
  other = people.loggedIn('common')
  const ownersKey = await keyOf(owner, 'key of the owner alone')
  otherKey = await keyOf(other, 'key of somebody else')
  giveOneOfEverything(gateway.dataDir, owner.id)
  // Anybody who knew the password would be the owner.
  withDatabase(gateway.dataDir, (database) =>
    database.run(`update users set password_hash = '' where id = ?`, [owner.id]),
  )
  owned = rowsOf(gateway.dataDir, owner.id)
  ids = namesOfRows(ownersKey)
  marks = [
    ownersKey,
    owner.username,
    'key of the owner alone',
    'owned-by-somebody',
    owner.headers['cookie'] ?? '-',
  ]
})
afterAll(() => gateway?.stop())

async function keyOf({ headers }: Person, name: string): Promise<string> {
  const args = { target: '/api/token/', body: JSON.stringify({ name, unlimited_quota: true }) }
  const { envelope } = await send(gateway.url, { method: 'POST' }, args, headers)
  return (envelope as { data: { key: string } }).data.key
}

function namesOfRows(key: string): string[] {
  const names = new Set([String(owner.id), owner.username, key, `sk-${key}`])
  for (const rows of owned.values())
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) {
        if (!isIdName(column) || value === null || value === '') continue
        names.add(String(value))
        // Sessions are named by the beginning of their hash.
        if (column === 'id_hash') names.add(String(value).slice(0, 16))
      }
  return [...names]
}

/** Names of columns and fields that say which row is meant. */
function isIdName(name: string): boolean {
  return /^(id|ids|key|name|username|token|order|index|code)$|_(id|ids|no|hash|name|code)$|^id_/.test(name)
}

/** Fields of a call in which a row could be named. Names that people give are written by bodies, so they are asked for only. */
function slotsOf(call: ConsoleCall): string[] {
  const fields = call.body === undefined ? {} : propertiesOf(shapeOf(contract.resolve, call.body.schema))
  const requested = call.parameters
    .map(({ name }) => name)
    .filter((name) => isIdName(name) || name === 'keyword')
  const sent = Object.keys(fields).filter((name) => isIdName(name) && !/name$/.test(name))
  return [...new Set([...requested, ...sent])]
}

/** Puts one name of a row into one field. */
function naming(slot: string, id: string): Hint {
  return (name, shape) => {
    if (name === 'password') return password
    if (name !== slot) return undefined
    const one = /integer|number/.test(JSON.stringify(shape['type'] ?? '')) ? Number(id) : id
    if (shape['type'] !== 'array') return Number.isNaN(one) ? undefined : one
    return [/integer|number/.test(JSON.stringify(shape['items'])) ? Number(id) : id]
  }
}

/** Every way to name what is the owner's in a call. */
function attempts(call: ConsoleCall): Hint[] {
  const named = slotsOf(call).flatMap((slot) => ids.map((id) => naming(slot, id)))
  return [() => undefined, ...named]
}

const isForUsers = ({ access }: ConsoleCall) => ['public', 'user', 'relay-key'].includes(access)

/** Facts of the owner in a response that were not in the request. */
function leaks({ text }: Seen, requested: string): string[] {
  return marks.filter((mark) => text.includes(mark) && !requested.includes(mark))
}

describe('what belongs to a user', () => {
  it('is there in every table of rows that belong to users', () => {
    const empty = [...owned].filter(([, rows]) => rows.length === 0).map(([table]) => table)
    expect(empty).toEqual([])
    expect(ids.length).toBeGreaterThan(5)
  })

  it('is never read, changed or removed by another, by whatever name of it in whatever field of a call', async () => {
    const findings: string[] = []
    for (const call of contract.calls.filter(isForUsers)) {
      for (const hint of attempts(call)) {
        const args = argumentsOf(contract, call, hint)
        const seen = await send(gateway.url, call, args, headersFor(call))
        for (const mark of leaks(seen, `${args.target}${args.body ?? ''}`))
          findings.push(`${call.name} tells ${mark}: ${args.target}`)
      }
      const after = rowsOf(gateway.dataDir, owner.id)
      for (const table of changedRows(owned, after)) findings.push(`${call.name} changed ${table}`)
      owned = after
    }
    expect([...new Set(findings)]).toEqual([])
  })
})

/** A new user for each call that may end their account or their session. */
function headersFor({ access, changes, path }: ConsoleCall): Record<string, string> {
  if (access === 'relay-key') return { authorization: `Bearer sk-${otherKey}` }
  const isLasting = changes && /self$|logout|password|session/.test(path)
  return { ...(isLasting ? people.loggedIn('common') : other).headers }
}
