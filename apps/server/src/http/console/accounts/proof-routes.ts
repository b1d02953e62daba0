import { calls, recentProofSeconds } from '@tollgate/api'
import { relyingParty, siteAddress } from '../../../lib/site-address.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { SignInParts } from '../../../sign-in/create-sign-in-parts.ts'
import { offeredIdentities, type ProviderIdentity } from '../../../sign-in/providers.ts'
import type { Users } from '../../../users/users.ts'
import { type Caller, type ConsoleRoute, route } from '../route.ts'
import { requestOrigin, takeFlowCookie } from './browser.ts'

interface Dependencies extends Pick<SignInParts, 'oauthSignIn' | 'identities' | 'signIn'> {
  readonly users: Users
  readonly settings: SettingsReader
}

const { proofs } = calls

interface Proving {
  readonly caller: Caller
  readonly sessionId: string | undefined
}

/** Fresh proofs of identity by a logged-in user; the session stores the time of the last one. */
export function proofRoutes(deps: Dependencies): readonly ConsoleRoute[] {
  const { users, oauthSignIn, identities, signIn, settings } = deps
  const { reauthentication, secondFactors, passkeys, sessions } = users
  const partyOf = (context: Parameters<typeof requestOrigin>[0]) =>
    relyingParty(settings.current.ServerAddress, requestOrigin(context))
  const noted = async (proof: Promise<void>, { sessionId = '' }: Proving) => {
    await proof
    await sessions.markProven(sessionId)
  }
  const byIdentity = async (identity: Promise<ProviderIdentity>, { userId }: Caller) =>
    signIn.prove(await identity, userId)
  const byPassword = async ({ userId }: Caller, password: string) =>
    reauthentication.byPassword(await users.getUser(userId), password)

  return [
    route(proofs.ways, async (_, { caller }) => {
      const user = await users.getUser(caller.userId)
      const own = await reauthentication.methodsOf(user)
      const providers = offeredIdentities(user, settings.current)
      return { ...own, providers, proven_until: caller.provenAt + recentProofSeconds }
    }),
    route(proofs.byPassword, ({ body }, context) =>
      noted(byPassword(context.caller, body.password), context),
    ),
    route(proofs.byCode, ({ body }, context) =>
      noted(secondFactors.verify(context.caller.userId, body.code), context),
    ),
    route(proofs.passkeyOptions, async (_, context) => ({
      ...(await passkeys.proofOptions(context.caller.userId, partyOf(context))),
    })),
    route(proofs.byPasskey, ({ body }, context) =>
      noted(passkeys.verifyProof(context.caller.userId, body.credential, partyOf(context)), context),
    ),
    route(proofs.byCodeProvider, ({ params: { provider }, body }, context) => {
      const { userId } = context.caller
      const siteOrigin = siteAddress(settings.current.ServerAddress, requestOrigin(context))
      const flowContext = { userId, browserSecret: takeFlowCookie(body.state, context), siteOrigin }
      return noted(oauthSignIn.prove(provider, body, flowContext), context)
    }),
    route(proofs.byWechat, ({ body }, context) =>
      noted(byIdentity(identities.weChat(body.code), context.caller), context),
    ),
    route(proofs.byTelegram, ({ body }, context) =>
      noted(byIdentity(identities.telegram(body), context.caller), context),
    ),
  ]
}
