import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { TOTP } from 'otpauth'
import { settingCatalogue } from '../../../packages/api/src/settings/index.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type ConsoleCall, type ConsoleContract, readContract } from '../../support/console/console-calls.ts'
import { argumentsOf, type Seen, send } from '../../support/console/console-request.ts'
import { createPeople, type Person, password, withDatabase } from '../../support/console/people.ts'
import type { Hint } from '../../support/console/sample-values.ts'
import { createSecretFinder, type Secret } from '../../support/console/secrets.ts'
import { consoleWithoutLimits } from '../../support/console/surroundings.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(60_000))

const visitors = ['anonymous', 'otherUser', 'owner', 'admin', 'root', 'relay key'] as const
type Visitor = (typeof visitors)[number]

let gateway: Tollgate
let operator: Operator
let contract: ConsoleContract
/** Has one of every secret that a user can have. */
let owner: Person
let ownersKey: string
/** A new user for every call, because some calls end sessions and accounts. */
let crowds: Partial<Record<Visitor, Person[]>>
let people: ReturnType<typeof createPeople>
let upstream: ReturnType<typeof startRecordingProxy>
const secrets: Secret[] = []

beforeAll(async () => {
  upstream = startRecordingProxy()
  gateway = await startTollgate({ env: { ...consoleWithoutLimits, LOG_LEVEL: 'trace' } })
  operator = await operate(gateway.url)
  contract = await readContract(gateway.url)
  people = createPeople(gateway)
  owner = people.loggedIn('common')
  crowds = {
    otherUser: people.crowd('common', contract.calls.length),
    admin: people.crowd('admin', contract.calls.length),
    root: people.crowd('root', contract.calls.length),
  }
  await hideInOptions()
  await hideInChannels()
  await hideInRedemptions()
  await hideWithOwner()
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.stop(true)
})

/** An upstream that says in its errors which key it was given, as some do. */
function startRecordingProxy() {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ headers }) =>
      Response.json(
        {
          error: {
            message: `Incorrect API key provided: ${headers.get('authorization')}`,
            code: 'invalid_api_key',
          },
        },
        { status: 401 },
      ),
  })
}

/** A text that nothing else is, with characters that change in an address. */
function newSecret(what: string, visibleTo?: Secret['shownTo']): string {
  const value = `hidden+${what.replace(/\W/g, '-')}/${crypto.randomUUID()}`
  keep(what, value, visibleTo)
  return value
}

function keep(what: string, value: string, visibleTo?: Secret['shownTo']): void {
  secrets.push({ what, value, ...(visibleTo && { shownTo: visibleTo }) })
}

/** The data in the response of a call that the document may not have yet. */
async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = owner.headers,
): Promise<T | undefined> {
  const call = contract.calls.find((each) => each.name === `${method} ${path}`)
  if (call === undefined) throw new Error(`the document has no ${method} ${path}`)
  const args = { target: path, ...(body !== undefined && { body: JSON.stringify(body) }) }
  const { envelope } = await send(gateway.url, call, args, headers)
  const { success, message, data } = envelope as { success?: boolean; message?: string; data?: T }
  if (success !== true) throw new Error(`${method} ${path}: ${message}`)
  return data
}

async function hideInOptions(): Promise<void> {
  for (const [key, { control }] of Object.entries(settingCatalogue))
    if (control.kind === 'secret') await operator.option(key, newSecret(`option ${key}`))
}

const revealed = (visitor: string, call: string) => visitor === 'root' && /\{id\}\/key$/.test(call)

async function hideInChannels(): Promise<void> {
  const keys = [1, 2].map((number) => newSecret(`channel key ${number}`, revealed))
  const proxy = newSecret('proxy password')
  await operator.addChannel({
    name: 'holds secrets',
    base_url: `http://127.0.0.1:${upstream.port}`,
    models: 'gpt-4o',
    key: keys.join('\n'),
    tag: 'secret',
  })
  await operator.addChannel({
    name: 'behind a proxy',
    base_url: `http://127.0.0.1:${upstream.port}`,
    models: 'gpt-4o-mini',
    key: newSecret('channel key 3', revealed),
    setting: JSON.stringify({ proxy: `http://user:${encodeURIComponent(proxy)}@127.0.0.1:9` }),
  })
}

async function hideInRedemptions(): Promise<void> {
  const forAdmins = (visitor: string, call: string) =>
    /admin|root/.test(visitor) && call.includes('/api/redemption')
  const codes = await operator.api<string[]>('POST', '/api/redemption/', {
    name: 'gift',
    quota: 100,
    count: 2,
  })
  for (const code of codes) keep('redemption code', code, forAdmins)
}

