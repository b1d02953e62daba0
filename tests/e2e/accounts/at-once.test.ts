import { afterAll, beforeAll, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { SQL } from 'bun'
import { refusalTexts } from '../../../packages/api/src/index.ts'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { type Envelope, logIn, type Operator, operate } from '../../support/operator.ts'
import {
  countedOtherwise,
  isCreated,
  limitedKinds,
  maxUserTokens,
  refusalOf,
  siteAddress,
} from '../../support/owned-rows.ts'
import { hasPostgres, type Postgres, startPostgres } from '../../support/postgres.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(60_000))

const oldPassword = 'the old password'
const newPassword = 'the new password'
let accounts = 0

/** Checks what two of one user do at the same moment, at whatever node. */
function atOnce(start: () => Promise<readonly Tollgate[]>, databaseUrl: () => string | undefined): void {
  let nodes: readonly Tollgate[]
  let root: Operator

  beforeAll(async () => {
    nodes = await start()
    root = await operate(nodes[0]?.url ?? '')
    for (const [key, value] of [
      ['ServerAddress', siteAddress],
      ['PayAddress', 'http://127.0.0.1:9'],
      ['EpayId', '1'],
      ['EpayKey', 'key'],
    ] as const)
      await root.option(key, value)
  })
  afterAll(async () => {
    for (const node of nodes ?? []) await node.stop()
  })

  const urlOf = (turn: number) => nodes[turn % nodes.length]?.url ?? ''
  const times = <Result>(count: number, run: (turn: number) => Promise<Result>) =>
    Promise.all(Array.from({ length: count }, (_, turn) => run(turn)))

  async function newAccount(isAdministrator = false): Promise<Operator & { readonly username: string }> {
    accounts += 1
    const username = `ann${accounts}`
    const { id } = await root.api<{ id: number }>('POST', '/api/user/', { username, password: oldPassword })
    if (isAdministrator) await manage(id, 'promote')
    return { ...(await logIn(urlOf(0), { username, password: oldPassword })), username }
  }
  const tryLogIn = (turn: number, username: string, password: string) =>
    logIn(urlOf(turn), { username, password }).catch(() => undefined)
  const isIn = async (session: Operator | undefined) =>
    session !== undefined && (await session.call('GET', '/api/user/self')).success
  const manage = (id: number, action: string) => root.api('POST', '/api/user/manage', { id, action })

  it.each(Object.keys(limitedKinds) as (keyof typeof limitedKinds)[])(
    'leaves a user with no more than the limit: %s',
    async (kind) => {
      const { max, ready, count, isOfAdministrators } = limitedKinds[kind]
      const owner = await newAccount(isOfAdministrators)
      const creates = await times(max - 1 + 12, () => ready(owner))
      const run = (from: number, to?: number) =>
        Promise.all(creates.slice(from, to).map((create, turn) => create(owner.at(urlOf(turn)))))
      // A hundred at once wait for one lock, on a busy machine for longer than the server lets a statement wait.
      for (let from = 0; from < max - 1; from += 12)
        expect((await run(from, Math.min(from + 12, max - 1))).every(isCreated)).toBe(true)
      const replies = await run(max - 1)
      expect(replies.filter(isCreated)).toHaveLength(1)
      const refused = replies.filter((reply) => !isCreated(reply))
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set([refusalOf(kind)]))
      expect(await count(owner)).toBe(max)
    },
  )

  it('leaves one system token, and it is one that was returned', async () => {
    const owner = await newAccount()
    const replies = await times(24, (turn) => owner.at(urlOf(turn)).call<string>('POST', '/api/user/token'))
    expect(await limitedKinds.accessToken.count(owner)).toBe(1)
    const working = await Promise.all(replies.map(({ data }) => opens(urlOf(0), owner.userId, data)))
    expect(working.filter(Boolean)).toHaveLength(1)
  })

  it('lets one of ten changes with the same old password succeed, and that one works', async () => {
    const owner = await newAccount()
    const replies = await times(10, (turn) =>
      owner.at(urlOf(turn)).call('PUT', '/api/user/self', {
        password: `${newPassword} ${turn}`,
        original_password: oldPassword,
      }),
    )
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    const open = await times(10, (turn) => tryLogIn(turn, owner.username, `${newPassword} ${turn}`))
    expect(open.map((session) => session !== undefined)).toEqual(replies.map(({ success }) => success))
    expect(await tryLogIn(0, owner.username, oldPassword)).toBeUndefined()
  })

  it('opens no session by a password that is replaced meanwhile', async () => {
    const owner = await newAccount()
    const inFlight = times(24, (turn) => tryLogIn(turn, owner.username, oldPassword))
    const body = { password: newPassword, original_password: oldPassword }
    expect((await owner.at(urlOf(1)).call('PUT', '/api/user/self', body)).success).toBe(true)
    const alive = await Promise.all((await inFlight).map(isIn))
    expect(alive.filter(Boolean)).toHaveLength(0)
    expect(await isIn(owner)).toBe(true)
  })

  it('opens no account by a system token that is made meanwhile', async () => {
    const owner = await newAccount()
    const thief = await logIn(urlOf(0), { username: owner.username, password: oldPassword })
    const tokens: Promise<Envelope<string>>[] = []
    let isOver = false
    const makeTokens = times(4, async (turn) => {
      while (!isOver) {
        const made = thief.at(urlOf(turn)).call<string>('POST', '/api/user/token')
        tokens.push(made)
        if (!(await made).success) return
      }
    })
    const body = { password: newPassword, original_password: oldPassword }
    expect((await owner.at(urlOf(1)).call('PUT', '/api/user/self', body)).success).toBe(true)
    isOver = true
    await makeTokens
    const last = (await Promise.all(tokens)).filter(({ success }) => success).slice(-20)
    expect(last.length).toBeGreaterThan(0)
    const working = await Promise.all(last.map(({ data }) => opens(urlOf(1), owner.userId, data)))
    expect(working.filter(Boolean)).toHaveLength(0)
    expect(await limitedKinds.accessToken.count(owner)).toBe(0)
  })

  it('opens no session that works after a ban during which it was opened', async () => {
    const owner = await newAccount()
    const inFlight = times(24, (turn) => tryLogIn(turn, owner.username, oldPassword))
    await manage(owner.userId, 'disable')
    const sessions = await inFlight
    await manage(owner.userId, 'enable')
    const alive = await Promise.all([...sessions, owner].map(isIn))
    expect(alive.filter(Boolean)).toHaveLength(0)
    expect(await isIn(await tryLogIn(1, owner.username, oldPassword))).toBe(true)
  })

  it('writes no hash of an imported account’s old password over the new one', async () => {
    const url = databaseUrl()
    // The other database cannot be written beside its gateway; a unit test walks this road on it.
    if (url === undefined) return
    const owner = await newAccount()
    const sql = new SQL(url)
    const imported = await Bun.password.hash(oldPassword, { algorithm: 'bcrypt', cost: 8 })
    await sql`update users set password_hash = ${imported} where username = ${owner.username}`
    await sql.end()
    const inFlight = times(8, (turn) => tryLogIn(turn, owner.username, oldPassword))
    await root.api('PUT', '/api/user/', { id: owner.userId, password: newPassword })
    await inFlight
    expect(await tryLogIn(0, owner.username, oldPassword)).toBeUndefined()
    expect(await isIn(await tryLogIn(1, owner.username, newPassword))).toBe(true)
  })
}

