import { type RateLimits, type Role, type UserFields, userRecord } from '@tollgate/api'
import { roles } from '@tollgate/api/roles'
import { sql } from 'kysely'
import type { Connection } from '../database.ts'
import { hasRow, idsOf } from '../queries.ts'
import { columnsOf } from '../schema/resource-columns.ts'
import {
  defineTable,
  type EntityOf,
  integer,
  optionalInteger,
  type RowOf,
  text,
  withDefault,
} from '../schema/table.ts'
import { storableText } from '../schema/text.ts'
import { createInvitationQueries } from './invitations.ts'
import type { UserFilter, UserPageRequest } from './user-listing.ts'
import { searchTextOf } from './user-listing.ts'
import { type CredentialState, raiseCredentialsVersion, VerifiedAccount } from './verified-account.ts'

export const userTable = defineTable('users', {
  ...columnsOf(userRecord.omit({ quota: true, usedQuota: true, requestCount: true, lastLoginAt: true })),
  /** Written with each session. */
  lastLoginAt: withDefault(integer()),
  /** argon2id (or imported bcrypt) hash; empty for people who only sign in elsewhere. */
  passwordHash: text(),
  /** Issuer of `oidcId`; an address of the provider for accounts from before issuers were stored. */
  oidcIssuer: text(),
  /** Hash of the access token without a name, while programs from before `access_tokens` may run; nothing else reads it. */
  accessTokenHash: text(),
  deletedAt: optionalInteger(),
  /** Rises with every change of what opens the account. */
  credentialsVersion: withDefault(integer()),
  /** Parts of an administrator, as `writtenParts` has them; empty: those of a new one. */
  adminParts: withDefault(text()),
  /** Time when nothing personal was left of a deleted account; null before. */
  erasedAt: optionalInteger(),
})

/** The counters of a user, in a narrow table: a row that is written is a page that is written. */
export const userAccountTable = defineTable('user_accounts', {
  id: integer(),
  quota: withDefault(integer()),
  usedQuota: withDefault(integer()),
  requestCount: withDefault(integer()),
})

const users = userTable.join(userAccountTable)
/** A user: a login, with quota to spend. */
export type User = EntityOf<typeof users>

/** Filter of a page of users. */
export interface UserPageFilter extends Omit<UserFilter, 'columns'> {
  readonly fields?: Partial<EntityOf<typeof userTable>>
}

/** A new user, with defaults for every field that is not given. */
export type NewUser = Omit<
  User,
  | 'id'
  | 'usedQuota'
  | 'requestCount'
  | 'quota'
  | 'lastLoginAt'
  | 'deletedAt'
  | 'credentialsVersion'
  | 'adminParts'
  | 'erasedAt'
  | keyof PlainUserFields
> &
  Partial<PlainUserFields>

/** Fields of an account that administrators write, without those that name it and decide who pays what for its calls. */
export type PlainUserFields = Omit<UserFields, 'username' | 'displayName' | 'group'>

/** Fields that identify one user. An OIDC subject is not among them, because it identifies only together with its issuer. */
export type Identity = 'email' | 'githubId' | 'wechatId' | 'telegramId' | 'linuxDoId' | 'affCode'

const columns = {
  email: 'email',
  githubId: 'github_id',
  wechatId: 'wechat_id',
  telegramId: 'telegram_id',
  linuxDoId: 'linux_do_id',
  affCode: 'aff_code',
} as const satisfies Record<Identity, string>

/** Fields that open an account, or close it: a change of one ends the log-ins in flight. */
const openingFields = [
  'passwordHash',
  'status',
  'deletedAt',
  'email',
  'githubId',
  'oidcId',
  'wechatId',
  'telegramId',
  'linuxDoId',
] as const satisfies readonly (keyof User)[]

/** Fields that a search covers. */
const searched = ['username', 'email', 'displayName'] as const satisfies readonly (keyof User)[]

/** The names that a search covers, as they are stored. */
function namesOf({ username, displayName, email }: NewUser) {
  return {
    username: storableText(username),
    display_name: storableText(displayName),
    email: storableText(email),
  }
}

