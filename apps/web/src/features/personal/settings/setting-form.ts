import type { CallInput, calls, NotifyType, User } from '@tollgate/api'
import type { TFunction } from 'i18next'
import type { UseFormReturn } from 'react-hook-form'
import type { Problems } from '../../../components/form/index.ts'
import { fieldsOf, parseJson } from '../../../lib/format/json.ts'

/** Settings of a person about their own account. */
export interface SettingForm {
  readonly notifyType: NotifyType
  /** Threshold in quota. */
  readonly threshold: number | undefined
  /** Blank keeps the stored one, which is never shown. */
  readonly webhookUrl: string
  /** Blank keeps the stored one, which is never shown. */
  readonly webhookSecret: string
  /** Blank means the address of the account. */
  readonly notificationEmail: string
  /** Proves an address that is not the account's. */
  readonly verificationCode: string
  readonly acceptsUnpriced: boolean
  readonly keepsFailedCalls: boolean
}

/** Secrets that are stored and stay on the server. */
interface StoredSecrets {
  readonly hasWebhookUrl: boolean
  readonly hasWebhookSecret: boolean
}

/** Initial threshold of the form (spec accounts §9). */
const firstThreshold = 100_000

export function formOf(setting: string): SettingForm {
  const stored = fieldsOf(parseJson(setting))
  const threshold = stored['quota_warning_threshold']
  const email = stored['notification_email']
  return {
    notifyType: stored['notify_type'] === 'webhook' ? 'webhook' : 'email',
    threshold: typeof threshold === 'number' && threshold > 0 ? threshold : firstThreshold,
    webhookUrl: '',
    webhookSecret: '',
    notificationEmail: typeof email === 'string' ? email : '',
    verificationCode: '',
    acceptsUnpriced: stored['accept_unset_model_ratio_model'] === true,
    keepsFailedCalls: stored['keep_failed_calls'] === true,
  }
}

export function storedSecretsOf(setting: string): StoredSecrets {
  const { webhook_url_set: url, webhook_secret_set: secret } = fieldsOf(parseJson(setting))
  return { hasWebhookUrl: url === true, hasWebhookSecret: secret === true }
}

/** Decides whether warnings would go to an address whose mail the account has not been proven to read. */
export function needsProof(form: SettingForm, user: Pick<User, 'email' | 'setting'>): boolean {
  const address = form.notificationEmail.trim().toLowerCase()
  const known = [user.email, formOf(user.setting).notificationEmail]
  return form.notifyType === 'email' && address !== '' && !known.some((own) => own.toLowerCase() === address)
}

export function problemsOf(
  form: SettingForm,
  user: Pick<User, 'email' | 'setting'>,
  t: TFunction<'personal'>,
): Problems<SettingForm> {
  const isUrlStored = form.webhookUrl.trim() === '' && storedSecretsOf(user.setting).hasWebhookUrl
  const isWebhook = form.notifyType === 'webhook'
  const isUnproven = needsProof(form, user) && form.verificationCode.trim() === ''
  return {
    threshold: form.threshold !== undefined && form.threshold > 0 ? undefined : t('threshold.invalid'),
    webhookUrl: isWebhook && !isUrlStored ? webhookProblem(form.webhookUrl.trim(), t) : undefined,
    verificationCode: isUnproven ? t('email.codeMissing') : undefined,
  }
}

type SettingBody = CallInput<typeof calls.accounts.saveNotificationSetting>['body']

/** Returns the body of the form. Secrets are only in it when they were typed. */
export function bodyOf(form: SettingForm, user: Pick<User, 'email' | 'setting'>): SettingBody {
  const webhookUrl = form.webhookUrl.trim()
  return {
    notify_type: form.notifyType,
    quota_warning_threshold: form.threshold ?? firstThreshold,
    ...(webhookUrl !== '' && { webhook_url: webhookUrl }),
    ...(form.webhookSecret !== '' && { webhook_secret: form.webhookSecret }),
    notification_email: form.notificationEmail.trim(),
    ...(needsProof(form, user) && { verification_code: form.verificationCode.trim() }),
    accept_unset_model_ratio_model: form.acceptsUnpriced,
    ...(form.keepsFailedCalls !== formOf(user.setting).keepsFailedCalls && {
      keep_failed_calls: form.keepsFailedCalls,
    }),
  }
}

/** Returns the stored part of the form as the person found it: a default that was never saved is nobody's choice. */
export function storedBodyOf(started: SettingForm, user: Pick<User, 'email' | 'setting'>): object {
  const stored = fieldsOf(parseJson(user.setting))
  const body = { ...bodyOf(started, user), keep_failed_calls: started.keepsFailedCalls }
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in stored))
}

/** The fields of the form, by their names on the wire. */
export const formNames: Readonly<Record<string, keyof SettingForm>> = {
  notify_type: 'notifyType',
  quota_warning_threshold: 'threshold',
  webhook_url: 'webhookUrl',
  webhook_secret: 'webhookSecret',
  // A refused address or code is the one for notifications: the form has no other.
  email: 'notificationEmail',
  verification_code: 'verificationCode',
  notification_email: 'notificationEmail',
  accept_unset_model_ratio_model: 'acceptsUnpriced',
  keep_failed_calls: 'keepsFailedCalls',
}

function webhookProblem(address: string, t: TFunction<'personal'>): string | undefined {
  if (address === '') return t('webhook.missing')
  if (!URL.canParse(address)) return t('webhook.invalid')
  const { protocol, username, password } = new URL(address)
  return protocol === 'https:' && username === '' && password === '' ? undefined : t('webhook.invalid')
}

/** Props of a part of the form. */
export interface SettingFieldsProps {
  readonly form: UseFormReturn<SettingForm>
  readonly user: User
}
