import type { Call } from '../call.ts'
import type { JsonSchema, SecurityRequirement } from './document-types.ts'

/** Every way to prove who is calling. */
export const securitySchemes: Readonly<Record<string, JsonSchema>> = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'session',
    description:
      'Set by a login; over https its name is `__Host-session`. Where a request has one, a system access token beside it is not looked at.',
  },
  userHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'New-Api-User',
    description: 'The id of the user who calls. It must be the one that the session or the token belongs to.',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The system access token that a user makes for themselves. `Bearer` may be left out.',
  },
  relayKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, `sk-…`, as relayed calls use it.',
  },
  anthropicKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'An API key as clients of Anthropic send it.',
  },
  geminiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-goog-api-key',
    description: 'An API key as clients of Gemini send it; `?key=` is read too.',
  },
  signature: {
    type: 'http',
    scheme: 'signature',
    description:
      'A signature over the request with the secret that its sender shares with this server, where the sender’s protocol has it. No session opens such a call.',
  },
}

/** Whether no use of a call is open to a system access token. */
export function needsSession({ access, sessionOnly, recentProof }: Call): boolean {
  if (sessionOnly === true || recentProof === undefined) return sessionOnly === true
  return access !== 'public' && (recentProof === true || recentProof.forField === undefined)
}

/** What a call asks for: any one of the requirements is enough, none at all means everybody. */
export function securityOf(call: Call): readonly SecurityRequirement[] {
  const { access, cookieOnly } = call
  switch (access) {
    case 'public':
      return []
    case 'signature':
      return [{ signature: [] }]
    case 'relay-key':
      return [{ relayKey: [] }]
    default: {
      if (cookieOnly) return [{ session: [access] }]
      const bySession = { session: [access], userHeader: [] }
      return needsSession(call) ? [bySession] : [bySession, { accessToken: [access], userHeader: [] }]
    }
  }
}
