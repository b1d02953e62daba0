import { type NotificationSettingBody, type NotifyType, notifyTypes } from '@tollgate/api'
import { z } from 'zod'
import type { Vault } from '../../lib/crypto.ts'
import { editOver } from '../../lib/merge-edit.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Services } from '../../services.ts'
import type { User } from '../../store/accounts/users.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import { type EmailCodes, mailAddressOf } from './email-verification.ts'
import { changeUserSetting, parseUserSetting } from './user-setting.ts'

const webhookUrlMaxLength = 2048
const webhookSecretMaxLength = 256

/** Address and kind of a user's warnings about their account. */
export interface NotificationSetting {
  readonly notifyType: NotifyType
  /** An https address; empty when none was given. */
  readonly webhookUrl: string
  /** Empty when none was given. */
  readonly webhookSecret: string
  /** Proven by the user; empty means the address of the account. */
  readonly notificationEmail: string
}

const text = z.string().catch('').default('')
const stored = z.object({
  notify_type: z.enum(notifyTypes).catch('email').default('email'),
  webhook_url: text,
  webhook_secret_sealed: text,
  /** Secret in plain text, from an import. */
  webhook_secret: text,
  notification_email: text,
})
type Stored = z.output<typeof stored>

/** The members that are read here. */
export const notificationMembers: readonly string[] = Object.keys(stored.shape)

/** Reads a stored setting, whose address may be older than today's rules. Throws when another installation sealed the secret. */
export function readNotificationSetting(
  { id, setting }: Pick<User, 'id' | 'setting'>,
  vault: Pick<Vault, 'open'>,
): NotificationSetting {
  const known = stored.parse(parseUserSetting(setting))
  return {
    notifyType: known.notify_type,
    webhookUrl: known.webhook_url,
    webhookSecret:
      known.webhook_secret_sealed === ''
        ? known.webhook_secret
        : vault.open(known.webhook_secret_sealed, sealContexts.webhookSecret(id)),
    notificationEmail: known.notification_email,
  }
}

interface Dependencies extends Pick<Services, 'store' | 'vault' | 'bus'> {
  readonly codes: Pick<EmailCodes, 'redeem'>
}

/**
 * Stores how a user wants to be warned. Fields that are absent or of the other type, and secrets that are left empty, stay.
 * Warnings go to an address only when it is the account's own or was proven, so that no user can send them to strangers.
 */
export function createSaveNotificationSetting({ store, codes, vault, bus }: Dependencies) {
  async function provenAddress(user: User, sent: string, code: string, known: Stored): Promise<string> {
    if (sent.trim() === '') return ''
    const address = mailAddressOf(sent)
    const isKnown = [user.email, known.notification_email].some((own) => isSame(own, address))
    if (isKnown) return address
    if (code === '') throw new Refusal('notification_email_unproven')
    await codes.redeem({ email: address, userId: user.id }, code)
    return address
  }

  return async (user: User, body: NotificationSettingBody): Promise<void> => {
    refuseWrong(body)
    const known = stored.parse(parseUserSetting(user.setting))
    const { notification_email: address, verification_code: code } = body
    const isMailed = address !== undefined && typeOf(body, known) === 'email'
    const sent = isMailed
      ? { ...body, notification_email: await provenAddress(user, address, code, known) }
      : body
    const seal = (text: string) => vault.seal(text, sealContexts.webhookSecret(user.id))
    await changeUserSetting(store, user, (setting) => fieldsOver(setting, sent, seal))
    bus.publish('user-changed', { id: user.id })
  }
}

/** Returns the members that a body changes, of the settings as they are by now. */
function fieldsOver(
  setting: Readonly<Record<string, unknown>>,
  sent: NotificationSettingBody,
  seal: (text: string) => string,
) {
  const body = bodyOver(setting, sent)
  const known = stored.parse(setting)
  if (typeOf(body, known) === 'webhook')
    return { ...present(body, commonFields), ...webhookFields(body, known, seal) }
  return present(body, [...commonFields, 'notification_email'])
}

const commonFields = [
  'notify_type',
  'quota_warning_threshold',
  'accept_unset_model_ratio_model',
  'keep_failed_calls',
] as const

function present(body: NotificationSettingBody, names: readonly (keyof NotificationSettingBody)[]) {
  return Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
}

/** The body over the settings as they are: fields that it does not change have their stored values. */
function bodyOver(
  setting: Readonly<Record<string, unknown>>,
  sent: NotificationSettingBody,
): NotificationSettingBody {
  const edit = editOver<Partial<NotificationSettingBody>>(sent, setting)
  const unchanged = Object.keys(sent).filter((name) => !Object.hasOwn(edit, name))
  return { ...sent, ...Object.fromEntries(unchanged.map((name) => [name, setting[name]])) }
}

function refuseWrong({ notify_type, quota_warning_threshold }: NotificationSettingBody): void {
  const isKnown = notify_type === undefined || notifyTypes.some((type) => type === notify_type)
  if (!isKnown) throw new Refusal('notify_type_invalid')
  if (quota_warning_threshold !== undefined && quota_warning_threshold <= 0)
    throw new Refusal('quota_warning_threshold_invalid')
}

function typeOf({ notify_type }: NotificationSettingBody, known: Stored): NotifyType {
  return notifyTypes.find((type) => type === notify_type) ?? known.notify_type
}

function webhookFields(
  { webhook_url, webhook_secret = '' }: NotificationSettingBody,
  known: Stored,
  seal: (text: string) => string,
) {
  const url = webhook_url === undefined ? known.webhook_url : webhook_url.trim()
  if (url === '') throw new Refusal('webhook_url_missing')
  if (!isWebhookUrl(url)) throw new Refusal('webhook_url_invalid')
  if (webhook_secret.length > webhookSecretMaxLength)
    throw new Refusal('webhook_secret_too_long', { max: webhookSecretMaxLength })
  return {
    webhook_url: url,
    ...(webhook_secret !== '' && { webhook_secret_sealed: seal(webhook_secret) }),
  }
}

function isWebhookUrl(text: string): boolean {
  if (text.length > webhookUrlMaxLength || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocol === 'https:' && username === '' && password === ''
}

function isSame(known: string, address: string): boolean {
  return known !== '' && known.toLowerCase() === address.toLowerCase()
}
