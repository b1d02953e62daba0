import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Clock, unixSeconds } from '@tollgate/base'
import { sha256 } from '../lib/crypto.ts'
import { Refusal } from '../lib/refusal.ts'
import type { SettingsReader } from '../settings/settings.ts'
import type { Store } from '../store/store.ts'
import type { ProviderIdentity } from './providers.ts'

export type WidgetFields = Readonly<Record<string, string | number>>

const maxAgeSeconds = 600
/** Clocks differ. */
const maxAheadSeconds = 60

export interface TelegramDependencies {
  readonly store: Pick<Store, 'oneTimeSecrets'>
  readonly settings: SettingsReader
  readonly clock: Clock
}

/**
 * Who Telegram's login widget says it is. What it says is signed with the bot's token, and good once, for ten minutes.
 * https://core.telegram.org/widgets/login#checking-authorization
 */
export async function identifyByTelegram(
  { store, settings, clock }: TelegramDependencies,
  fields: WidgetFields,
): Promise<ProviderIdentity> {
  const now = unixSeconds(clock)
  const { id, auth_date: signedAt } = fields
  const age = now - Number(signedAt)
  const isFresh = age <= maxAgeSeconds && age >= -maxAheadSeconds
  const signature = signatureOfBot(fields, settings.current.TelegramBotToken)
  if (!isFresh || signature === undefined || id === undefined || String(id) === '')
    throw new Refusal('telegram_invalid')
  const isFirstUse = await store.oneTimeSecrets.putNew({
    purpose: 'telegram-used',
    // Of the bytes that were compared, not of a text that may say them in other ways.
    subject: sha256(signature.toString('hex')),
    secretHash: '',
    data: '',
    createdAt: now,
    expiresAt: now + maxAgeSeconds + maxAheadSeconds,
  })
  if (!isFirstUse) throw new Refusal('telegram_invalid')
  return {
    provider: 'telegram',
    subject: String(id),
    issuers: [],
    displayName: String(fields['first_name'] ?? ''),
    preferredUsername: '',
    email: '',
  }
}

/** As the widget writes it. */
const hashText = /^[\da-f]{64}$/
/** Names and values stand in lines of the signed text: with a line end in it one could be read as several. */
const lineEnd = /[\r\n]/

/** The signature over every field that was sent, in the order of their names; `undefined` unless it is the bot's. */
function signatureOfBot({ hash, ...signed }: WidgetFields, botToken: string): Buffer | undefined {
  if (botToken === '' || typeof hash !== 'string' || !hashText.test(hash)) return undefined
  const lines = Object.keys(signed)
    .toSorted()
    .map((name) => `${name}=${signed[name]}`)
  if (lines.some((line) => lineEnd.test(line))) return undefined
  const key = new Bun.CryptoHasher('sha256').update(botToken).digest()
  const right = createHmac('sha256', key).update(lines.join('\n')).digest()
  const given = Buffer.from(hash, 'hex')
  return timingSafeEqual(given, right) ? given : undefined
}
