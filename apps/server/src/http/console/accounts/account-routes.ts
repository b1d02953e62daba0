import { calls, type Session } from '@tollgate/api'
import type { SecurityEvents } from '../../../accounts/users/login/security-events.ts'
import type { OwnSession } from '../../../accounts/users/login/sessions.ts'
import type { Users } from '../../../accounts/users/users.ts'
import type { Ledger } from '../../../billing/ledger-types.ts'
import { Refusal } from '../../../lib/refusal.ts'
import type { Caller } from '../../callers/caller.ts'
import { type ConsoleRoute, route } from '../route.ts'
import { clearSession, clientInfoOf, loginContextOf, occurrenceOf, respondToLogin } from './browser.ts'
import { toWireUser } from './user-wire.ts'

const { accounts } = calls

/** Calls by visitors without a session. */
export function visitorRoutes(users: Users): ConsoleRoute[] {
  const { checkHuman, sendVerificationCode, passwordReset } = users
  return [
    route(accounts.register, async ({ query, body }, { caller, clientAddress }) => {
      await users.register(body, {
        userId: caller?.userId,
        checkHuman: () => checkHuman(query.turnstile, clientAddress),
      })
    }),
    route(accounts.sendVerificationCode, async ({ query }, { caller, clientAddress, language }) => {
      await checkHuman(query.turnstile, clientAddress)
      await sendVerificationCode({ email: query.email, userId: caller?.userId, language })
    }),
    route(accounts.requestPasswordReset, async ({ query }, { clientAddress, language }) => {
      await checkHuman(query.turnstile, clientAddress)
      await passwordReset.request(query.email, language)
    }),
    route(accounts.resetPassword, ({ body }, context) => passwordReset.confirm(body, clientInfoOf(context))),
  ]
}

/** Calls by users about their own account. */
export function ownerRoutes(users: Users): ConsoleRoute[] {
  const { invitations, ownAccount } = users
  const createAccessToken = async (_: unknown, context: Parameters<Users['ownerOf']>[0]) =>
    users.accessTokens.replace(await users.ownerOf(context))
  return [
    route(accounts.updateSelf, async ({ body }, context) =>
      ownAccount.update(await users.ownerOf(context), body),
    ),
    route(accounts.deleteSelf, async (_, context) => {
      await ownAccount.close(await users.ownerOf(context))
      clearSession(context)
    }),
    route(accounts.createAccessToken, createAccessToken),
    route(accounts.createAccessTokenByGet, createAccessToken),
    route(accounts.inviteCode, async (_, { caller }) =>
      invitations.codeOf(await users.getUser(caller.userId)),
    ),
    route(accounts.transferInvitationQuota, ({ body }, { caller }) =>
      invitations.transfer(caller.userId, body.quota),
    ),
    route(accounts.confirmChatHost, async ({ body }, { caller }) =>
      ownAccount.confirmChatHost(await users.getUser(caller.userId), body.host),
    ),
    route(accounts.saveNotificationSetting, async ({ body }, { caller }) =>
      users.saveNotificationSetting(await users.getUser(caller.userId), body),
    ),
  ]
}

interface UserDependencies {
  readonly users: Users
  readonly ledger: Pick<Ledger, 'currentBalance' | 'unflushed'>
  readonly securityEvents: Pick<SecurityEvents, 'record'>
  /** The models that the user can call through all groups open to them, or through the one that is named; sorted, each once. */
  readonly modelsOf: (caller: Pick<Caller, 'userId' | 'group'>, only?: string) => Promise<readonly string[]>
}

export function userRoutes({ users, ledger, modelsOf, securityEvents }: UserDependencies): ConsoleRoute[] {
  return [
    route(calls.users.login, async ({ query, body }, context) => {
      await users.checkHuman(query.turnstile, context.clientAddress)
      return respondToLogin(await users.login({ ...body, ...loginContextOf(context) }), context)
    }),
    route(calls.users.logout, async (_, context) => {
      const { sessionId, caller } = context
      if (sessionId !== undefined) await users.sessions.end(sessionId)
      clearSession(context)
      if (caller !== undefined) await securityEvents.record(occurrenceOf('logout', { ...context, caller }))
    }),
    route(calls.users.self, async (_, { caller }) => toWireUser(await users.getUser(caller.userId), ledger)),
    route(calls.users.models, (_, { caller }) => modelsOf(caller)),
    route(calls.users.modelsOfGroup, ({ query }, { caller }) => modelsOf(caller, query.group)),
  ]
}

/** The browsers in which a user is logged in. */
export function sessionRoutes({ users, securityEvents }: SessionDependencies): readonly ConsoleRoute[] {
  const { sessions } = users
  return [
    route(calls.sessions.list, async (_, { caller, sessionId = '' }) =>
      (await sessions.listOwn(caller.userId, sessionId)).map(toWire),
    ),
    route(calls.sessions.end, async ({ params }, context) => {
      const isEnded = await sessions.endOwn(context.caller.userId, params.id)
      if (!isEnded) throw new Refusal('record_not_found')
      await securityEvents.record(occurrenceOf('sessions-ended', context))
    }),
    route(calls.sessions.endOthers, async (_, context) => {
      const ended = await sessions.endOthersOf(context.caller.userId, context.sessionId ?? '')
      if (ended > 0) await securityEvents.record(occurrenceOf('sessions-ended', context))
      return ended
    }),
  ]
}

interface SessionDependencies {
  readonly users: Pick<Users, 'sessions'>
  readonly securityEvents: Pick<SecurityEvents, 'record'>
}

function toWire({ id, isCurrent, userAgent, address, ...times }: OwnSession): Session {
  return {
    id,
    current: isCurrent,
    user_agent: userAgent,
    address,
    created_at: times.createdAt,
    last_seen_at: times.lastSeenAt,
    expires_at: times.expiresAt,
  }
}

/** The first visitor becomes root; one from another machine needs the code that this one printed. */
export function setupRoutes({ setup, setupCode }: Users): ConsoleRoute[] {
  return [
    route(calls.setup.read, async (_, { isLocal }) => {
      const status = await setup.status()
      return { ...status, code_required: !status.status && !isLocal }
    }),
    route(calls.setup.run, async ({ body }, { isLocal }) => {
      if (!isLocal && !(await setup.isDone())) await setupCode.check(body.code)
      await setup.run(body)
    }),
  ]
}
