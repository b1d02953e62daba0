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
  const { id, auth_date: signedAt, hash } = fields
  const age = now - Number(signedAt)
  const isFresh = age <= maxAgeSeconds && age >= -maxAheadSeconds
  const isSigned = isSignedByBot(fields, settings.current.TelegramBotToken)
  if (!isFresh || !isSigned || id === undefined || String(id) === '') throw new Refusal('telegram_invalid')
  const isFirstUse = await store.oneTimeSecrets.putNew({
    purpose: 'telegram-used',
    subject: sha256(String(hash)),
    secretHash: '',
    data: '',
    createdAt: now,
    expiresAt: now + maxAgeSeconds + maxAheadSeconds,
  })
  if (!isFirstUse) throw new Refusal('telegram_invalid')
  return {
    provider: 'telegram',
    subject: String(id),
    displayName: String(fields['first_name'] ?? ''),
    preferredUsername: '',
    email: '',
  }
}

/** Over every field that was sent, in the order of their names. */
function isSignedByBot({ hash, ...signed }: WidgetFields, botToken: string): boolean {
  if (botToken === '' || typeof hash !== 'string') return false
  const text = Object.keys(signed)
    .toSorted()
    .map((name) => `${name}=${signed[name]}`)
    .join('\n')
  const key = new Bun.CryptoHasher('sha256').update(botToken).digest()
  const right = createHmac('sha256', key).update(text).digest()
  const given = Buffer.from(hash, 'hex')
  return given.length === right.length && timingSafeEqual(given, right)
}
