import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { passkeyNameMaxLength } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Vault } from '../../lib/crypto.ts'
import { randomAlphanumerics } from '../../lib/random.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { RelyingParty } from '../../lib/site-address.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import { DuplicateError, StoreFault } from '../../store/errors.ts'
import type { Passkey } from '../../store/repositories/passkeys.ts'
import type { User } from '../../store/repositories/users.ts'
import type { Store } from '../../store/store.ts'
import { createPasskeyChallenges, type PasskeyChallenges } from './passkey-challenges.ts'

/** What a browser takes and gives as JSON. What it gives is checked by what verifies it. */
export type CredentialJson = Readonly<Record<string, unknown>> & { readonly id: string }

/** Passkeys: keys that a device keeps, and uses once it has verified its owner. */
export interface Passkeys {
  registerOptions(user: Owner, party: RelyingParty): Promise<object>
  register(user: Owner, name: string, credential: CredentialJson, party: RelyingParty): Promise<Passkey>
  list(userId: number): Promise<Passkey[]>
  rename(userId: number, id: number, name: string): Promise<Passkey>
  /** For whoever has a passkey here: the device knows who they are. `browserSecret` has to come back with the answer. */
  loginOptions(party: RelyingParty): Promise<{ readonly options: object; readonly browserSecret: string }>
  /** Whose passkey it is. */
  verifyLogin(
    credential: CredentialJson,
    browserSecret: string | undefined,
    party: RelyingParty,
  ): Promise<User>
  /** For somebody who is logged in: any of their passkeys. */
  proofOptions(userId: number, party: RelyingParty): Promise<object>
  /** Refuses unless one of the user's passkeys has signed what `proofOptions` asked of them. */
  verifyProof(userId: number, credential: CredentialJson, party: RelyingParty): Promise<void>
}

type Owner = Pick<User, 'id' | 'username'>

interface Dependencies {
  readonly store: Pick<Store, 'passkeys' | 'oneTimeSecrets' | 'users'>
  readonly settings: SettingsReader
  readonly vault: Pick<Vault, 'hash'>
  readonly clock: Clock
}

const maximumPasskeys = 20
const browserSecretLength = 43

// Few people use it: it is loaded when somebody does.
const library = () => import('@simplewebauthn/server')

