import { calls, type Passkey as PasskeyOnWire } from '@tollgate/api'
import type { Bindings } from '../../../accounts/users/login/identity-providers/bindings.ts'
import type { Users } from '../../../accounts/users/users.ts'
import { relyingParty } from '../../../lib/site-address.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { Passkey } from '../../../store/accounts/passkeys.ts'
import { browserCookie, readCookie } from '../../callers/session-cookie.ts'
import { type ConsoleRoute, route } from '../route.ts'
import { loginContextOf, requestOrigin, startBrowserSession } from './browser.ts'

interface Dependencies {
  readonly users: Pick<Users, 'passkeys' | 'loginFlow' | 'ownerOf'>
  readonly bindings: Pick<Bindings, 'removePasskey'>
  readonly settings: SettingsReader
}

const { passkeys: calling } = calls
const challengeCookie = { name: 'passkey_challenge', path: '/api/user/login' } as const
const challengeSeconds = 300

export function passkeyRoutes({ users, bindings, settings }: Dependencies): readonly ConsoleRoute[] {
  const { passkeys, loginFlow } = users
  const partyOf = (context: Parameters<typeof requestOrigin>[0]) =>
    relyingParty(settings.current.ServerAddress, requestOrigin(context))

  return [
    route(calling.registerOptions, async (_, context) => ({
      ...(await passkeys.registerOptions((await users.ownerOf(context)).user, partyOf(context))),
    })),
    route(calling.register, async ({ body: { name, credential } }, context) =>
      toWire(await passkeys.register(await users.ownerOf(context), name, credential, partyOf(context))),
    ),
    route(calling.list, async (_, { caller }) => (await passkeys.list(caller.userId)).map(toWire)),
    route(calling.rename, async ({ params, body }, { caller }) =>
      toWire(await passkeys.rename(caller.userId, params.id, body.name)),
    ),
    route(calling.delete, async ({ params }, context) =>
      bindings.removePasskey(await users.ownerOf(context), params.id),
    ),
    route(calling.loginOptions, async (_, context) => {
      const { options, browserSecret } = await passkeys.loginOptions(partyOf(context))
      const { secure, responseHeaders } = context
      const cookie = { ...challengeCookie, value: browserSecret, maxAgeSeconds: challengeSeconds, secure }
      responseHeaders.append('set-cookie', browserCookie(cookie))
      return { ...options }
    }),
    route(calling.login, async ({ body }, context) => {
      const secret = readCookie(context, challengeCookie.name)
      const user = await passkeys.verifyLogin(body.credential, secret, partyOf(context))
      return startBrowserSession(
        await loginFlow.openSession(user, loginContextOf(context), 'passkey'),
        context,
      )
    }),
  ]
}

function toWire({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyOnWire {
  return { id, name, created_at: createdAt, last_used_at: lastUsedAt }
}
