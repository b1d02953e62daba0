import { createHmac, timingSafeEqual } from 'node:crypto'
import { unixSeconds } from '@tollgate/base'
import { z } from 'zod'
import { sha256 } from '../../../../lib/crypto.ts'
import { Refusal } from '../../../../lib/refusal.ts'
import type { Services } from '../../../../services.ts'
import type { SettingsReader } from '../../../../settings/settings.ts'
import type { AttemptLimiter } from '../guesses/attempt-limiter.ts'
import { withProviderErrors } from './oauth-sign-in.ts'
import { fetchFromProvider, readResponse } from './provider-request.ts'
import { type ProviderIdentity, refuseDisabled } from './providers.ts'

/** The fields that Telegram's login widget passes to the page. */
export type WidgetFields = Readonly<Record<string, string | number>>

interface Dependencies extends Pick<Services, 'store' | 'settings' | 'clock'> {
  readonly attempts: AttemptLimiter
}

/** Identities that are proven by what the user's own page sends: no redirect, no state. */
export function createDirectIdentities(deps: Dependencies) {
  const { settings, attempts } = deps
  return {
    /** Refuses a code that WeChat does not know. Wrong codes count against a limit of the whole site. */
    async weChat(code: string | undefined): Promise<ProviderIdentity> {
      refuseDisabled('wechat', settings)
      const identify = () => identifyByWeChat(settings, code ?? '')
      return withProviderErrors('wechat', () => attempts.counted({ kind: 'wechat-code' }, identify))
    },
    /** Refuses fields that Telegram did not sign lately, and those that were used before. */
    async telegram(fields: WidgetFields): Promise<ProviderIdentity> {
      refuseDisabled('telegram', settings)
      return identifyByTelegram(deps, fields)
    },
  }
}

const weChatResponse = z.object({ success: z.boolean(), data: z.string().nullish() })

/** Asks the operator's WeChat server for the owner of a code, which its WeChat account sent to that person. */
async function identifyByWeChat({ current }: SettingsReader, code: string): Promise<ProviderIdentity> {
  if (code.trim() === '') throw new Refusal('wechat_code_invalid')
  const url = `${current.WeChatServerAddress}/api/wechat/user?code=${encodeURIComponent(code.trim())}`
  const response = await fetchFromProvider({ url, headers: { authorization: current.WeChatServerToken } })
  const { success, data } = readResponse(response, weChatResponse)
  if (!success || !data) throw new Refusal('wechat_code_invalid')
  return {
    provider: 'wechat',
    subject: data,
    issuers: [],
    displayName: 'WeChat User',
    preferredUsername: '',
    email: '',
  }
}

const maxAgeSeconds = 600
/** Tolerance for differing clocks. */
const maxAheadSeconds = 60

/**
 * Verifies the fields of Telegram's login widget. They are signed with the bot's token, and valid once, for ten
 * minutes.
 * https://core.telegram.org/widgets/login#checking-authorization
 */
async function identifyByTelegram(
  { store, settings, clock }: Pick<Services, 'store' | 'settings' | 'clock'>,
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
    // Hashes the compared bytes, because several texts may encode them.
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

/** Hash in the form that the widget writes. */
const hashText = /^[\da-f]{64}$/
/** Each name and value is a line of the signed text: a line end in it could read as several. */
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
  const provided = Buffer.from(hash, 'hex')
  return timingSafeEqual(provided, right) ? provided : undefined
}
