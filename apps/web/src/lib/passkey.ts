import type { CallData, calls } from '@tollgate/api'

/** Whether this browser can take the options as the server sends them. */
export function hasPasskeys(): boolean {
  return 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

/** Lets the person choose a passkey and has it sign; `undefined` when they would rather not. */
export async function signByPasskey(options: CallData<typeof calls.passkeys.loginOptions>) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  const chosen = await navigator.credentials.get({ publicKey }).catch(nothingWhenDeclined)
  if (!(chosen instanceof PublicKeyCredential)) return undefined
  const { id, rawId, response, clientExtensionResults } = chosen.toJSON()
  return {
    id,
    rawId,
    type: 'public-key' as const,
    response: { ...response },
    clientExtensionResults: { ...clientExtensionResults },
  }
}

/** Browsers say the same of "no", "none here" and "too late". */
function nothingWhenDeclined(cause: unknown): null {
  if (cause instanceof DOMException && (cause.name === 'NotAllowedError' || cause.name === 'AbortError'))
    return null
  throw cause
}
