import { z } from 'zod'
import { defineCall } from '../call.ts'
import { idParams, unixSeconds } from '../wire.ts'
import { sessionUser } from './user.ts'

/** Six digits of the authenticator, or a recovery code; spaces and hyphens do not count. */
const codeBody = z.object({ code: z.string().max(50).default('') })
/** Shown once; each is good for one login. */
const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

const own = { access: 'user', sessionOnly: true } as const
/** The code that these calls need anyway is a proof. */
const byCode = { provenBy: 'code' } as const

/** A second factor by time-based codes (RFC 6238). */
export const secondFactor = {
  status: defineCall({
    ...own,
    method: 'GET',
    path: '/api/user/self/2fa',
    data: z.object({
      enabled: z.boolean(),
      /** When it was switched on; absent while it is off. */
      enabled_at: unixSeconds.optional(),
      recovery_codes_left: z.number().int(),
    }),
  }),
  /** Nothing is on before `confirm` has seen a code of this secret. */
  begin: defineCall({
    ...own,
    method: 'POST',
    path: '/api/user/self/2fa/begin',
    recentProof: true,
    data: z.object({
      /** Base32, for typing in. */
      secret: z.string(),
      /** `otpauth://…`, for a QR code. */
      uri: z.string(),
    }),
  }),
  confirm: defineCall({
    ...own,
    method: 'POST',
    path: '/api/user/self/2fa/confirm',
    critical: true,
    recentProof: true,
    securityAlert: 'second-factor-on',
    body: codeBody,
    data: recoveryCodes,
  }),
  disable: defineCall({
    ...own,
    method: 'POST',
    path: '/api/user/self/2fa/disable',
    critical: true,
    recentProof: byCode,
    securityAlert: 'second-factor-off',
    body: codeBody,
    data: z.undefined(),
  }),
  /** The codes of before are worth nothing afterwards. */
  renewRecoveryCodes: defineCall({
    ...own,
    method: 'POST',
    path: '/api/user/self/2fa/recovery_codes',
    critical: true,
    recentProof: byCode,
    securityAlert: 'recovery-codes',
    body: codeBody,
    data: recoveryCodes,
  }),
  /** For somebody who lost it: an administrator above them switches it off. */
  reset: defineCall({
    method: 'DELETE',
    path: '/api/user/:id/2fa',
    access: 'admin',
    recentProof: true,
    params: idParams,
    data: z.undefined(),
  }),
  /** Ends a login that answered `require_2fa`, in the browser that began it. */
  login: defineCall({
    method: 'POST',
    path: '/api/user/login/2fa',
    access: 'public',
    critical: true,
    body: codeBody,
    data: sessionUser,
  }),
}
