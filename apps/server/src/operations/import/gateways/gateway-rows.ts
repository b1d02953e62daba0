import {
  channelResource,
  channelStatuses,
  nameOf,
  notifyTypes,
  redemptionStatuses,
  type TokenSwitch,
  type TypeSwitch,
  tokenStatuses,
  topUpProviders,
  topUpStatuses,
} from '@tollgate/api'
import { decimalOf, multiply, roundToInteger } from '@tollgate/base/decimal'
import { z } from 'zod'
import { notificationMembers } from '../../../accounts/users/notification-setting.ts'
import { parseUserSetting, userSettingMembers } from '../../../accounts/users/user-setting.ts'
import type { ForeignRow } from '../../../store/engine/foreign/foreign-database.ts'
import { foreignFields } from '../declared-columns.ts'
import type {
  Note,
  SourceChannel,
  SourceCode,
  SourceKeyState,
  SourceOrder,
  SourceRow,
  SourceToken,
  SourceUser,
} from '../import-source.ts'
import { faultOf } from '../values.ts'
import { keyStatesOf, unplacedKeyInfo } from './channel-keys.ts'
import { settingOf as channelSettingOf } from './channel-settings.ts'
import { stripsDots, withoutDots } from './deployment-dots.ts'
import { membersOf, unplacedMembers } from './members.ts'
import { asNewApiChannel } from './one-api-channels.ts'
import {
  type ChannelRow,
  channelRow,
  plainTokenFields,
  plainUserFields,
  redemptionRow,
  tokenRow,
  topUpRow,
  userRow,
} from './tables.ts'

export type GatewayKind = 'one-api' | 'new-api'

type Read<Value> = { readonly value: Value; readonly changes: readonly Note[] } | { readonly leftOut: Note }

/** Reads a row by the schema of its table; what does not fit it is left out. */
function readRow<Row extends { readonly id: number }, Value>(
  schema: z.ZodType<Row>,
  foreign: ForeignRow,
  read: (row: Row) => Read<Value>,
): SourceRow<Value> {
  const parsed = schema.safeParse(foreign)
  if (parsed.success) return { id: String(parsed.data.id), ...read(parsed.data) }
  const id = String(foreign['id'])
  return { id, leftOut: { reason: 'it cannot be read', example: `${id}: ${faultOf(parsed.error)}` } }
}

const deleted = (example: string) => ({ leftOut: { reason: 'it is deleted there', example } })

const workingHash = /^\$(2[abxy]|argon2id)\$/
/** one-api marks a deleted user so. */
const deletedUserStatus = 3

export function readUser(foreign: ForeignRow): SourceRow<SourceUser> {
  return readRow(userRow, foreign, (row) => {
    if (row.deleted_at || row.status === deletedUserStatus) return deleted(row.username)
    return { changes: changesOf(row), value: userOf(row) }
  })
}

type UserRow = z.output<typeof userRow>

function changesOf(row: UserRow): readonly Note[] {
  const reasons = [
    row.password !== '' &&
      !workingHash.test(row.password) &&
      'the password is of a form that is not known here',
    row.access_token !== '' && 'the access token for the console is made anew',
    row.lark_id !== '' && 'the Lark account is not taken: there is no log-in with it here',
    ...unplacedSetting(row),
    ...plainUserFields(row).invalid.map((name) => `users.${name} is not valid here and is left out`),
  ]
  return reasons.flatMap((reason) => (reason === false ? [] : [{ reason, example: row.username }]))
}

const knownSetting: ReadonlySet<string> = new Set([...userSettingMembers, ...notificationMembers])

function unplacedSetting({ setting, email }: UserRow): readonly string[] {
  const members = parseUserSetting(setting)
  const { notify_type: way, notification_email: address = '' } = members
  const isKnown = notifyTypes.some((type) => type === way)
  return [
    ...unplacedMembers('users.setting', members, knownSetting),
    ...(way && !isKnown ? [`users.setting.notify_type is ${String(way)}: warnings come by mail here`] : []),
    ...(address !== '' && address !== email
      ? [
          'users.setting.notification_email is proven anew by its owner: warnings go to the address of the account',
        ]
      : []),
  ]
}

function userOf(row: UserRow): SourceUser {
  return {
    username: row.username,
    displayName: row.display_name,
    passwordHash: workingHash.test(row.password) ? row.password : '',
    role: row.role >= 100 ? 'root' : row.role >= 10 ? 'admin' : 'common',
    isBanned: row.status !== 1,
    group: row.group || 'default',
    email: row.email,
    githubId: row.github_id,
    oidcId: row.oidc_id,
    wechatId: row.wechat_id,
    telegramId: row.telegram_id,
    linuxDoId: row.linux_do_id,
    affCode: row.aff_code,
    affCount: row.aff_count,
    affQuota: row.aff_quota,
    affHistoryQuota: row.aff_history,
    inviter: idOf(row.inviter_id),
    ...settingOf(row.setting, row.email),
    createdAt: row.created_at,
    fields: plainUserFields(row).fields,
    quota: row.quota,
    usedQuota: row.used_quota,
    requestCount: row.request_count,
  }
}

