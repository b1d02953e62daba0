import type { Database } from 'bun:sqlite'
import { randomBytes } from 'node:crypto'
import { roles, userStatuses } from '../../../packages/api/src/roles.ts'
import { openBeside } from '../processes/open-beside.ts'
import type { Tollgate } from '../server.ts'

/** A person with an account and a browser's session. */
export interface Person {
  readonly id: number
  readonly username: string
  /** Headers of the session. */
  readonly headers: Readonly<Record<string, string>>
}

export const password = 'a-long-password-of-a-walk'

type RoleName = keyof typeof roles
type StatusName = keyof typeof userStatuses

/** Writes people and their sessions straight into the SQLite database of a gateway, which already has one session. */
export function createPeople(gateway: Pick<Tollgate, 'dataDir'>) {
  let made = 0
  // The cheapest hash that the gateway reads.
  const passwordHash = Bun.password.hashSync(password, { algorithm: 'bcrypt', cost: 4 })

  /** Several people with a balance each, logged in. */
  function crowd(role: RoleName, count: number, status: StatusName = 'enabled'): Person[] {
    return withDatabase(gateway.dataDir, (database) => {
      const addAll = database.transaction(() =>
        Array.from({ length: count }, (): Person => {
          const username = `walker-${role}-${++made}`
          const id = addAccount(database, { username, role, status, passwordHash })
          return {
            id,
            username,
            headers: { cookie: `session=${addSession(database, id)}`, 'new-api-user': String(id) },
          }
        }),
      )
      return addAll.immediate()
    })
  }

  return {
    crowd,
    loggedIn(role: RoleName): Person {
      const [person] = crowd(role, 1)
      if (person === undefined) throw new Error('nobody was added')
      return person
    },
  }
}

/** Creates a session as a login would; returns the session's id. */
function addSession(database: Database, userId: number): string {
  const id = randomBytes(32).toString('base64url')
  const hash = new Bun.CryptoHasher('sha256').update(id).digest('hex')
  insertLike(database, 'sessions', '1 = 1', { id_hash: hash, user_id: userId })
  return id
}

interface NewAccount {
  readonly username: string
  readonly role: RoleName
  readonly status: StatusName
  readonly passwordHash: string
}

/** A row like the first user's, whatever columns there are, with an account and its first entry. */
function addAccount(database: Database, { username, role, status, passwordHash }: NewAccount): number {
  const id = insertLike(database, 'users', 'id = 1', {
    id: null,
    username,
    display_name: username,
    password_hash: passwordHash,
    role: roles[role],
    status: userStatuses[status],
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
/** Fields that belong to one user alone. */
const identities = [
  'email',
  'github_id',
  'oidc_id',
  'wechat_id',
  'telegram_id',
  'linux_do_id',
  'access_token_hash',
]

/** Copies a row with some of its columns changed; returns the new row's id. */
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
  const database = openBeside(dataDir)
  try {
    return use(database)
  } finally {
    database.close()
  }
}
