import type { CallData, calls } from '@tollgate/api'

/** Decides whether this browser can log in with a passkey from the options that the server sends. */
export function supportsPasskeys(): boolean {
  return 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

/** Decides whether this browser can create a passkey; browsers allow it only over HTTPS or on the machine itself. */
export function supportsPasskeyCreation(): boolean {
  return 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

/** Lets the person choose a passkey and sign with it; `undefined` when they decline. */
export function signByPasskey(options: CallData<typeof calls.passkeys.loginOptions>) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  return credentialOf(navigator.credentials.get({ publicKey }))
}

/** Creates a passkey on the device; `undefined` when the person declines, or the device has one for the account. */
export function createPasskeyCredential(options: CallData<typeof calls.passkeys.registerOptions>) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  return credentialOf(navigator.credentials.create({ publicKey }))
}

/** Browsers report "no", "none here", "too late" and "one already" by these errors. */
const declined = ['NotAllowedError', 'AbortError', 'InvalidStateError']

/** The credential as the server reads it. */
async function credentialOf(requested: Promise<Credential | null>) {
  const credential = await requested.catch((cause: unknown) => {
    if (cause instanceof DOMException && declined.includes(cause.name)) return null
    throw cause
  })
  if (!(credential instanceof PublicKeyCredential)) return undefined
  const { id, rawId, response, clientExtensionResults } = credential.toJSON()
  return {
    id,
    rawId,
    type: 'public-key' as const,
    response: { ...response },
    clientExtensionResults: { ...clientExtensionResults },
  }
}
