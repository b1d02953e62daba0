/** A channel's key: a service account, or an API key of express mode, which serves Google's own models alone. */
export type VertexKey =
  | {
      readonly kind: 'service-account'
      readonly projectId: string
      readonly clientEmail: string
      readonly privateKey: string
      /** Empty when the account names none. */
      readonly privateKeyId: string
      readonly tokenUri: string
    }
  | { readonly kind: 'api-key'; readonly key: string }

const usualTokenUri = 'https://oauth2.googleapis.com/token'

/**
 * The service account as Google's console saves it, in one line or many; any other text is an API key.
 * https://cloud.google.com/iam/docs/keys-create-delete
 * @throws TypeError for JSON that is no service account
 */
export function readVertexKey(key: string): VertexKey {
  const text = key.trim()
  if (!text.startsWith('{')) return { kind: 'api-key', key: text }
  const account = parsed(text)
  const projectId = field(account, 'project_id')
  const clientEmail = field(account, 'client_email')
  const privateKey = field(account, 'private_key')
  // The project becomes a part of the address: nothing else may stand there.
  if (!/^[a-z0-9.:-]+$/.test(projectId) || clientEmail === '' || privateKey === '') throw malformed()
  return {
    kind: 'service-account',
    projectId,
    clientEmail,
    // Pasted through forms and shells, its line breaks arrive as two characters.
    privateKey: privateKey.replaceAll('\\n', '\n'),
    privateKeyId: field(account, 'private_key_id'),
    tokenUri: field(account, 'token_uri') || usualTokenUri,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformed()
  }
}

function field(account: unknown, name: string): string {
  const value = (account as Readonly<Record<string, unknown>> | null)?.[name]
  return typeof value === 'string' ? value : ''
}

function malformed(): TypeError {
  return new TypeError('the key must be the JSON of a service account, with its project_id')
}
