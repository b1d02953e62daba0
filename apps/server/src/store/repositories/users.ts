import { roles, userStatuses } from '@tollgate/api/roles'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Connection } from '../database.ts'
import type { User } from '../entities.ts'
import type { Identity, UserRepository } from '../store.ts'
import type { UserAccountRow, UserRow } from '../tables.ts'
import { storableText } from '../text.ts'
import { searchTextOf } from '../user-search.ts'
import { type Fields, integer, named, optionalInteger, readEntity, text, writeColumns } from './fields.ts'

const fields: Fields<User> = {
  id: integer('id'),
  username: text('username'),
  displayName: text('display_name'),
  passwordHash: text('password_hash'),
  role: named('role', roles),
  status: named('status', userStatuses),
  group: text('group'),
  email: text('email'),
  githubId: text('github_id'),
  oidcId: text('oidc_id'),
  oidcIssuer: text('oidc_issuer'),
  wechatId: text('wechat_id'),
  telegramId: text('telegram_id'),
  linuxDoId: text('linux_do_id'),
  accessTokenHash: text('access_token_hash'),
  quota: integer('quota'),
  usedQuota: integer('used_quota'),
  requestCount: integer('request_count'),
  affCode: text('aff_code'),
  affCount: integer('aff_count'),
  affQuota: integer('aff_quota'),
  affHistoryQuota: integer('aff_history_quota'),
  inviterId: integer('inviter_id'),
  setting: text('setting'),
  requestsPerMinute: integer('requests_per_minute'),
  tokensPerMinute: integer('tokens_per_minute'),
  concurrency: integer('concurrency'),
  createdAt: integer('created_at'),
  deletedAt: optionalInteger('deleted_at'),
}

const columns = {
  email: 'email',
  githubId: 'github_id',
  wechatId: 'wechat_id',
  telegramId: 'telegram_id',
  linuxDoId: 'linux_do_id',
  affCode: 'aff_code',
} as const satisfies Record<Identity, keyof UserRow>

/** Fields that a search looks into. */
const searched = ['username', 'email', 'displayName'] as const satisfies readonly (keyof User)[]

