import { calls, recentProofSeconds } from '@tollgate/api'
import type { SignInParts } from '../../../accounts/users/login/identity-providers/create-sign-in-parts.ts'
import {
  offeredIdentities,
  type ProviderIdentity,
} from '../../../accounts/users/login/identity-providers/providers.ts'
import type { Users } from '../../../accounts/users/users.ts'
import { relyingParty, siteAddress } from '../../../lib/site-address.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { User } from '../../../store/accounts/users.ts'
import { type ConsoleRoute, route } from '../route.ts'
import { requestOrigin, takeFlowCookie } from './browser.ts'

interface Dependencies extends Pick<SignInParts, 'oauthSignIn' | 'identities' | 'signIn'> {
  readonly users: Users
  readonly settings: SettingsReader
}

const { proofs } = calls

type Proving = Parameters<Users['ownerOf']>[0]

/** Fresh proofs of identity by a logged-in user; the session stores the time of the last one. */
export function proofRoutes(deps: Dependencies): readonly ConsoleRoute[] {
  const { users, oauthSignIn, identities, signIn, settings } = deps
  const { reauthentication, secondFactors, passkeys, sessions } = users
  const partyOf = (context: Parameters<typeof requestOrigin>[0]) =>
    relyingParty(settings.current.ServerAddress, requestOrigin(context))
  // The account is read before the proof is checked: what changes meanwhile ends the proof.
  const noted = async (context: Proving, prove: (user: User) => Promise<void>) => {
    const owner = await users.ownerOf(context)
    await prove(owner.user)
    await sessions.markProven(owner)
  }
  const notedIdentity = (context: Proving, identify: () => Promise<ProviderIdentity>) =>
    noted(context, async ({ id }) => signIn.prove(await identify(), id))

  return [
    route(proofs.ways, async (_, { caller }) => {
      const user = await users.getUser(caller.userId)
      const own = await reauthentication.methodsOf(user)
      const providers = offeredIdentities(user, settings.current)
      return { ...own, providers, proven_until: caller.provenAt + recentProofSeconds }
    }),
    route(proofs.byPassword, ({ body }, context) =>
      noted(context, (user) => reauthentication.byPassword(user, body.password)),
    ),
    route(proofs.byCode, ({ body }, context) =>
      noted(context, ({ id }) => secondFactors.verify(id, body.code)),
    ),
    route(proofs.passkeyOptions, async (_, context) => ({
      ...(await passkeys.proofOptions(context.caller.userId, partyOf(context))),
    })),
    route(proofs.byPasskey, ({ body }, context) =>
      noted(context, ({ id }) => passkeys.verifyProof(id, body.credential, partyOf(context))),
    ),
    route(proofs.byCodeProvider, ({ params: { provider }, body }, context) => {
      const siteOrigin = siteAddress(settings.current.ServerAddress, requestOrigin(context))
      const browserSecret = takeFlowCookie(body.state, context)
      return noted(context, ({ id: userId }) =>
        oauthSignIn.prove(provider, body, { userId, browserSecret, siteOrigin }),
      )
    }),
    route(proofs.byWechat, ({ body }, context) => notedIdentity(context, () => identities.weChat(body.code))),
    route(proofs.byTelegram, ({ body }, context) => notedIdentity(context, () => identities.telegram(body))),
  ]
}
