import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { roles, userStatuses } from '../../../packages/api/src/roles.ts'
import type { Envelope } from '../operator.ts'
import type { Tollgate } from '../server.ts'

/** Somebody with an account, logged in as a browser is. */
export interface Person {
  readonly id: number
  readonly username: string
  /** Of the session. */
  readonly headers: Readonly<Record<string, string>>
}

export const password = 'a-long-password-of-a-walk'

type RoleName = keyof typeof roles

/** Puts people straight into the SQLite database of a gateway whose root is set up. */
export function createPeople(gateway: Pick<Tollgate, 'url' | 'dataDir'>) {
  let made = 0
  // The cheapest hash that the gateway reads: it is checked at every login of a walk.
  const passwordHash = Bun.password.hashSync(password, { algorithm: 'bcrypt', cost: 4 })

  function add(role: RoleName, count: number): { id: number; username: string }[] {
    return withDatabase(gateway.dataDir, (database) => {
      const addAll = database.transaction(() =>
        Array.from({ length: count }, () => {
          const username = `walker-${role}-${++made}`
          return { id: addAccount(database, { username, role, passwordHash }), username }
        }),
      )
      return addAll.immediate()
    })
  }

  /** Several people with a balance each, logged in. */
  async function crowd(role: RoleName, count: number): Promise<Person[]> {
    const people: Person[] = []
    for (const account of add(role, count))
      people.push({ ...account, headers: await login(gateway.url, account.username) })
    return people
  }

  return {
    crowd,
    async loggedIn(role: RoleName): Promise<Person> {
      const [person] = await crowd(role, 1)
      if (person === undefined) throw new Error('nobody was added')
      return person
    },
    /** From the next start of the gateway on; until then it may remember them otherwise. */
    ban(people: readonly Pick<Person, 'id'>[]): void {
      withDatabase(gateway.dataDir, (database) => {
        const ban = database.prepare('update users set status = ? where id = ?')
        for (const { id } of people) ban.run(userStatuses.banned, id)
      })
    },
  }
}

/** Headers of a fresh session. */
async function login(url: string, username: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/api/user/login`, {
    method: 'POST',
    body: JSON.stringify({ username, password }),
  })
  const { success, message, data } = (await answer.json()) as Envelope<{ id: number }>
  if (!success) throw new Error(`${username} cannot log in: ${message}`)
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  return { cookie, 'new-api-user': String(data.id) }
}

/** A row like the first user's, whatever columns there are, with an account and its first entry. */
function addAccount(
  database: Database,
  { username, role, passwordHash }: { username: string; role: RoleName; passwordHash: string },
): number {
  const id = insertLike(database, 'users', 'id = 1', {
    id: null,
    username,
    display_name: username,
    password_hash: passwordHash,
    role: roles[role],
    status: userStatuses.enabled,
    aff_code: username,
    ...Object.fromEntries(identities.map((column) => [column, ''])),
  })
  database.run('insert into user_accounts (id, quota) values (?, ?)', [id, startQuota])
  insertLike(database, 'ledger_entries', "account_kind = 'user'", {
    id: null,
    account_id: id,
    cause: 'initial',
    amount: startQuota,
    actor_id: id,
  })
  return id
}

const startQuota = 1_000_000
/** What belongs to one user alone. */
const identities = [
  'email',
  'github_id',
  'oidc_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
  'access_token_hash',
]

/** Copies a row with some of its columns changed; answers the new row's id. */
function insertLike(
  database: Database,
  table: string,
  where: string,
  changed: Readonly<Record<string, string | number | null>>,
): number {
  const columns = (database.query(`pragma table_info(${table})`).all() as { name: string }[]).map(
    ({ name }) => name,
  )
  const selected = columns.map((name) => (Object.hasOwn(changed, name) ? '?' : `"${name}"`))
  const values = columns.filter((name) => Object.hasOwn(changed, name)).map((name) => changed[name] ?? null)
  const { lastInsertRowid } = database.run(
    `insert into ${table} (${columns.map((name) => `"${name}"`).join()})
      select ${selected.join()} from ${table} where ${where} limit 1`,
    values,
  )
  return Number(lastInsertRowid)
}

/** The gateway's own SQLite file, while it runs. */
export function withDatabase<T>(dataDir: string, use: (database: Database) => T): T {
  const database = new Database(join(dataDir, 'tollgate.db'))
  try {
    database.run('pragma busy_timeout = 5000')
    return use(database)
  } finally {
    database.close()
  }
}
