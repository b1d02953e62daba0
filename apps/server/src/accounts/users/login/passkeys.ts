import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { passkeyNameMaxLength } from '@tollgate/api'
import { unixSeconds } from '@tollgate/base'
import { randomAlphanumerics } from '../../../lib/random.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { RelyingParty } from '../../../lib/site-address.ts'
import type { Services } from '../../../services.ts'
import type { Passkey } from '../../../store/accounts/passkeys.ts'
import type { User } from '../../../store/accounts/users.ts'
import { StoreFault } from '../../../store/errors.ts'
import type { Store } from '../../../store/store.ts'
import { refuseBeyond } from '../owned-rows.ts'
import { activeUser, refusingDuplicates } from '../stored-users.ts'
import type { AccountOwner, Credentials } from './credentials.ts'
import { createPasskeyChallenges, type PasskeyChallenges } from './passkey-challenges.ts'

/** The browser's input and output as JSON. The verifier checks the output. */
export type CredentialJson = Readonly<Record<string, unknown>> & { readonly id: string }

type Owner = Pick<User, 'id' | 'username'>

const maxPasskeys = 20
const browserSecretLength = 43

// Few people use passkeys, so the library loads at the first use.
const library = () => import('@simplewebauthn/server')

interface Dependencies extends Pick<Services, 'store' | 'settings' | 'vault' | 'clock'> {
  readonly credentials: Pick<Credentials, 'writeOwn'>
}

/** Passkeys: keys that a device stores, and uses once it has verified its owner. */
export function createPasskeys(deps: Dependencies) {
  const { store, clock } = deps
  const challenges = createPasskeyChallenges(deps)

  /** The owner of the passkey that signed a challenge of this holder, as they were before it was verified. */
  async function verifiedOwner(
    credential: CredentialJson,
    holder: string,
    party: RelyingParty,
  ): Promise<User> {
    const passkey = await store.passkeys.findByCredentialId(credential.id)
    if (passkey === undefined) throw new Refusal('passkey_invalid')
    const user = activeUser(await store.users.find(passkey.userId), 'passkey_invalid')
    const counter = await verifiedCounter(credential, passkey, party, (challenge) =>
      challenges.take(challenge, holder),
    )
    const counters = { before: passkey.counter, now: counter }
    // A copy of it has counted further, or it was removed before its owner was read.
    if (!(await store.passkeys.markUsed(passkey.id, counters, unixSeconds(clock))))
      throw new Refusal('passkey_invalid')
    return user
  }

  return {
    ...createRegistration(deps, challenges),
    list: (userId: number): Promise<Passkey[]> => store.passkeys.listOwn(userId),
    async rename(userId: number, id: number, name: string): Promise<Passkey> {
      const renamed = await store.passkeys.renameOwn(userId, id, fitName(name))
      if (renamed === undefined) throw new Refusal('record_not_found')
      return renamed
    },
    /** Options for a login; the device names the user. The response must come with `browserSecret`. */
    async loginOptions(
      party: RelyingParty,
    ): Promise<{ readonly options: object; readonly browserSecret: string }> {
      const { generateAuthenticationOptions } = await library()
      const browserSecret = randomAlphanumerics(browserSecretLength)
      const options = await generateAuthenticationOptions({
        rpID: party.id,
        challenge: challenges.issue(browserSecret),
        userVerification: 'required',
      })
      return { options, browserSecret }
    },
    /** The passkey's owner. */
    async verifyLogin(
      credential: CredentialJson,
      browserSecret: string | undefined = '',
      party: RelyingParty,
    ): Promise<User> {
      const user = await verifiedOwner(credential, browserSecret, party)
      if (user.status === 'banned') throw new Refusal('user_banned')
      return user
    },
    /** Options for a logged-in user: any of their passkeys. */
    async proofOptions(userId: number, party: RelyingParty): Promise<object> {
      const own = await store.passkeys.listOwn(userId)
      const { generateAuthenticationOptions } = await library()
      return generateAuthenticationOptions({
        rpID: party.id,
        challenge: challenges.issue(proverOf(userId)),
        userVerification: 'required',
        allowCredentials: own.map(descriptorOf),
      })
    },
    /** Refuses unless one of the user's passkeys has signed the challenge of `proofOptions`. */
    async verifyProof(userId: number, credential: CredentialJson, party: RelyingParty): Promise<void> {
      const own = await store.passkeys.listOwn(userId)
      const isOwn = own.some(({ credentialId }) => credentialId === credential.id)
      if (!isOwn) throw new Refusal('passkey_invalid')
      await verifiedOwner(credential, proverOf(userId), party)
    },
  }
}

/** New passkeys of a logged-in user. */
function createRegistration(deps: Dependencies, challenges: PasskeyChallenges) {
  const { store, settings, credentials, vault, clock } = deps
  /** The user handle that devices store: the same for all passkeys of a user, and reveals nothing about the user. */
  const handleOf = (userId: number) =>
    Uint8Array.from(Buffer.from(vault.hash(`passkeys of ${userId}`), 'hex'))

  const refuseTooMany = (tx: Store, userId: number) =>
    refuseBeyond(tx, userId, { kind: 'passkey', max: maxPasskeys, now: unixSeconds(clock) })

  return {
    async registerOptions({ id, username }: Owner, party: RelyingParty): Promise<object> {
      await refuseTooMany(store, id)
      const own = await store.passkeys.listOwn(id)
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
    async register(
      owner: AccountOwner,
      name: string,
      credential: CredentialJson,
      party: RelyingParty,
    ): Promise<Passkey> {
      const userId = owner.user.id
      await refuseTooMany(store, userId)
      const response = await verifiedRegistration(credential, party, (challenge) =>
        challenges.take(challenge, holderOf(userId)),
      )
      const passkey = {
        credentialId: response.id,
        publicKey: Buffer.from(response.publicKey).toString('base64url'),
        counter: response.counter,
        transports: response.transports ?? [],
        name: fitName(name.trim() === '' ? 'Passkey' : name),
        createdAt: unixSeconds(clock),
        lastUsedAt: 0,
      }
      const created = credentials.writeOwn(owner, async (tx, account) => {
        await refuseTooMany(tx, account.id)
        return tx.passkeys.create(account, passkey)
      })
      return refusingDuplicates(created, 'passkey_invalid')
    },
  }
}

type TakeChallenge = (challenge: string) => ReturnType<PasskeyChallenges['take']>

const holderOf = (userId: number) => `user ${userId}`
/** Another holder than for a new passkey, so that one challenge is not valid for the other. */
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

/**
 * The device's current counter; refuses when it did not sign this challenge, or counts backwards, as a copy of it
 * would.
 */
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

/** The library throws for every invalid input. */
async function refusing<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify()
  } catch (cause) {
    if (cause instanceof StoreFault) throw cause
    throw new Refusal('passkey_invalid', {}, { cause })
  }
}