async function hideWithOwner(): Promise<void> {
  const { headers, id } = owner
  keep('password', password)
  keep('password hash', storedHash(id))
  keep('session', headers['cookie']?.split('=')[1] ?? '')
  const { key } = (await ask<{ key: string }>('POST', '/api/token/', {
    name: 'own',
    unlimited_quota: true,
  })) ?? { key: '' }
  ownersKey = key
  keep('API key', key, (visitor, call) => visitor === 'owner' && call.includes('/api/token/'))
  keep('API key of root', (await operator.addKey()).key.slice('sk-'.length))
  const accessToken = contract.calls.find(({ path }) => path === '/api/user/token')
  if (accessToken === undefined) throw new Error('the document has no call that makes an access token')
  keep('access token', String(await ask(accessToken.method, '/api/user/token', { password })))
  await ask('PUT', '/api/user/setting', {
    notify_type: 'webhook',
    quota_warning_threshold: 1000,
    webhook_url: 'https://hooks.example.test/',
    webhook_secret: newSecret('webhook secret'),
  })
  await hideSecondFactor()
}

async function hideSecondFactor(): Promise<void> {
  const { secret } = (await ask<{ secret: string }>('POST', '/api/user/self/2fa/begin')) ?? { secret: '' }
  const code = new TOTP({ secret }).generate()
  const { recovery_codes } = (await ask<{ recovery_codes: string[] }>('POST', '/api/user/self/2fa/confirm', {
    code,
  })) ?? {
    recovery_codes: [],
  }
  keep('TOTP secret', secret)
  for (const each of recovery_codes) keep('recovery code', each)
}

function storedHash(id: number): string {
  return withDatabase(gateway.dataDir, (database) =>
    String(database.query('select password_hash from users where id = ?').values(id)[0]?.[0]),
  )
}

/** The first row of everything, so that there is something to be shown. */
const hint: Hint = (name, { type }) => (name === 'id' && type === 'integer' ? 1 : undefined)

function headersOf(visitor: Visitor): Readonly<Record<string, string>> {
  switch (visitor) {
    case 'anonymous':
      return {}
    case 'owner':
      return owner.headers
    case 'relay key':
      return { authorization: `Bearer sk-${ownersKey}` }
    default:
      return crowds[visitor]?.pop()?.headers ?? {}
  }
}

/** Everything that came back, but the headers that a session begins with. */
function completeReply({ text, headers }: Seen): string {
  return `${text}\n${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}`
}

/** Reading first, then what adds, then what takes away or ends a session. */
function inOrder(calls: readonly ConsoleCall[]): ConsoleCall[] {
  const turn = ({ changes, method, path }: ConsoleCall) =>
    !changes ? 0 : method === 'DELETE' || /logout|batch|disable|self/.test(path) ? 2 : 1
  return calls.toSorted((a, b) => turn(a) - turn(b))
}

describe('what is secret', () => {
  it('is in no response of any call, for any caller, except where its owner may read it', async () => {
    const finder = createSecretFinder(secrets)
    const findings = new Set<string>()
    for (const call of inOrder(contract.calls)) {
      for (const visitor of visitors) {
        const headers = headersOf(visitor)
        const seen = await send(gateway.url, call, argumentsOf(contract, call, hint), headers)
        for (const what of finder.find(completeReply(seen), visitor, call.name))
          findings.add(`${call.name} tells ${visitor} the ${what}`)
      }
    }
    expect([...findings]).toEqual([])
  })

  it('is in nothing that the program prints, however much it is asked to print', () => {
    const finder = createSecretFinder(secrets)
    expect(finder.find(gateway.logs(), 'log', '')).toEqual([])
    expect(gateway.logs().length).toBeGreaterThan(0)
  })

  it('is found under every coat, so that the walk above is one', () => {
    const value = 'hidden+thing/0123456789'
    const { find } = createSecretFinder([{ what: 'thing', value }])
    const wraps = [
      (text: string) => text,
      (text: string) => JSON.stringify({ text }),
      encodeURIComponent,
      (text: string) => Buffer.from(text).toString('hex'),
      (text: string) => Buffer.from(`a${text}b`).toString('base64'),
      (text: string) => Buffer.from(`ab${text}cd`).toString('base64'),
      (text: string) => Buffer.from(`abc${text}`).toString('base64'),
    ]
    expect(wraps.map((wrap) => find(wrap(value), 'anybody', ''))).toEqual(wraps.map(() => ['thing']))
    expect(find('hidden+thing/0', 'anybody', '')).toEqual([])
  })
})
