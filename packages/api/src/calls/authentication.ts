import { z } from 'zod'
import { secretText } from '../secret-fields.ts'
import { emptyData, idParams, unixSeconds } from '../wire.ts'
import { del, get, post, put } from './define.ts'
import { bindingProviders, oauthCallback, oauthProviders, wechatCode, widgetFields } from './oauth.ts'
import { sessionUser } from './user.ts'

/** One browser that is logged in. */
export const session = z.object({
  /** Names the session and opens nothing. */
  id: z.string(),
  /** The session of this call. */
  current: z.boolean(),
  user_agent: z.string(),
  /** The address that opened it. */
  address: z.string(),
  created_at: unixSeconds,
  /** Exact to some minutes. */
  last_seen_at: unixSeconds,
  expires_at: unixSeconds,
})
/** A browser in which the user is logged in. */
export type Session = z.output<typeof session>

const own = { sessionOnly: true } as const

export const sessions = {
  /** Last seen first; at most 100. */
  list: get('user', '/api/user/self/sessions', { recentProof: 'reads', ...own, data: z.array(session) }),
  end: del('user', '/api/user/self/sessions/:id', {
    recentProof: 'withdraws',
    ...own,
    params: z.object({ id: z.string().regex(/^[0-9a-f]{16}$/) }),
    data: emptyData,
  }),
  /** All but the session of this call. `data` is the number of ended sessions. */
  endOthers: del('user', '/api/user/self/sessions', {
    recentProof: 'withdraws',
    ...own,
    data: z.number().int(),
  }),
}

/** Six digits of the authenticator, or a recovery code; spaces and hyphens do not count. */
const codeBody = z.object({ code: z.string().max(50).default('') })
/** Shown once; each is valid for one login. */
const recoveryCodes = z.object({ recovery_codes: z.array(secretText()) })

/** The code that these calls require is itself a proof. */
const byCode = { provenBy: 'code' } as const

/** A second factor by time-based codes (RFC 6238). */
export const secondFactor = {
  status: get('user', '/api/user/self/2fa', {
    recentProof: 'reads',
    ...own,
    data: z.object({
      enabled: z.boolean(),
      /** Time when it was switched on; absent while it is off. */
      enabled_at: unixSeconds.optional(),
      recovery_codes_left: z.number().int(),
    }),
  }),
  /** The factor is off until `confirm` has received a code of this secret. */
  begin: post('user', '/api/user/self/2fa/begin', {
    ...own,
    recentProof: true,
    data: z.object({
      /** Base32, for typing in. */
      secret: secretText(),
      /** `otpauth://…`, for a QR code. */
      uri: secretText(),
    }),
  }),
  confirm: post('user', '/api/user/self/2fa/confirm', {
    ...own,
    critical: true,
    recentProof: true,
    securityAlert: 'second-factor-on',
    body: codeBody,
    data: recoveryCodes,
  }),
  disable: post('user', '/api/user/self/2fa/disable', {
    ...own,
    critical: true,
    recentProof: byCode,
    securityAlert: 'second-factor-off',
    body: codeBody,
    data: z.undefined(),
  }),
  /** Replaces the earlier codes. */
  renewRecoveryCodes: post('user', '/api/user/self/2fa/recovery_codes', {
    ...own,
    critical: true,
    recentProof: byCode,
    securityAlert: 'recovery-codes',
    body: codeBody,
    data: recoveryCodes,
  }),
  /** Switches it off for a user who lost it; the caller is an administrator of higher rank. */
  reset: del('admin', '/api/user/:id/2fa', {
    part: 'users',
    recentProof: true,
    params: idParams,
    data: z.undefined(),
  }),
  /** Ends a login that returned `require_2fa`, in the browser that started it. */
  login: post('public', '/api/user/login/2fa', {
    recentProof: 'proves',
    critical: true,
    body: codeBody,
    data: sessionUser,
  }),
}

export const passkeyNameMaxLength = 50

