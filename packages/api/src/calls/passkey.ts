import { z } from 'zod'
import { defineCall } from '../call.ts'
import { emptyData, idParams, unixSeconds } from '../wire.ts'
import { sessionUser } from './user.ts'

export const passkeyNameMaxLength = 50

/** What the browser's `navigator.credentials` takes, as JSON (WebAuthn level 3, `parseCreationOptionsFromJSON`). */
export const credentialOptions = z.record(z.string(), z.unknown())
const text = z.string().max(20_000)
/** What it gives back (`toJSON`). Fields beyond these are not looked at. */
export const credential = z.object({
  id: text,
  rawId: text,
  type: z.literal('public-key'),
  response: z.record(z.string(), z.unknown()),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
})

const passkeyName = z.string().max(200).default('')

export const passkey = z.object({
  id: z.number().int(),
  name: z.string(),
  created_at: unixSeconds,
  /** 0 when it was never used. */
  last_used_at: unixSeconds,
})
export type Passkey = z.output<typeof passkey>

const own = { access: 'user', sessionOnly: true } as const

/** Passkeys (WebAuthn): the device verifies the person, so a login by one needs no second factor. */
export const passkeys = {
  registerOptions: defineCall({
    ...own,
    method: 'POST',
    path: '/api/user/self/passkeys/options',
    recentProof: true,
    data: credentialOptions,
  }),
  register: defineCall({
    ...own,
    method: 'POST',
    path: '/api/user/self/passkeys',
    critical: true,
    recentProof: true,
    securityAlert: 'passkey-added',
    body: z.object({ name: passkeyName, credential }),
    data: passkey,
  }),
  list: defineCall({ ...own, method: 'GET', path: '/api/user/self/passkeys', data: z.array(passkey) }),
  rename: defineCall({
    ...own,
    method: 'PUT',
    path: '/api/user/self/passkeys/:id',
    params: idParams,
    body: z.object({ name: passkeyName }),
    data: passkey,
  }),
  delete: defineCall({
    ...own,
    method: 'DELETE',
    path: '/api/user/self/passkeys/:id',
    recentProof: true,
    securityAlert: 'passkey-removed',
    params: idParams,
    data: emptyData,
  }),
  loginOptions: defineCall({
    method: 'POST',
    path: '/api/user/login/passkey/options',
    access: 'public',
    data: credentialOptions,
  }),
  login: defineCall({
    method: 'POST',
    path: '/api/user/login/passkey',
    access: 'public',
    critical: true,
    body: z.object({ credential }),
    data: sessionUser,
  }),
}