/** 0 is nobody. */
function idOf(id: number): string {
  return id === 0 ? '' : String(id)
}

/** Reads a setting without its secret, and without an address for warnings that was not proven here. */
function settingOf(text: string, email: string): Pick<SourceUser, 'setting' | 'webhookSecret'> {
  const { webhook_secret, notification_email, ...rest } = parseUserSetting(text)
  const isOwn = notification_email === email && email !== ''
  const setting = { ...rest, ...(isOwn && { notification_email }) }
  return {
    setting: Object.keys(setting).length === 0 ? '' : JSON.stringify(setting),
    webhookSecret: typeof webhook_secret === 'string' ? webhook_secret : '',
  }
}

const keyPrefix = /^sk-/

export function readToken(foreign: ForeignRow): SourceRow<SourceToken> {
  return readRow(tokenRow, foreign, (row) => {
    if (row.deleted_at) return deleted(row.name)
    const key = row.key.replace(keyPrefix, '')
    if (!/^[\x21-\x7e]+$/.test(key))
      return { leftOut: { reason: 'it has no key that a program can send', example: row.name } }
    const reasons = [
      ...(row.group === autoGroup
        ? ['the group "auto" does not exist here: it has the group of its owner']
        : []),
      ...plainTokenFields(row).invalid.map((name) => `tokens.${name} is not valid here and is left out`),
    ]
    return { changes: reasons.map((reason) => ({ reason, example: row.name })), value: tokenOf(row, key) }
  })
}

const autoGroup = 'auto'

/** A key that expired or was used up there is switched on: its expiry and quota come along. */
function switchOf({ status }: z.output<typeof tokenRow>): TokenSwitch {
  const name = nameOf(tokenStatuses, status)
  return name === undefined || name === 'disabled' ? 'disabled' : 'enabled'
}

function tokenOf(row: z.output<typeof tokenRow>, key: string): SourceToken {
  return {
    owner: String(row.user_id),
    name: row.name,
    key: { text: key },
    status: switchOf(row),
    createdAt: row.created_time,
    accessedAt: row.accessed_time,
    expiresAt: row.expired_time > 0 ? row.expired_time : null,
    isUnlimited: row.unlimited_quota,
    remainQuota: row.remain_quota,
    usedQuota: row.used_quota,
    models: modelsOf(row),
    allowIps: (row.allow_ips || commaList(row.subnet).join('\n')).replaceAll('\r', ''),
    group: row.group === autoGroup ? '' : row.group,
    fields: plainTokenFields(row).fields,
  }
}

function modelsOf(row: z.output<typeof tokenRow>): readonly string[] | null {
  if (row.model_limits_enabled) return commaList(row.model_limits)
  return row.models === '' ? null : commaList(row.models)
}

function commaList(text: string): string[] {
  return text.split(',').flatMap((part) => part.trim() || [])
}

/** @param isOldProgram the program that wrote the database takes the dots out of the names of all deployments */
export function readChannel(
  foreign: ForeignRow,
  kind: GatewayKind,
  isOldProgram: boolean,
): SourceRow<SourceChannel> {
  return readRow(channelRow, foreign, (read) => {
    const row = kind === 'one-api' ? asNewApiChannel(read) : read
    if (typeof row === 'string')
      return { leftOut: { reason: 'its type is not known here', example: `${read.name}: ${row}` } }
    const name = row.name || `channel ${row.id}`
    const keyStates = keyStatesOf(row.key, row.channel_info)
    const { setting, changes } = channelSettingOf(row, name)
    const isDotless = stripsDots(row, kind === 'one-api' || isOldProgram)
    const allSettings = isDotless
      ? { ...setting, ['strip_deployment_dots' satisfies TypeSwitch]: true }
      : setting
    const mapping = mappingOf(row.model_mapping)
    return {
      changes: [...changes, ...channelNotes(row, name, keyStates, isDotless)],
      value: {
        type: row.type,
        name,
        ...(keyStates !== undefined && { keyStates }),
        ...statusReasonOf(row),
        keys: row.key,
        status: keyStates === undefined ? 'disabled' : (nameOf(channelStatuses, row.status) ?? 'disabled'),
        usedQuota: row.used_quota,
        createdAt: row.created_time,
        fields: fieldsOf(row, { setting: allSettings, mapping: isDotless ? withoutDots(mapping) : mapping }),
      },
    }
  })
}