/** Options of the browser's `navigator.credentials`, as JSON (WebAuthn level 3, `parseCreationOptionsFromJSON`). */
export const credentialOptions = z.record(z.string(), z.unknown())
const text = z.string().max(20_000)
/** Its result (`toJSON`). Other fields are ignored. */
export const credential = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
})

const passkeyName = z.string().max(200)

export const passkey = z.object({
  id: z.number().int(),
  name: z.string(),
  created_at: unixSeconds,
  /** 0 when it was never used. */
  last_used_at: unixSeconds,
})
/** A passkey as its owner sees it, without its key. */
export type Passkey = z.output<typeof passkey>

/** Passkeys (WebAuthn): the device verifies the person, so a login by one needs no second factor. */
export const passkeys = {
  registerOptions: post('user', '/api/user/self/passkeys/options', {
    ...own,
    recentProof: true,
    data: credentialOptions,
  }),
  register: post('user', '/api/user/self/passkeys', {
    ...own,
    critical: true,
    recentProof: true,
    securityAlert: 'passkey-added',
    body: z.object({ name: passkeyName.default(''), credential }),
    data: passkey,
  }),
  list: get('user', '/api/user/self/passkeys', { recentProof: 'reads', ...own, data: z.array(passkey) }),
  rename: put('user', '/api/user/self/passkeys/:id', {
    recentProof: 'uses',
    ...own,
    params: idParams,
    body: z.object({ name: passkeyName }),
    data: passkey,
  }),
  delete: del('user', '/api/user/self/passkeys/:id', {
    ...own,
    recentProof: true,
    securityAlert: 'passkey-removed',
    params: idParams,
    data: emptyData,
  }),
  loginOptions: post('public', '/api/user/login/passkey/options', {
    recentProof: 'proves',
    data: credentialOptions,
  }),
  login: post('public', '/api/user/login/passkey', {
    recentProof: 'proves',
    critical: true,
    body: z.object({ credential }),
    data: sessionUser,
  }),
}

/** Every identity outside of this installation. */
const provingProviders = bindingProviders.filter((provider) => provider !== 'email')

/** Each makes the proof of this session a recent one. */
const proof = { ...own, critical: true, data: emptyData } as const

/** Proves the identity of the session's owner again, for calls with `recentProof`. */
export const proofs = {
  /** The proofs that the caller can give, by the current settings of this site. */
  ways: get('user', '/api/user/self/proof', {
    recentProof: 'reads',
    ...own,
    data: z.object({
      password: z.boolean(),
      /** A code of the authenticator, or a recovery code. */
      code: z.boolean(),
      passkey: z.boolean(),
      providers: z.array(z.enum(provingProviders)),
      /** Until when the last proof counts; in the past when none does. */
      proven_until: unixSeconds,
    }),
  }),
  byPassword: post('user', '/api/user/self/proof/password', {
    recentProof: 'proves',
    ...proof,
    body: z.object({ password: z.string().default('') }),
  }),
  /** Proves identity by a code of the authenticator, or by a recovery code; either is used up. */
  byCode: post('user', '/api/user/self/proof/code', {
    recentProof: 'proves',
    ...proof,
    body: z.object({ code: z.string().max(50).default('') }),
  }),
  passkeyOptions: post('user', '/api/user/self/proof/passkey/options', {
    recentProof: 'proves',
    ...own,
    data: credentialOptions,
  }),
  byPasskey: post('user', '/api/user/self/proof/passkey', {
    recentProof: 'proves',
    ...proof,
    body: z.object({ credential }),
  }),
  /** The provider's parameters of the callback page, in place of the call that signs in or binds. */
  byCodeProvider: post('user', '/api/oauth/:provider/proof', {
    recentProof: 'proves',
    ...proof,
    params: z.object({ provider: z.enum(oauthProviders) }),
    body: oauthCallback,
  }),
  byWechat: post('user', '/api/user/self/proof/wechat', {
    recentProof: 'proves',
    ...proof,
    body: wechatCode,
  }),
  byTelegram: post('user', '/api/user/self/proof/telegram', {
    recentProof: 'proves',
    ...proof,
    body: widgetFields,
  }),
}