export function createPasskeys(deps: Dependencies): Passkeys {
  const { store, settings, vault, clock } = deps
  const challenges = createPasskeyChallenges(deps)

  /** The person as devices keep it: the same for all of their passkeys, and tells nobody who it is. */
  const handleOf = (userId: number) =>
    Uint8Array.from(Buffer.from(vault.hash(`passkeys of ${userId}`), 'hex'))

  async function ownWithin(userId: number): Promise<Passkey[]> {
    const own = await store.passkeys.listOwn(userId)
    if (own.length >= maximumPasskeys) throw new Refusal('passkey_too_many', { max: maximumPasskeys })
    return own
  }

  /** Whose passkey signed a challenge of this holder; `undefined` when a copy of it has counted further. */
  async function verifiedOwner(
    credential: CredentialJson,
    holder: string,
    party: RelyingParty,
  ): Promise<number | undefined> {
    const passkey = await store.passkeys.findByCredentialId(credential.id)
    if (passkey === undefined) throw new Refusal('passkey_invalid')
    const counter = await verifiedCounter(credential, passkey, party, (challenge) =>
      challenges.take(challenge, holder),
    )
    const counters = { before: passkey.counter, now: counter }
    const isNewer = await store.passkeys.markUsed(passkey.id, counters, unixSeconds(clock))
    return isNewer ? passkey.userId : undefined
  }

  return {
    async registerOptions({ id, username }, party) {
      const own = await ownWithin(id)
      const { generateRegistrationOptions } = await library()
      return generateRegistrationOptions({
        rpName: settings.current.SystemName,
        rpID: party.id,
        userName: username,
        userID: handleOf(id),
        challenge: challenges.issue(holderOf(id)),
        attestationType: 'none',
        excludeCredentials: own.map(descriptorOf),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },
    async register({ id: userId }, name, credential, party) {
      await ownWithin(userId)
      const response = await verifiedRegistration(credential, party, (challenge) =>
        challenges.take(challenge, holderOf(userId)),
      )
      const passkey = {
        userId,
        credentialId: response.id,
        publicKey: Buffer.from(response.publicKey).toString('base64url'),
        counter: response.counter,
        transports: response.transports ?? [],
        name: fitName(name.trim() === '' ? 'Passkey' : name),
        createdAt: unixSeconds(clock),
        lastUsedAt: 0,
      }
      return store.passkeys.create(passkey).catch((cause: unknown) => {
        throw cause instanceof DuplicateError ? new Refusal('passkey_invalid', {}, { cause }) : cause
      })
    },
    list: (userId) => store.passkeys.listOwn(userId),
    async rename(userId, id, name) {
      const renamed = await store.passkeys.renameOwn(userId, id, fitName(name))
      if (renamed === undefined) throw new Refusal('record_not_found')
      return renamed
    },
    async loginOptions(party) {
      const { generateAuthenticationOptions } = await library()
      const browserSecret = randomAlphanumerics(browserSecretLength)
      const options = await generateAuthenticationOptions({
        rpID: party.id,
        challenge: challenges.issue(browserSecret),
        userVerification: 'required',
      })
      return { options, browserSecret }
    },
    async verifyLogin(credential, browserSecret = '', party) {
      const userId = await verifiedOwner(credential, browserSecret, party)
      const user = userId === undefined ? undefined : await store.users.find(userId)
      if (user === undefined || user.deletedAt !== null) throw new Refusal('passkey_invalid')
      if (user.status === 'banned') throw new Refusal('user_banned')
      return user
    },
    async proofOptions(userId, party) {
      const own = await store.passkeys.listOwn(userId)
      const { generateAuthenticationOptions } = await library()
      return generateAuthenticationOptions({
        rpID: party.id,
        challenge: challenges.issue(proverOf(userId)),
        userVerification: 'required',
        allowCredentials: own.map(descriptorOf),
      })
    },
    async verifyProof(userId, credential, party) {
      const own = await store.passkeys.listOwn(userId)
      const isOwn = own.some(({ credentialId }) => credentialId === credential.id)
      const owner = isOwn ? await verifiedOwner(credential, proverOf(userId), party) : undefined
      if (owner !== userId) throw new Refusal('passkey_invalid')
    },
  }
}

type TakeChallenge = (challenge: string) => ReturnType<PasskeyChallenges['take']>

const holderOf = (userId: number) => `user ${userId}`
/** Another holder than for a new passkey, so that the one challenge is not good for the other. */
const proverOf = (userId: number) => `proof of user ${userId}`

const descriptorOf = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  transports: [...transports],
})

function fitName(name: string): string {
  const fit = name.trim()
  const length = [...fit].length
  if (length === 0 || length > passkeyNameMaxLength)
    throw new Refusal('passkey_name_invalid', { max: passkeyNameMaxLength })
  return fit
}

async function verifiedRegistration(
  credential: CredentialJson,
  { id, origins }: RelyingParty,
  takeChallenge: TakeChallenge,
) {
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await refusing(() =>
    verifyRegistrationResponse({
      // The library checks every field that it uses.
      response: credential as unknown as RegistrationResponseJSON,
      expectedChallenge: takeChallenge,
      expectedOrigin: [...origins],
      expectedRPID: id,
      requireUserVerification: true,
    }),
  )
  if (registrationInfo === undefined) throw new Refusal('passkey_invalid')
  return registrationInfo.credential
}

/** What the device counts now; refuses when it did not sign this challenge, or counts backwards, as a copy of it would. */
async function verifiedCounter(
  credential: CredentialJson,
  { credentialId, publicKey, counter }: Passkey,
  { id, origins }: RelyingParty,
  takeChallenge: TakeChallenge,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library()
  const { verified, authenticationInfo } = await refusing(() =>
    verifyAuthenticationResponse({
      response: credential as unknown as AuthenticationResponseJSON,
      expectedChallenge: takeChallenge,
      expectedOrigin: [...origins],
      expectedRPID: id,
      credential: {
        id: credentialId,
        publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')),
        counter,
      },
      requireUserVerification: true,
    }),
  )
  if (!verified) throw new Refusal('passkey_invalid')
  return authenticationInfo.newCounter
}

/** The library throws for everything that is not as it should be. */
async function refusing<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify()
  } catch (cause) {
    if (cause instanceof StoreFault) throw cause
    throw new Refusal('passkey_invalid', {}, { cause })
  }
}
