import { calls } from '@tollgate/api'
import type { SelfService } from '../../../users/self-service.ts'
import type { Users } from '../../../users/users.ts'
import { type Caller, type ConsoleRoute, route } from '../route.ts'
import { successMessages } from '../success-messages.ts'
import { clearSession } from './login-response.ts'

interface Dependencies {
  readonly users: Pick<Users, 'getUser' | 'accessTokens'>
  readonly selfService: SelfService
}

const nothing = { data: undefined }
const { accounts } = calls

export function accountRoutes({ users, selfService }: Dependencies): ConsoleRoute[] {
  return [...visitorRoutes(selfService), ...ownerRoutes({ users, selfService })]
}

/** Calls of people who have no account, or cannot get into it. */
function visitorRoutes(selfService: SelfService): ConsoleRoute[] {
  const { checkHuman, sendVerificationCode, passwordReset } = selfService
  return [
    route(accounts.register, async ({ query, body }, { caller, clientAddress }) => {
      await selfService.register(body, {
        userId: caller?.userId,
        checkHuman: () => checkHuman(query.turnstile, clientAddress),
      })
      return nothing
    }),
    route(accounts.sendVerificationCode, async ({ query }, { caller, clientAddress, language }) => {
      await checkHuman(query.turnstile, clientAddress)
      await sendVerificationCode({ email: query.email, userId: caller?.userId, language })
      return nothing
    }),
    route(accounts.requestPasswordReset, async ({ query }, { clientAddress, language }) => {
      await checkHuman(query.turnstile, clientAddress)
      await passwordReset.request(query.email, language)
      return nothing
    }),
    route(accounts.resetPassword, async ({ body }, { language, clientAddress: address }) => ({
      data: await passwordReset.confirm(body, { language, address }),
    })),
  ]
}

/** Calls of people about the account that they are logged in to. */
function ownerRoutes({ users, selfService }: Dependencies): ConsoleRoute[] {
  const { invitations } = selfService
  const createAccessToken = async (_: unknown, { caller }: { readonly caller: Caller }) => ({
    data: await users.accessTokens.replace(caller.userId),
  })
  return [
    route(accounts.updateSelf, async ({ body }, { caller, sessionId }) => {
      await selfService.updateSelf(await users.getUser(caller.userId), body, sessionId)
      return nothing
    }),
    route(accounts.deleteSelf, async (_, { caller, responseHeaders }) => {
      await selfService.closeAccount(await users.getUser(caller.userId))
      clearSession({ responseHeaders })
      return nothing
    }),
    route(accounts.createAccessToken, createAccessToken),
    route(accounts.createAccessTokenByGet, createAccessToken),
    route(accounts.inviteCode, async (_, { caller }) => ({
      data: await invitations.codeOf(await users.getUser(caller.userId)),
    })),
    route(accounts.transferInvitationQuota, async ({ body }, { caller, language }) => {
      await invitations.transfer(caller.userId, body.quota)
      return { ...nothing, message: successMessages.transferred[language] }
    }),
    route(accounts.confirmChatHost, async ({ body }, { caller }) => ({
      data: await selfService.confirmChatHost(await users.getUser(caller.userId), body.host),
    })),
    route(accounts.saveNotificationSetting, async ({ body }, { caller, language }) => {
      await selfService.saveNotificationSetting(await users.getUser(caller.userId), body)
      return { ...nothing, message: successMessages.settingSaved[language] }
    }),
  ]
}