async function opens(url: string, userId: number, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}`, 'New-Api-User': String(userId) }
  const reply = await fetch(`${url}/api/user/self`, { headers })
  return ((await reply.json()) as Envelope<unknown>).success
}

const env = {
  TOLLGATE_SECRET: 'the secret of every node of this fleet',
  GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
  CRITICAL_RATE_LIMIT: '100000',
  MAX_USER_TOKENS: String(maxUserTokens),
}

describe('every refusal of too many', () => {
  it('is of a kind above, or says why two at once cannot pass it', () => {
    const counted = (Object.keys(limitedKinds) as (keyof typeof limitedKinds)[]).map(refusalOf)
    const refusals = Object.keys(refusalTexts).filter((code) => code.includes('too_many'))
    expect(refusals.toSorted()).toEqual([...counted, ...Object.keys(countedOtherwise)].toSorted())
  })
})

describe('two at once on SQLite', () => {
  atOnce(
    async () => [await startTollgate({ env })],
    () => undefined,
  )
})

describe.skipIf(!hasPostgres())('two at once on two nodes over PostgreSQL', () => {
  let postgres: Postgres
  let url: string | undefined
  beforeAll(async () => {
    postgres = await startPostgres()
    url = await postgres.createDatabase()
  })
  afterAll(() => postgres?.stop())

  atOnce(
    async () => {
      const shared = { ...env, DATABASE_URL: url ?? '' }
      const first = await startTollgate({ env: shared })
      return [first, await startTollgate({ env: shared })]
    },
    () => url,
  )
})
