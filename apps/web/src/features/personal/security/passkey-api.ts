import { calls, type Passkey } from '@tollgate/api'
import { request } from '../../../lib/api-client.ts'

/** Whether this browser can take the options as the server sends them; only over HTTPS, or on the machine itself. */
export function canMakePasskeys(): boolean {
  return 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

/** Has the device make a passkey; `undefined` when the person would rather not, or it has one already. */
export async function makePasskey(name: string): Promise<Passkey | undefined> {
  const options = await request(calls.passkeys.registerOptions)
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  const made = await navigator.credentials.create({ publicKey }).catch(nothingWhenDeclined)
  if (!(made instanceof PublicKeyCredential)) return undefined
  const { id, rawId, response, clientExtensionResults } = made.toJSON()
  const credential = {
    id,
    rawId,
    type: 'public-key' as const,
    response: { ...response },
    clientExtensionResults: { ...clientExtensionResults },
  }
  return request(calls.passkeys.register, { body: { name, credential } })
}

function nothingWhenDeclined(cause: unknown): null {
  const declined = ['NotAllowedError', 'AbortError', 'InvalidStateError']
  if (cause instanceof DOMException && declined.includes(cause.name)) return null
  throw cause
}
