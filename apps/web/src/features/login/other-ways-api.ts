import { mutationOptions } from '@tanstack/react-query'
import { calls, type SessionUser } from '@tollgate/api'
import type { TelegramIdentity } from '../../components/sign-in/telegram-message.ts'
import { request } from '../../lib/api-client.ts'

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

/** Whether this browser can take the options as the server sends them. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

/** Lets the person choose a passkey; `null` when they would rather not. */
export const loginByPasskey = mutationOptions({
  async mutationFn(): Promise<SessionUser | null> {
    const options = await request(calls.passkeys.loginOptions)
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
      options as unknown as PublicKeyCredentialRequestOptionsJSON,
    )
    const chosen = await navigator.credentials.get({ publicKey }).catch(nothingWhenDeclined)
    if (!(chosen instanceof PublicKeyCredential)) return null
    const { id, rawId, response, clientExtensionResults } = chosen.toJSON()
    const credential = {
      id,
      rawId,
      type: 'public-key' as const,
      response: { ...response },
      clientExtensionResults: { ...clientExtensionResults },
    }
    return request(calls.passkeys.login, { body: { credential } })
  },
  meta: { silent: true },
})

/** Browsers say the same of "no", "none here" and "too late". */
function nothingWhenDeclined(cause: unknown): null {
  if (cause instanceof DOMException && (cause.name === 'NotAllowedError' || cause.name === 'AbortError'))
    return null
  throw cause
}
