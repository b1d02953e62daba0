import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type ConsoleCall, type ConsoleContract, readContract } from '../../support/console/console-calls.ts'
import { argumentsOf, type Seen, send } from '../../support/console/console-request.ts'
import { createPeople, password } from '../../support/console/people.ts'
import type { Hint } from '../../support/console/sample-values.ts'
import { consoleWithoutLimits, nothingListens } from '../../support/console/surroundings.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(60_000))

/** Everyone who may knock at the console. */
const visitors = [
  'anonymous',
  'user',
  'disabled user',
  'admin',
  'root',
  'relay key',
  'own access token',
  "another's access token",
] as const
type Visitor = (typeof visitors)[number]

/** Visitors that each word lets in; written here by hand, because the document is what is tested. */
const promised: Readonly<Record<string, readonly Visitor[]>> = {
  public: visitors,
  user: ['user', 'admin', 'root', 'own access token'],
  admin: ['admin', 'root'],
  root: ['root'],
  signature: [],
  'relay-key': ['relay key'],
}

/**
 * The most dangerous calls and who may make them, without a look at the contract: a wrong word in it is found here. A line
 * is a pattern of `METHOD path`, the first one that fits counts.
 */
const dangerous: readonly (readonly [RegExp, keyof typeof promised])[] = [
  [/^(POST|GET) \/api\/channel\/\{id\}\/key$/, 'root'],
  [/^POST \/api\/option\/oidc_document$/, 'root'],
  [/^\w+ \/api\/option\//, 'admin'],
  [/^GET \/api\/channel\/?$/, 'admin'],
  [/^(POST|PUT|DELETE) \/api\/channel\//, 'admin'],
  [/^GET \/api\/channel\//, 'admin'],
  [/^\w+ \/api\/redemption\//, 'admin'],
  [/^(POST|PUT) \/api\/user\/$/, 'admin'],
  [/^(GET|DELETE) \/api\/user\/\{id\}$/, 'admin'],
  [/^GET \/api\/user\/(search)?$/, 'admin'],
  [/^POST \/api\/user\/manage$/, 'admin'],
  [/^POST \/api\/user\/\{id\}\/view(\/end)?$/, 'admin'],
  [/^\w+ \/api\/invitation\/(\{id\})?$/, 'admin'],
  [/^(DELETE|PUT) \/api\/user\/self$/, 'user'],
  [/^\w+ \/api\/user\/(token|aff|aff_transfer|setting|topup|pay)$/, 'user'],
  [/^\w+ \/api\/user\/self\//, 'user'],
  [/^\w+ \/api\/topup\/complete$/, 'admin'],
  [/^\w+ \/api\/user\/epay\/notify$/, 'signature'],
  [/^\w+ \/api\/user\/stripe\/webhook$/, 'signature'],
  [/^\w+ \/api\/oauth\/\w+\/bind$/, 'user'],
  [/^\w+ \/api\/token\//, 'user'],
  [/^GET \/api\/log\/token$/, 'relay-key'],
  [/^\w+ \/api\/log\/self\/link(\/\{id\})?$/, 'user'],
  [/^GET \/api\/(log|data|mj|task)\/(self.*|.*\/self)$/, 'user'],
  [/^\w+ \/api\/(log|data|mj|task)\//, 'admin'],
  [/^\w+ \/api\/key\//, 'admin'],
  [/^POST \/api\/secret_scanning$/, 'signature'],
  [/^\w+ \/api\/audit/, 'admin'],
  [/^\w+ \/api\/nodes$/, 'root'],
]

/** Outgoing requests of a call reach nothing; every other field has its least value. */
const hint: Hint = (name) => {
  if (name === 'base_url') return nothingListens
  return name === 'password' ? password : undefined
}

let gateway: Tollgate
let operator: Operator
let contract: ConsoleContract
/** Headers of a visitor for one call: a fresh user for calls that change their own account. */
let headersOf: (visitor: Visitor) => Record<string, string>

beforeAll(async () => {
  gateway = await startTollgate({ env: consoleWithoutLimits })
  operator = await operate(gateway.url)
  contract = await readContract(gateway.url)
  headersOf = await everybody()
})
afterAll(() => gateway?.stop())

/** Creates as many people of each kind as there are calls, so that no call finds what another left. */
async function everybody(): Promise<typeof headersOf> {
  const people = createPeople(gateway)
  const count = contract.calls.length
  const headersOfAll = (role: 'common' | 'admin' | 'root', status?: 'banned') =>
    people.crowd(role, count, status).map(({ headers }) => headers)
  const owners: Readonly<Record<string, string>>[] = []
  for (const { id, headers } of people.crowd('common', count))
    owners.push({ authorization: await accessTokenOf(headers), 'new-api-user': String(id) })
  const crowd: Partial<Record<Visitor, Readonly<Record<string, string>>[]>> = {
    user: headersOfAll('common'),
    'disabled user': headersOfAll('common', 'banned'),
    admin: headersOfAll('admin'),
    root: headersOfAll('root'),
    'own access token': owners,
  }
  const [lender] = owners
  const key = (await operator.addKey()).key
  const shared: Partial<Record<Visitor, Record<string, string>>> = {
    'relay key': { authorization: `Bearer ${key}` },
    "another's access token": { ...lender, 'new-api-user': String(operator.userId) },
  }
  return (visitor) => ({ ...(crowd[visitor]?.pop() ?? shared[visitor]) })
}

async function accessTokenOf(headers: Readonly<Record<string, string>>): Promise<string> {
  const call = contract.calls.find(({ path }) => path === '/api/user/token')
  if (call === undefined) throw new Error('the document has no call that makes an access token')
  const { envelope } = await send(gateway.url, call, argumentsOf(contract, call, hint), headers)
  return String((envelope as { data?: unknown }).data)
}

/** Codes for a caller who is not known, or may not call; no business rule has them. */
const refusals = new Set([
  'not_logged_in',
  'user_header_missing',
  'user_header_mismatch',
  'access_token_invalid',
  'user_banned',
  'permission_denied',
  'session_required',
  'signature_invalid',
  'relay_key_invalid',
  'relay_key_not_allowed',
])

type Outcome = 'admitted' | 'refused' | 'not mounted' | 'broken'

function outcomeOf({ status, envelope, headers }: Seen): Outcome {
  const code = envelope.code ?? new URLSearchParams(headers.get('location')?.split('?')[1]).get('error') ?? ''
  if (status === 404 && envelope.error !== undefined) return 'not mounted'
  if (status >= 500 && code !== 'database_unavailable') return 'broken'
  // Some rules have a status of 403 as well; where there is a code, that is what tells them from a closed door.
  const isRefused = code === '' ? status === 401 || status === 403 : refusals.has(code)
  return isRefused ? 'refused' : 'admitted'
}

function expected(visitor: Visitor, access: keyof typeof promised, call: ConsoleCall): Outcome {
  if ((call.sessionOnly || (call.recentProof && access !== 'public')) && visitor === 'own access token')
    return 'refused'
  return promised[access]?.includes(visitor) ? 'admitted' : 'refused'
}

describe('every call of the OpenAPI document', () => {
  it('admits the callers that the document names, and no others', async () => {
    const findings: string[] = []
    for (const call of inOrder(contract.calls)) {
      for (const visitor of visitors) {
        const seen = await send(gateway.url, call, argumentsOf(contract, call, hint), headersOf(visitor))
        const [found, right] = [outcomeOf(seen), expected(visitor, call.access, call)]
        if (found !== right)
          findings.push(
            `${call.name} as ${visitor}: ${found} instead of ${right} (${seen.status} ${seen.text.slice(0, 120)})`,
          )
      }
    }
    expect(findings).toEqual([])
  })

  it('is in the audit log before it hands out rows of others as a file', async () => {
    const root = { cookie: operator.cookie, 'new-api-user': String(operator.userId) }
    const recorded = () =>
      operator.api<{ total: number; items: { action: string; actor_role: string }[] }>(
        'GET',
        '/api/audit_log/?p=1&page_size=1',
      )
    const files: string[] = []
    for (const call of contract.calls.filter(
      ({ method, access }) => method === 'GET' && access !== 'public',
    )) {
      const { total } = await recorded()
      const whole = argumentsOf(contract, call, (name) => (name === 'id' ? operator.userId : undefined))
      const { headers } = await send(gateway.url, call, whole, root)
      if (!headers.has('content-disposition')) continue
      const { total: after, items } = await recorded()
      const acts = after - total
      files.push(`${call.name} ${call.access === 'user' ? '' : items[0]?.action} ${acts}`)
    }
    expect(files.toSorted()).toEqual([
      'GET /api/data/spend/export log.export-spend 1',
      'GET /api/installation/export gateway.export 1',
      'GET /api/log/export log.export 1',
      'GET /api/log/self/export  0',
      'GET /api/security_event/export log.export-security-events 1',
      'GET /api/statement/export log.export-statement 1',
      'GET /api/statement/self/export  0',
      'GET /api/topup/export top-up-order.export 1',
      'GET /api/user/{id}/export user.export 1',
    ])
  })

  it('has for the most dangerous calls the word that a person wrote down', () => {
    const wrong = contract.calls.flatMap((call) => {
      const access = dangerous.find(([pattern]) => pattern.test(call.name))?.[1]
      const isRight = access === undefined || call.access === access || rank(call.access) > rank(access)
      return isRight ? [] : [`${call.name} is for ${call.access} instead of ${access}`]
    })
    expect(wrong).toEqual([])
  })

  it('has no call that changes something and is open to everybody, but those that begin a session', () => {
    const open = contract.calls.filter(({ access, changes }) => access === 'public' && changes)
    const others = open.filter(({ name }) => !(beginsSession.test(name) || reads.test(name)))
    expect(others.map(({ name }) => name)).toEqual([])
  })
})

/** Setting up, signing in and out, registering, taking an invitation, proving an address. */
const beginsSession =
  /^(POST \/api\/(setup|invitation\/accept)|\w+ \/api\/user\/(login(\/.*)?|logout|register|reset)|\w+ \/api\/(verification|reset_password)|\w+ \/api\/oauth\/(state|\w+|telegram\/login|\{provider\}\/start))$/

/** Calls that change nothing: what they are about is secret, or too long for an address. */
const reads = /^POST \/api\/(invitation\/look|pricing\/job)$/

/** A call for fewer people than were written down is no danger. */
function rank(access: string): number {
  return ['public', 'user', 'admin', 'root'].indexOf(access)
}

/** Reading first, then what adds, then what takes away. */
function inOrder(calls: readonly ConsoleCall[]): ConsoleCall[] {
  const turn = ({ changes, method }: ConsoleCall) => (changes ? (method === 'DELETE' ? 2 : 1) : 0)
  return calls.toSorted((a, b) => turn(a) - turn(b))
}
