import { z } from 'zod'
import { secretText } from '../secret-fields.ts'
import { editBase, emptyData, humanCheckToken, quota } from '../wire.ts'
import { del, get, post, put } from './define.ts'
import { identityFields } from './user.ts'

/** Characters, not bytes. */
export const displayNameMaxLength = 32
/** Longest path of RFC 5321 without its brackets. */
export const emailMaxLength = 254
export const verificationCodeLength = 6
/** Life of a mailed code or link, in minutes. */
export const mailedSecretMinutes = 10

/** A text; consoles send `null` for values that they never stored (an invite code). */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

/** Rules beyond types (lengths, equality) are the use case's, which names each refusal. */
export const registerBody = z.object({
  username: text,
  password: text,
  /** The password again; compared when it is sent. */
  password2: z.string().nullish(),
  email: text,
  /** Code from the mail; required, with the address, while the site verifies addresses. */
  verification_code: text,
  /** Another user's invite code; an unknown one is ignored. */
  aff_code: text,
})
/** Body with which a visitor opens an account. */
export type RegisterBody = z.output<typeof registerBody>

export const mailedQuery = z.object({ email: z.string().default(''), turnstile: humanCheckToken })

export const resetBody = z.object({
  email: text,
  /** Token from the link in the mail. */
  token: text,
  /** The new password. Without one, the server generates one and returns it. */
  password: text,
})
/** Address and token of a mailed link, with the new password or an empty one to have it made up. */
export type ResetBody = z.output<typeof resetBody>

/** Empty fields stay as they are. */
export const selfUpdateBody = z.object({
  username: text,
  display_name: text,
  password: text,
  /** The current password, for a new one: required unless the session has proven its owner recently. */
  original_password: text,
  ...identityFields.shape,
  base: editBase,
})
/** Changes that users make to their own account; an empty field stays. */
export type SelfUpdateBody = z.output<typeof selfUpdateBody>

export const affTransferBody = z.object({
  /** Quota to transfer, at least `QuotaPerUnit`. */
  quota,
})

export const notifyTypes = ['email', 'webhook'] as const
/** Channel by which a user gets notifications. */
export type NotifyType = (typeof notifyTypes)[number]

/** Absent fields stay as they are. */
export const notificationSettingBody = z.object({
  /** `email` or `webhook`. */
  notify_type: z.string().optional(),
  /** Quota below which a warning is sent. */
  quota_warning_threshold: z.number().max(Number.MAX_SAFE_INTEGER).optional(),
  /** https. */
  webhook_url: z.string().optional(),
  /** The key of signatures. Empty: the stored one stays. */
  webhook_secret: z.string().optional(),
  /** Empty means the account's own address. Another one must be proven, by `verification_code`. */
  notification_email: z.string().optional(),
  /** The code that was mailed to `notification_email`. */
  verification_code: text,
  accept_unset_model_ratio_model: z.boolean().optional(),
  /** Stores requests of failed calls for a replay, where the operator allows it. */
  keep_failed_calls: z.boolean().optional(),
  base: editBase,
})
/** Choices of users about warnings of low balances. */
export type NotificationSettingBody = z.output<typeof notificationSettingBody>

/** Calls on one's own account, before and after there is one. */
export const accounts = {
  register: post('public', '/api/user/register', {
    recentProof: 'proves',
    critical: true,
    countsSuccess: true,
    query: z.object({ turnstile: humanCheckToken }),
    body: registerBody,
    data: emptyData,
  }),
  /** Mails a code that proves an address: for registration, or, with a session, for that account. */
  sendVerificationCode: get('public', '/api/verification', {
    recentProof: 'proves',
    critical: true,
    countsSuccess: true,
    query: mailedQuery,
    data: emptyData,
  }),
  /** Mails a link to the owner of the address; the response does not show whether an account exists. */
  requestPasswordReset: get('public', '/api/reset_password', {
    recentProof: 'proves',
    critical: true,
    countsSuccess: true,
    query: mailedQuery,
    data: emptyData,
  }),
  /** Returns the new password when the server generated it. */
  resetPassword: post('public', '/api/user/reset', {
    recentProof: 'proves',
    critical: true,
    body: resetBody,
    data: secretText().optional(),
  }),
  updateSelf: put('user', '/api/user/self', {
    critical: true,
    recentProof: { forField: 'password', provenBy: 'original_password' },
    securityAlert: 'password',
    body: selfUpdateBody,
    data: emptyData,
  }),
  deleteSelf: del('user', '/api/user/self', { recentProof: true, data: emptyData }),
  /** Creates the system access token and replaces the one before. The only time that it is shown. */
  createAccessToken: post('user', '/api/user/token', {
    recentProof: true,
    securityAlert: 'access-token',
    data: secretText(),
  }),
  /** The same as GET, for older consoles. */
  createAccessTokenByGet: get('user', '/api/user/token', {
    recentProof: true,
    securityAlert: 'access-token',
    data: secretText(),
  }),
  /** The caller's invite code, for `/register?aff=…`. */
  inviteCode: get('user', '/api/user/aff', { recentProof: 'uses', data: z.string() }),
  /** Moves the invitation earnings to the balance. */
  transferInvitationQuota: post('user', '/api/user/aff_transfer', {
    recentProof: 'uses',
    body: affTransferBody,
    data: emptyData,
  }),
  /**
   * Stores the caller's consent to send their keys to the target of a chat link (`chatTargetOf`). `data` is every
   * target with consent: `chat_hosts` of their setting.
   */
  confirmChatHost: post('user', '/api/user/self/chat_hosts', {
    recentProof: 'uses',
    sessionOnly: true,
    body: z.object({ host: z.string().max(300) }),
    data: z.array(z.string()),
  }),
  saveNotificationSetting: put('user', '/api/user/setting', {
    recentProof: 'uses',
    body: notificationSettingBody,
    data: emptyData,
  }),
}
