import { casesOf, type Kind } from '../kind.ts'
import { addPerson, addSession, insert, type Row, type Sent } from '../world.ts'

interface User {
  readonly id: number
  readonly by: NonNullable<Sent['by']>
  /** Id of the other session than that of `by`. */
  readonly sessionId: string
  readonly accessTokenId: number
  readonly passkeyIds: readonly number[]
}

/** Tables that the end of an account changes. */
const account = ['users', 'sessions', 'access_tokens']
const invitationQuota = 500_000

/** A person with two sessions, a second factor, passkeys and a token for programs. */
export const users: Kind<User> = {
  rows: 'users',
  async create(world) {
    const { rows, fresh } = world
    const bound = { github_id: fresh('github'), email: `${fresh('mail')}@example.com` }
    const { id, headers } = await addPerson(world, { aff_quota: invitationQuota, ...bound })
    const other = await addSession(rows, id)
    const own = { user_id: id, created_at: 1 }
    const factor = { secret_sealed: 'sealed', last_step: 0 }
    await insert(rows, 'second_factors', { ...own, ...factor })
    const unused = { scope: 'full', expires_at: 0, last_used_at: 0 }
    const token = { ...own, name: 'old', hash: fresh('hash') }
    const accessTokenId = await insert(rows, 'access_tokens', { ...token, ...unused }, 'id')
    const passkey = { ...own, public_key: '', counter: 0, transports: '[]', name: 'old', last_used_at: 0 }
    const add = () => insert(rows, 'passkeys', { ...passkey, credential_id: fresh('credential') }, 'id')
    const sessionId = other.hash.slice(0, 16)
    return { id, by: headers, sessionId, accessTokenId, passkeyIds: [await add(), await add()] }
  },
  async read({ rows }, { id }) {
    const [user] = await rows.select(
      `select display_name, "group", role, status, setting, aff_quota, deleted_at, quota, github_id, email, requests_per_minute
        from users join user_accounts using (id) where users.id = ${id}`,
    )
    const owned = async (table: string, columns: string) =>
      rows.select(`select ${columns} from ${table} where user_id = ${id} order by 1`)
    const text = JSON.stringify([
      comparable(user),
      (await owned('sessions', 'user_id')).length,
      await owned('access_tokens', 'name, scope'),
      await owned('second_factors', 'secret_sealed'),
      await owned('passkeys', 'name'),
      (await owned('tokens', 'deleted_at')).length,
    ])
    return text.replace(/person-\d+/, 'person')
  },
  cases: [
    ...casesOf<User>('userAdmin.update', {
      'display name': ({ id }) => ({ body: { id, display_name: 'by root' } }),
      'quota and group': ({ id }) => ({ body: { id, quota_change: 5, group: 'vip' } }),
      limit: ({ id }) => ({ body: { id, requests_per_minute: 9 } }),
    }),
    ...casesOf<User>('userAdmin.manage', {
      promote: ({ id }) => ({ body: { id, action: 'promote' } }),
      disable: ({ id }) => ({ body: { id, action: 'disable' } }),
      enable: ({ id }) => ({ body: { id, action: 'enable' } }),
    }),
    ...casesOf<User>(
      'userAdmin.manageBatch',
      {
        disable: ({ id }) => ({ body: { ids: [id], action: 'disable' } }),
      },
      { touches: account },
    ),
    ...casesOf<User>('userAdmin.delete', { delete: ({ id }) => ({ params: { id } }) }, { touches: account }),
    ...casesOf<User>('accounts.updateSelf', {
      'display name': ({ by }) => ({ by, body: { display_name: 'by themselves' } }),
    }),
    ...casesOf<User>('accounts.deleteSelf', { delete: ({ by }) => ({ by }) }, { touches: account }),
    ...casesOf<User>('accounts.saveNotificationSetting', {
      threshold: ({ by }) => ({ by, body: { notify_type: 'email', quota_warning_threshold: 77 } }),
    }),
    ...casesOf<User>('accounts.confirmChatHost', {
      'one host': ({ by }) => ({ by, body: { host: 'https://one.example' } }),
      'another host': ({ by }) => ({ by, body: { host: 'https://two.example' } }),
    }),
    ...casesOf<User>('accounts.transferInvitationQuota', {
      transfer: ({ by }) => ({ by, body: { quota: invitationQuota } }),
    }),
    ...casesOf<User>(
      'accounts.createAccessToken',
      { replace: ({ by }) => ({ by }) },
      { touches: ['access_tokens'] },
    ),
    ...casesOf<User>(
      'accessTokens.create',
      { create: ({ by }) => ({ by, body: { name: 'new' } }) },
      { touches: ['access_tokens'] },
    ),
    ...casesOf<User>(
      'accessTokens.remove',
      {
        remove: ({ by, accessTokenId }) => ({ by, params: { id: accessTokenId } }),
      },
      { touches: ['access_tokens'] },
    ),
    ...casesOf<User>(
      'oauth.unbind',
      {
        'unbind GitHub': ({ by }) => ({ by, params: { provider: 'github' } }),
        'unbind the address': ({ by }) => ({ by, params: { provider: 'email' } }),
      },
      { touches: ['users', 'passkeys'] },
    ),
    ...casesOf<User>(
      'sessions.end',
      {
        'end another': ({ by, sessionId }) => ({ by, params: { id: sessionId } }),
      },
      { touches: ['sessions'] },
    ),
    ...casesOf<User>('sessions.endOthers', { 'end others': ({ by }) => ({ by }) }, { touches: ['sessions'] }),
    ...casesOf<User>(
      'secondFactor.reset',
      { reset: ({ id }) => ({ params: { id } }) },
      { touches: ['second_factors'] },
    ),
    ...casesOf<User>(
      'passkeys.rename',
      {
        rename: ({ by, passkeyIds: [id = 0] }) => ({ by, params: { id }, body: { name: 'renamed' } }),
      },
      { touches: ['passkeys'] },
    ),
    ...casesOf<User>(
      'passkeys.delete',
      {
        'delete one': ({ by, passkeyIds: [id = 0] }) => ({ by, params: { id } }),
        'delete the other': ({ by, passkeyIds: [, id = 0] }) => ({ by, params: { id } }),
      },
      { touches: ['passkeys'] },
    ),
    ...casesOf<User>(
      'tokens.create',
      { create: ({ by }) => ({ by, body: { name: 'key' } }) },
      { touches: ['tokens', 'sessions'] },
    ),
  ],
}

function comparable({ setting, deleted_at, github_id, email, ...user }: Row = {}): object {
  const isBound = [github_id, email].map((identity) => identity !== '')
  return { ...user, setting: sorted(setting), isDeleted: deleted_at !== null, isBound }
}

function sorted(setting: unknown): unknown {
  if (typeof setting !== 'string' || setting === '') return ''
  return Object.entries(JSON.parse(setting) as object)
    .map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value])
    .toSorted(([a], [b]) => String(a).localeCompare(String(b)))
}
