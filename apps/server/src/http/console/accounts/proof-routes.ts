import { calls, recentProofSeconds } from '@tollgate/api'
import { relyingParty, siteAddress } from '../../../lib/site-address.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { OAuthSignIn } from '../../../sign-in/oauth-sign-in.ts'
import type { OtherSignIn } from '../../../sign-in/other-sign-in.ts'
import { offeredIdentities } from '../../../sign-in/providers.ts'
import type { Users } from '../../../users/users.ts'
import { requestOrigin } from '../request-origin.ts'
import { type Caller, type ConsoleRoute, route } from '../route.ts'
import { takeFlowCookie } from './flow-cookie.ts'

interface Dependencies {
  readonly users: Pick<Users, 'getUser' | 'reauthentication' | 'passkeys' | 'secondFactors' | 'sessions'>
  readonly oauthSignIn: Pick<OAuthSignIn, 'prove'>
  readonly otherSignIn: Pick<OtherSignIn, 'proveByWeChat' | 'proveByTelegram'>
  readonly settings: SettingsReader
}

const { proofs } = calls

interface Proving {
  readonly caller: Caller
  readonly sessionId: string | undefined
}

/** Somebody who is logged in proves once more who they are: whatever the proof, it is noted in their session. */
export function proofRoutes(deps: Dependencies): readonly ConsoleRoute[] {
  const { users, oauthSignIn, otherSignIn, settings } = deps
  const { reauthentication, secondFactors, passkeys, sessions } = users
  const partyOf = (context: Parameters<typeof requestOrigin>[0]) =>
    relyingParty(settings.current.ServerAddress, requestOrigin(context))
  const noted = async (proof: Promise<void>, { sessionId = '' }: Proving) => {
    await proof
    await sessions.markProven(sessionId)
    return { data: undefined }
  }
  const byPassword = async ({ userId }: Caller, password: string) =>
    reauthentication.byPassword(await users.getUser(userId), password)

  return [
    route(proofs.ways, async (_, { caller }) => {
      const user = await users.getUser(caller.userId)
      const own = await reauthentication.methodsOf(user)
      const providers = offeredIdentities(user, settings.current)
      return { data: { ...own, providers, proven_until: caller.provenAt + recentProofSeconds } }
    }),
    route(proofs.byPassword, ({ body }, context) =>
      noted(byPassword(context.caller, body.password), context),
    ),
    route(proofs.byCode, ({ body }, context) =>
      noted(secondFactors.verify(context.caller.userId, body.code), context),
    ),
    route(proofs.passkeyOptions, async (_, context) => ({
      data: { ...(await passkeys.proofOptions(context.caller.userId, partyOf(context))) },
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
      noted(otherSignIn.proveByWeChat(body.code ?? '', context.caller.userId), context),
    ),
    route(proofs.byTelegram, ({ body }, context) =>
      noted(otherSignIn.proveByTelegram(body, context.caller.userId), context),
    ),
  ]
}