export function createUserRepository(connection: Connection) {
  const { db, dialect, read, transaction } = connection
  const lookups = createUserLookups(connection)
  const { find } = lookups
  return {
    ...lookups,
    ...createInvitationQueries(connection),
    /** Quota starts at 0; the ledger alone credits it. Throws `DuplicateError` for a taken username. */
    create: (user: NewUser): Promise<User> =>
      transaction(async ({ db: tx }) => {
        const row = userTable.insertion(user)
        const values = { ...row, search_text: searchTextOf(namesOf(user)) }
        const created = await tx.insertInto('users').values(values).returningAll().executeTakeFirstOrThrow()
        const opened = tx.insertInto('user_accounts').values({ id: created.id }).returningAll()
        return users.read({ ...created, ...(await opened.executeTakeFirstOrThrow()) })
      }),
    /** Finds a user as `find` does, and locks them against other changes until the transaction ends. */
    async lock(id: number): Promise<User | undefined> {
      await sql`select id from users where id = ${id} ${sql.raw(dialect.lockRow)}`.execute(db)
      return find(id)
    },
    /** Lists users as `listByIds` does, and locks them, by their ids, against other changes until the transaction ends. */
    async lockByIds(ids: readonly number[]): Promise<ReadonlyMap<number, User>> {
      const locked = db.selectFrom('users').select('id').where(dialect.isOneOf('id', ids)).orderBy('id')
      await locked.modifyEnd(sql.raw(dialect.lockRow)).execute()
      return lookups.listByIds(ids)
    },
    /** The account while its credentials are in this state, locked until the transaction ends. */
    lockVerified: (state: CredentialState): Promise<VerifiedAccount | undefined> =>
      VerifiedAccount.lock(connection, state),
    /** Stores the same password under another hash, which ends nothing. */
    async rehashPassword(account: VerifiedAccount, passwordHash: string): Promise<void> {
      const row = userTable.change({ passwordHash })
      // A trigger takes a new hash by an older program for a new password, which ends access tokens.
      if (dialect.kind === 'postgres')
        await sql`select set_config('tollgate.same_password', 'true', true)`.execute(db)
      await db.updateTable('users').set(row).where('id', '=', account.idIn(db)).execute()
    },
    /** Ends the log-ins and proofs in flight of these users. */
    raiseCredentialsVersion: (ids: readonly number[]): Promise<void> =>
      raiseCredentialsVersion(connection, ids),
    /** A page of the filtered users, deleted ones included unless filtered, with the exact total. Reads beside the writer. */
    page: async (
      { fields, ...filter }: UserPageFilter,
      page: UserPageRequest & { readonly sort: keyof User },
    ): Promise<{ rows: User[]; total: number }> => {
      const columns = fields && userTable.filter(fields)
      const { rows, total } = await read('readUserPage', { ...filter, columns }, page, dialect.indexHint)
      return { rows: rows.map(users.read), total }
    },
    async update(
      id: number,
      change: Partial<Omit<User, 'id' | 'quota' | 'usedQuota' | 'requestCount' | 'credentialsVersion'>>,
    ): Promise<User | undefined> {
      const row = rowOf(change)
      const isFound = searched.some((field) => change[field] !== undefined)
      if (isFound) await transaction(({ db: tx }) => rename(tx, id, row))
      else if (Object.keys(row).length > 0)
        await db.updateTable('users').set(row).where('id', '=', id).execute()
      return await find(id)
    },
    /** Changes those of these users who are not deleted and rank below `rank`; returns their ids. */
    async updateBelow(
      ids: readonly number[],
      rank: Role,
      change: Partial<
        Pick<User, 'role' | 'status' | 'deletedAt' | 'adminParts' | 'group' | keyof RateLimits>
      >,
    ): Promise<ReadonlySet<number>> {
      const changed = db
        .updateTable('users')
        .set(rowOf(change))
        .where(dialect.isOneOf('users.id', ids))
        .where('role', '<', roles[rank])
        .where('deleted_at', 'is', null)
        .returning('id')
      return new Set(await idsOf(changed))
    },
  }
}

/** An imported chain may be a circle. */
const maxChainSteps = 10_000