export function createUserRepository({ db, dialect, read, transaction }: Connection): UserRepository {
  const all = () =>
    db.selectFrom('users').innerJoin('user_accounts', 'user_accounts.id', 'users.id').selectAll()
  const live = () => all().where('deleted_at', 'is', null)

  async function find(id: number): Promise<User | undefined> {
    return toUser(await all().where('users.id', '=', id).executeTakeFirst())
  }

  const byEmail = (email: string) =>
    all()
      .where('email', '<>', '')
      .where(sql`lower(email)`, '=', sql`lower(${storableText(email)})`)

  async function addInvited(inviterId: number, count: number, quota: number): Promise<boolean> {
    const invited = db
      .updateTable('users')
      .set({
        aff_count: sql`aff_count + ${count}`,
        aff_quota: sql`aff_quota + ${quota}`,
        aff_history_quota: sql`aff_history_quota + ${quota}`,
      })
      .where('id', '=', inviterId)
      .where('deleted_at', 'is', null)
      .returning('id')
    return (await invited.executeTakeFirst()) !== undefined
  }

  /** One at most, by a unique index. */
  async function findByEmail(email: string): Promise<User | undefined> {
    return toUser(await byEmail(email).where('deleted_at', 'is', null).executeTakeFirst())
  }

  return {
    create: (user) =>
      transaction(async ({ db: tx }) => {
        const row = writeColumns<User, Insertable<UserRow>>(fields, user)
        const values = { ...row, search_text: searchTextOf(row) }
        const created = await tx.insertInto('users').values(values).returningAll().executeTakeFirstOrThrow()
        const opened = tx.insertInto('user_accounts').values({ id: created.id }).returningAll()
        return readEntity(fields, { ...created, ...(await opened.executeTakeFirstOrThrow()) })
      }),
    find,
    async listByIds(ids) {
      const rows = await all().where(dialect.isOneOf('users.id', ids)).execute()
      return new Map(rows.map((row) => [row.id, readEntity(fields, row)]))
    },
    async findByLogin(login) {
      const name = storableText(login)
      return toUser(await live().where('username', '=', name).executeTakeFirst()) ?? (await findByEmail(name))
    },
    async findByIdentity(identity, value) {
      if (value === '') return undefined
      const known =
        identity === 'email' ? byEmail(value) : all().where(columns[identity], '=', storableText(value))
      // As the partial index has it, so that it is used however the statement is planned.
      return toUser(await known.where(sql<boolean>`${sql.ref(columns[identity])} <> ''`).executeTakeFirst())
    },
    async findByOidcSubject(subject, issuers) {
      if (subject === '') return undefined
      const known = all().where('oidc_id', '=', storableText(subject)).where('oidc_id', '<>', '')
      const rows = await known.where(dialect.isOneOf('oidc_issuer', issuers.map(storableText))).execute()
      const rank = ({ oidc_issuer }: { readonly oidc_issuer: string }) => issuers.indexOf(oidc_issuer)
      return toUser(rows.toSorted((a, b) => rank(a) - rank(b))[0])
    },
    async lock(id) {
      // Both databases know this lock: to write a row, whatever is written.
      await db.updateTable('users').set({ created_at: sql`created_at` }).where('id', '=', id).execute()
      return find(id)
    },
    async findByAccessTokenHash(hash) {
      return toUser(
        await live()
          .where('access_token_hash', '=', hash)
          .where('access_token_hash', '<>', '')
          .executeTakeFirst(),
      )
    },
    async rootExists() {
      const roots = db.selectFrom('users').select('id').where('role', '=', roles.root).limit(1)
      return (await roots.executeTakeFirst()) !== undefined
    },
    async findFirstRoot() {
      const byRank = live().where('role', '=', roles.root).orderBy('users.id')
      return toUser(await byRank.limit(1).executeTakeFirst())
    },
    page: async (filter, page) => {
      const { rows, total } = await read('readUserPage', filter, page, dialect.indexHint)
      return { rows: rows.map((row) => readEntity(fields, row)), total }
    },
    async update(id, change) {
      const row = writeColumns<User, Updateable<UserRow>>(fields, change)
      const isFound = searched.some((field) => change[field] !== undefined)
      if (isFound) await transaction(({ db: tx }) => rename(tx, id, row))
      else if (Object.keys(row).length > 0)
        await db.updateTable('users').set(row).where('id', '=', id).execute()
      return await find(id)
    },
    async updateBelow(ids, rank, change) {
      const changed = db
        .updateTable('users')
        .set(writeColumns<User, Updateable<UserRow>>(fields, change))
        .where(dialect.isOneOf('users.id', ids))
        .where('role', '<', roles[rank])
        .where('deleted_at', 'is', null)
        .returning('id')
      return new Set((await changed.execute()).map(({ id }) => id))
    },
    addInvitation: (inviterId, quota) => addInvited(inviterId, 1, quota),
    addInvitationQuota: (inviterId, quota) => addInvited(inviterId, 0, quota),
    async addPendingInviterBonus(inviteeId, { inviterId, quota }, at) {
      const share = { invitee_id: inviteeId, inviter_id: inviterId, quota, created_at: at }
      await db.insertInto('held_invitation_shares').values(share).execute()
    },
    async takePendingInviterBonus(inviteeId) {
      const taken = db.deleteFrom('held_invitation_shares').where('invitee_id', '=', inviteeId).returningAll()
      const share = await taken.executeTakeFirst()
      return share && { inviterId: share.inviter_id, quota: share.quota }
    },
    async takeInvitationQuota(id, quota) {
      const taken = db
        .updateTable('users')
        .set({ aff_quota: sql`aff_quota - ${quota}` })
        .where('id', '=', id)
        .where('aff_quota', '>=', quota)
        .where('deleted_at', 'is', null)
        .returning('id')
      return (await taken.executeTakeFirst()) !== undefined
    },
    async ensureInviteCode(id, code) {
      const ensured = db
        .updateTable('users')
        .set({ aff_code: sql`case when aff_code = '' then ${code} else aff_code end` })
        .where('id', '=', id)
        .returning('aff_code')
      return (await ensured.executeTakeFirst())?.aff_code
    },
    async idsByUsername(username) {
      const named = db.selectFrom('users').select('id').where('username', '=', storableText(username))
      return (await named.execute()).map((row) => row.id)
    },
  }
}

/** Its second statement waits for nobody, and nobody comes between: the first has locked the row. */
async function rename(db: Connection['db'], id: number, row: Updateable<UserRow>): Promise<void> {
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

function toUser(row: Selectable<UserRow & UserAccountRow> | undefined): User | undefined {
  return row && readEntity(fields, row)
}
