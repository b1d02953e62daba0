import {
  type ChannelReasonParams,
  channelReasonText,
  channelStatuses,
  isChannelReasonCode,
  nameOf,
} from '@tollgate/api'
import type { TFunction } from 'i18next'
import { currentLanguage } from '../../i18n/index.ts'

/** One value of a record: of which kind of target, of which one, in which field. */
export interface RecordValue {
  readonly targetKind: string
  readonly targetName: string
  readonly name: string
  readonly value: unknown
}

type Texts = TFunction<'audit'>

/**
 * Returns the meaning of a word, a switch or a wire number of a record, in the reader's language; `undefined` for a value that needs
 * none.
 */
export function labelForValue(record: RecordValue, t: Texts): string | undefined {
  if (record.targetKind === 'option') return optionMeaning(record, t)
  return serviceMeaning(record, t) ?? fieldMeaning(record, t)
}

/** Says why a channel or its keys are out of service, and when that is planned. */
function serviceMeaning({ name, value }: RecordValue, t: Texts): string | undefined {
  if (name === 'status_reason') return serviceReason(value, t)
  if (name === 'key_states') return keyStates(value, t)
  return (name === 'off_at' || name === 'on_at') && value === 0 ? t('value.notPlanned') : undefined
}

function fieldMeaning({ targetKind, name, value }: RecordValue, t: Texts): string | undefined {
  switch (name) {
    case 'role':
      return known(roleNames, value, (word) => t(`value.role.${word}`))
    case 'status': {
      const word =
        targetKind === 'channel' && typeof value === 'number' ? nameOf(channelStatuses, value) : value
      return known(statusNames, word, (status) => t(`value.status.${status}`))
    }
    case 'cause':
      return known(freezeCauses, value, (cause) => t(`value.cause.${cause}`))
    case 'auto_ban':
      return switchText(value, t)
    case 'password':
    case 'keys':
      return t('value.replaced')
  }
  return typeof value === 'boolean' ? t(value ? 'difference.yes' : 'difference.no') : undefined
}

/** Returns the reason of a channel's status as a sentence. */
function serviceReason(value: unknown, t: Texts): string | undefined {
  const { code, reason, params } = (value ?? {}) as Partial<ServiceReason>
  if (code === 'draining') return t('value.draining')
  return code !== undefined && isChannelReasonCode(code)
    ? channelReasonText({ code, params: params ?? {} }, currentLanguage())
    : reason
}

interface ServiceReason {
  readonly code: string
  readonly reason: string
  readonly params: ChannelReasonParams
}

/** Returns a line for each key, by the parts of it that people know. */
function keyStates(value: unknown, t: Texts): string {
  const states = Object.values((value ?? {}) as Readonly<Record<string, { key?: string; status?: string }>>)
  return states
    .map(({ key, status }) => `${key}: ${known(statusNames, status, (word) => t(`value.status.${word}`))}`)
    .join('\n')
}

function optionMeaning({ targetName, name, value }: RecordValue, t: Texts): string | undefined {
  if (name !== 'value') return undefined
  if (secretName.test(targetName)) return known(secretStates, value, (state) => t(`value.secret.${state}`))
  return value === 'true' || value === 'false' ? switchText(value === 'true', t) : undefined
}

function switchText(value: unknown, t: Texts): string {
  return t(value === true || value === 1 ? 'value.on' : 'value.off')
}

function known<Word extends string>(
  words: readonly Word[],
  value: unknown,
  say: (word: Word) => string,
): string | undefined {
  const word = words.find((one) => one === value)
  return word === undefined ? undefined : say(word)
}

const roleNames = ['common', 'admin', 'root'] as const
const freezeCauses = ['administrator', 'leak'] as const
const statusNames = [
  'enabled',
  'disabled',
  'auto-disabled',
  'banned',
  'unused',
  'used',
  'pending',
  'success',
  'expired',
  'failed',
] as const
const secretStates = ['set', 'not set', 'changed'] as const
/** Settings of which the log says only that there is one. */
const secretName = /(token|secret|key)$/i

const quotaSettings = [
  'QuotaForNewUser',
  'QuotaForInviter',
  'QuotaForInvitee',
  'QuotaRemindThreshold',
  'PreConsumedQuota',
]

const quotaFields = ['quota', 'credited']

/** The amount in quota units where a value is one. */
export function quotaIn({ targetKind, targetName, name, value }: RecordValue): number | undefined {
  if (targetKind === 'option') {
    const amount = quotaSettings.includes(targetName) && name === 'value' ? Number(value) : Number.NaN
    return Number.isFinite(amount) ? amount : undefined
  }
  return quotaFields.includes(name) && typeof value === 'number' ? value : undefined
}

/** The moment in Unix seconds where a value is one. */
export function momentIn({ targetKind, name, value }: RecordValue): number | undefined {
  const isMoment = targetKind !== 'option' && /(At|_at|_timestamp|_time)$/.test(name)
  return isMoment && typeof value === 'number' && value > 0 ? value : undefined
}