function fieldsOf(
  row: ChannelRow,
  { setting, mapping }: { readonly setting: Readonly<Record<string, unknown>>; readonly mapping: string },
): SourceChannel['fields'] {
  const { type: _type, name: _name, status: _status, ...fields } = foreignFields(channelResource, row)
  return {
    ...fields,
    models: row.models,
    group: row.group,
    openai_organization: row.openai_organization || row.open_ai_organization,
    model_mapping: mapping,
    status_code_mapping: mappingOf(row.status_code_mapping),
    setting: Object.keys(setting).length === 0 ? '' : JSON.stringify(setting),
  }
}

function channelNotes(
  row: ChannelRow,
  name: string,
  keyStates: readonly SourceKeyState[] | undefined,
  isDotless: boolean,
): readonly Note[] {
  const reasons = [
    keyStates === undefined &&
      'disabled here until it is mended: channels.channel_info, which says what keys are off, cannot be read',
    keyStates !== undefined && keyStates.length > 0 && 'keys that are off there are off here',
    isDotless &&
      row.models.concat(row.model_mapping).includes('.') &&
      'deployments are called without dots, as there (strip_deployment_dots)',
    !['', '{}'].includes(row.header_override) && 'channels.header_override has no place here',
    ...unplacedKeyInfo(row.channel_info),
    ...unplacedMembers('channels.other_info', membersOf(row.other_info) ?? {}, knownOtherInfo),
  ]
  return reasons.flatMap((reason) => (reason === false ? [] : [{ reason, example: name }]))
}

const otherInfo = z.object({
  status_reason: z.string().catch(''),
  status_time: z.number().catch(0),
})

const knownOtherInfo: ReadonlySet<string> = new Set(Object.keys(otherInfo.shape))

/** The reason and the time that the gateway notes when it switches a channel off. */
function statusReasonOf({ other_info, status }: ChannelRow): Pick<SourceChannel, 'statusReason'> {
  if (status === 1 || other_info === '') return {}
  const { status_reason: reason, status_time: at } = otherInfo.parse(parseUserSetting(other_info))
  return reason === '' ? {} : { statusReason: { reason, at } }
}

/** Reads a mapping; an empty object is written where nothing is mapped. */
function mappingOf(text: string): string {
  return text === '{}' ? '' : text
}

export function readCode(foreign: ForeignRow, now: number): SourceRow<SourceCode> {
  return readRow(redemptionRow, foreign, (row) => {
    if (row.deleted_at) return deleted(`${row.id} ${row.name}`)
    const isExpired = row.expired_time > 0 && row.expired_time < now
    const status = nameOf(redemptionStatuses, row.status) ?? 'disabled'
    const example = `${row.id} ${row.name}`
    const changes: Note[] = []
    if (status === 'unused' && isExpired) changes.push({ reason: 'expired there: disabled here', example })
    else if (status === 'unused' && row.expired_time > 0)
      changes.push({ reason: 'codes do not expire here', example })
    return {
      changes,
      value: {
        creator: String(row.user_id),
        key: row.key,
        name: row.name,
        status: status === 'unused' && isExpired ? 'disabled' : status,
        quota: row.quota,
        createdAt: row.created_time,
        redeemedAt: row.redeemed_time,
        redeemer: idOf(row.used_user_id),
      },
    }
  })
}

/** Providers that older versions name as the method of the payment alone. */
const providersAsMethods: ReadonlySet<string> = new Set([
  'stripe',
  'creem',
  'waffo',
  'waffo_pancake',
  'balance',
])

function providerOf(row: z.output<typeof topUpRow>): string {
  return row.payment_provider || (providersAsMethods.has(row.payment_method) ? row.payment_method : 'epay')
}

/** @param quotaPerUnit of the source: a payment credits units of money there, but at Stripe what was paid */
export function readOrder(foreign: ForeignRow, quotaPerUnit: number): SourceRow<SourceOrder> {
  return readRow(topUpRow, foreign, (row) => {
    const named = providerOf(row)
    const provider = topUpProviders.find((each) => each === named)
    if (provider === undefined)
      return { leftOut: { reason: `payments by ${named} do not exist here`, example: row.trade_no } }
    const status = topUpStatuses.find((each) => each === row.status) ?? 'failed'
    const bought = provider === 'stripe' ? row.money : row.amount
    return {
      changes: [],
      value: {
        owner: String(row.user_id),
        tradeNo: row.trade_no,
        provider,
        method: row.payment_method,
        quota: roundToInteger(multiply(decimalOf(bought), decimalOf(quotaPerUnit)), 'half-away'),
        moneyMinor: roundToInteger(multiply(decimalOf(row.money), decimalOf(100)), 'half-away'),
        status,
        createdAt: row.create_time,
        completedAt: row.complete_time || row.create_time,
      },
    }
  })
}