/** Finds users by what identifies them. */
function createUserLookups({ db, dialect }: Connection) {
  const all = () =>
    db.selectFrom('users').innerJoin('user_accounts', 'user_accounts.id', 'users.id').selectAll()
  const live = () => all().where('deleted_at', 'is', null)

  async function find(id: number): Promise<User | undefined> {
    return users.first(all().where('users.id', '=', id))
  }

  const byEmail = (email: string) =>
    all()
      .where('email', '<>', '')
      .where(sql`lower(email)`, '=', sql`lower(${storableText(email)})`)

  /** Finds at most one, by a unique index. */
  async function findByEmail(email: string): Promise<User | undefined> {
    return users.first(byEmail(email).where('deleted_at', 'is', null))
  }

  return {
    /** Deleted ones included. */
    find,
    /** The same for many, by id. */
    async listByIds(ids: readonly number[]): Promise<ReadonlyMap<number, User>> {
      return users.byId(all().where(dialect.isOneOf('users.id', ids)))
    },
    /** Finds a user by username, else by an e-mail address that one user alone has; not deleted. */
    async findByLogin(login: string): Promise<User | undefined> {
      const name = storableText(login)
      return (await users.first(live().where('username', '=', name))) ?? findByEmail(name)
    },
    /**
     * Finds deleted users too, whose identities stay theirs. Ignores the case of an address; never finds an empty
     * value.
     */
    async findByIdentity(identity: Identity, value: string): Promise<User | undefined> {
      if (value === '') return undefined
      const known =
        identity === 'email' ? byEmail(value) : all().where(columns[identity], '=', storableText(value))
      // In the form of the partial index, so that every plan of the statement uses it.
      return users.first(known.where(sql<boolean>`${sql.ref(columns[identity])} <> ''`))
    },
    /** The same by an OIDC subject; of several issuers the first that knows the subject counts. */
    async findByOidcSubject(subject: string, issuers: readonly string[]): Promise<User | undefined> {
      if (subject === '') return undefined
      const known = all().where('oidc_id', '=', storableText(subject)).where('oidc_id', '<>', '')
      const rows = await known.where(dialect.isOneOf('oidc_issuer', issuers.map(storableText))).execute()
      const rank = ({ oidc_issuer }: { readonly oidc_issuer: string }) => issuers.indexOf(oidc_issuer)
      const [first] = rows.toSorted((a, b) => rank(a) - rank(b))
      return first && users.read(first)
    },
    /**
     * The account at the start of a user's invitation chain: the inviter of the inviter, and so on, up to somebody without an inviter or
     * whom root invited. Deleted ones included.
     */
    async chainStart(id: number): Promise<number | undefined> {
      const climbed = await sql<{ id: number }>`
        with recursive chain (id, inviter_id, steps) as (
          select id, inviter_id, 0 from users where id = ${id}
          union all
          select users.id, users.inviter_id, steps + 1 from chain join users on users.id = chain.inviter_id
            where users.role < ${roles.root} and steps < ${maxChainSteps}
        ) select id from chain order by steps desc limit 1`.execute(db)
      return climbed.rows[0]?.id
    },
    /** Not deleted; root is none of them. */
    listAdministrators: (): Promise<User[]> =>
      users.all(live().where('role', '=', roles.admin).orderBy('users.id')),
    /** Accounts of administrators and above, deleted ones included, whose names people remember. */
    async listPrivileged(): Promise<readonly Pick<User, 'id' | 'username'>[]> {
      // In the form of the partial index, so that every plan of the statement uses it.
      const isPrivileged = sql<boolean>`role >= ${sql.lit(roles.admin)}`
      return await db.selectFrom('users').select(['id', 'username']).where(isPrivileged).execute()
    },
    /** Not deleted. */
    async rootExists(): Promise<boolean> {
      const roots = db.selectFrom('users').select('id').where('role', '=', roles.root).limit(1)
      return hasRow(roots)
    },
    /** The super admin with the least id; not deleted. */
    async findFirstRoot(): Promise<User | undefined> {
      const byRank = live().where('role', '=', roles.root).orderBy('users.id')
      return users.first(byRank.limit(1))
    },
    /** Ids of users with that exact name, deleted ones included. */
    async idsByUsername(username: string): Promise<number[]> {
      const named = db.selectFrom('users').select('id').where('username', '=', storableText(username))
      return await idsOf(named)
    },
  }
}

/** The columns of a change, with the version where it changes what opens the account. */
function rowOf(change: Partial<User>) {
  const row = userTable.change(change)
  const opening: Readonly<Record<string, unknown>> = userTable.pick(openingFields).change(change)
  const isChanged = Object.entries(opening).map(
    ([column, value]) => sql<boolean>`${sql.ref(column)} is distinct from ${value}`,
  )
  if (isChanged.length === 0) return row
  const raised = sql<number>`credentials_version + case when ${sql.join(isChanged, sql` or `)} then 1 else 0 end`
  return { ...row, credentials_version: raised }
}

/** Changes a user in two statements: the first locks the row, so the second neither waits nor races. */
async function rename(db: Connection['db'], id: number, row: ReturnType<typeof rowOf>): Promise<void> {
  const renamed = await db
    .updateTable('users')
    .set(row)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (renamed === undefined) return
  await db
    .updateTable('users')
    .set({ search_text: searchTextOf(renamed) })
    .where('id', '=', id)
    .execute()
}

declare module '../schema/tables.ts' {
  interface Tables {
    users: RowOf<typeof userTable> & { search_text: string }
    user_accounts: RowOf<typeof userAccountTable>
  }
}

export type UserRepository = ReturnType<typeof createUserRepository>
