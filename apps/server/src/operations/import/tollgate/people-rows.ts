import { tokenResource, type UserFields, userResource } from '@tollgate/api'
import { digestIn } from '../../../accounts/tokens/hashed-key.ts'
import { parseUserSetting } from '../../../accounts/users/user-setting.ts'
import { secondFactorTable } from '../../../store/accounts/second-factors.ts'
import { tokenAccountTable, tokenTable } from '../../../store/accounts/tokens.ts'
import { type PlainUserFields, userAccountTable, userTable } from '../../../store/accounts/users.ts'
import { sealContexts } from '../../../store/installation/sealed-places.ts'
import type { Row } from '../../../store/program.ts'
import type {
  Note,
  PlainTokenFields,
  SourceFactor,
  SourceRow,
  SourceToken,
  SourceUser,
} from '../import-source.ts'
import { idOf, left, readable } from './read-row.ts'
import type { SourceDatabase } from './source-database.ts'

const users = userTable.join(userAccountTable)
const tokens = tokenTable.join(tokenAccountTable)

/** Rows of an account in other tables, by its id there. */
export interface AccountParts {
  /** Taken in advance for work that is under way. */
  readonly held: ReadonlyMap<number, number>
  readonly factors: ReadonlyMap<number, Row>
  readonly gifts: ReadonlyMap<number, Row>
}

/** An account, with what is taken from it in advance as if it were free. */
export function readUser(row: Row, database: SourceDatabase, parts: AccountParts): SourceRow<SourceUser> {
  return readable(row, users, (user) => {
    if (user.deletedAt !== null) return left('it is deleted there', user.username)
    const changes: Note[] = []
    const note = (reason: string) => changes.push({ reason, example: user.username })
    const secondFactor = factorOf(user.id, database, parts, note)
    const gift = parts.gifts.get(user.id)
    return {
      changes,
      value: {
        ...user,
        isBanned: user.status === 'banned',
        inviter: idOf(user.inviterId),
        ...settingOf(user, database, note),
        fields: plainFieldsOf(user),
        quota: user.quota + (parts.held.get(user.id) ?? 0),
        ...(secondFactor !== undefined && { secondFactor }),
        ...(gift !== undefined && {
          heldGift: {
            inviter: idOf(Number(gift['inviter_id'])),
            quota: Number(gift['quota']),
            createdAt: Number(gift['created_at']),
          },
        }),
      },
    }
  })
}

type Noting = (reason: string) => void

function factorOf(
  userId: number,
  database: SourceDatabase,
  { factors }: AccountParts,
  note: Noting,
): SourceFactor | undefined {
  const row = factors.get(userId)
  if (row === undefined) return undefined
  const factor = secondFactorTable.read(row)
  const secret = database.opened(factor.secretSealed, sealContexts.secondFactor(userId))
  if (secret === undefined) note('the second factor does not open with the secret: its owner sets it up anew')
  return secret === undefined ? undefined : { ...factor, secret }
}

/** The settings of a person without their sealed secret, which is apart. */
function settingOf(
  { id, setting }: { readonly id: number; readonly setting: string },
  database: SourceDatabase,
  note: Noting,
): Pick<SourceUser, 'setting' | 'webhookSecret'> {
  const { webhook_secret_sealed: sealed, ...rest } = parseUserSetting(setting)
  const text = Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)
  if (typeof sealed !== 'string' || sealed === '') return { setting: text, webhookSecret: '' }
  const webhookSecret = database.opened(sealed, sealContexts.webhookSecret(id))
  if (webhookSecret === undefined) note('the secret of the webhook does not open with the secret')
  return { setting: text, webhookSecret: webhookSecret ?? '' }
}

/** A key, with what is taken from its budget in advance as if it were free. */
export function readToken(
  row: Row,
  database: SourceDatabase,
  held: ReadonlyMap<number, number>,
): SourceRow<SourceToken> {
  return readable(row, tokens, (token) => {
    if (token.deletedAt !== null) return left('it is deleted there', token.name)
    const digest = digestIn(token.keyHash)
    const text = database.opened(token.keySealed, sealContexts.tokenKey(token.keyHash))
    if (digest === undefined && !text) return left('its key does not open with the secret', token.name)
    return {
      changes: [],
      value: {
        ...token,
        owner: String(token.userId),
        key: text ? { text } : { digest: digest ?? '', tail: token.keyTail },
        isUnlimited: token.unlimitedQuota,
        remainQuota: token.remainQuota + (held.get(token.id) ?? 0),
        models: token.modelLimitsEnabled ? token.modelLimits : null,
        unusedModels: token.modelLimits,
        fields: tokenFieldsOf(token),
      },
    }
  })
}

function plainFieldsOf(user: UserFields): PlainUserFields {
  const {
    username: _username,
    displayName: _displayName,
    group: _group,
    ...fields
  } = userResource.writableOf(user)
  return fields
}

function tokenFieldsOf(token: Parameters<typeof tokenResource.writableOf>[0]): PlainTokenFields {
  const {
    name: _name,
    group: _group,
    remainQuota: _remainQuota,
    unlimitedQuota: _unlimitedQuota,
    expiresAt: _expiresAt,
    modelLimitsEnabled: _modelLimitsEnabled,
    modelLimits: _modelLimits,
    allowIps: _allowIps,
    ...fields
  } = tokenResource.writableOf(token)
  return fields
}
