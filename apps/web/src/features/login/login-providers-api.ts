import { mutationOptions } from '@tanstack/react-query'
import { calls, type SessionUser } from '@tollgate/api'
import type { TelegramIdentity } from '../../components/sign-in/telegram-message.ts'
import { request } from '../../lib/api-client.ts'
import { signByPasskey } from '../../lib/passkey.ts'

/** Not called but opened: it sends the browser to the provider. */
export const startSignIn = calls.oauth.start

export const loginByWechat = mutationOptions({
  mutationFn: (code: string) => request(calls.oauth.wechat, { query: { code } }),
  meta: { silent: true },
})

export const loginByTelegram = mutationOptions({
  mutationFn: (query: TelegramIdentity) => request(calls.oauth.telegramLogin, { query }),
  meta: { silent: true },
})

/** Lets the person choose a passkey; `null` when they would rather not. */
export const loginByPasskey = mutationOptions({
  async mutationFn(): Promise<SessionUser | null> {
    const credential = await signByPasskey(await request(calls.passkeys.loginOptions))
    return credential ? request(calls.passkeys.login, { body: { credential } }) : null
  },
  meta: { silent: true },
})
