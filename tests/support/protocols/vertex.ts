import { createVerify, generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pause } from '../upstream/sending.ts'
import { anthropicProtocol } from './anthropic.ts'
import { geminiProtocol } from './gemini.ts'
import { openAiProtocol } from './openai.ts'
import type { Protocol, ReceivedCall } from './protocol.ts'

/** Gives tokens to the service account whose key it made. */
export interface TokenIssuer {
  /** A channel's key: the service account as JSON. */
  readonly key: string
  /** Tokens given out so far. */
  readonly issued: number
  accepts(token: string): boolean
  /** The tokens given out until now are worth nothing any more. */
  revoke(): void
  stop(): Promise<void>
}

const project = 'house-1'

/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const tokens = new Set<string>()
  let issued = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    // Long enough for calls side by side to meet.
    await pause(50)
    const fault = assertionFault(Buffer.concat(chunks).toString(), publicKey)
    issued += fault === undefined ? 1 : 0
    const token = `ya29.token-${issued}`
    if (fault === undefined) tokens.add(token)
    response.writeHead(fault === undefined ? 200 : 400, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(
        fault === undefined
          ? { access_token: token, expires_in: 3599, token_type: 'Bearer' }
          : { error: 'invalid_grant', error_description: fault },
      ),
    )
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const account = {
    type: 'service_account',
    project_id: project,
    private_key_id: 'kid-1',
    private_key: privateKey,
    client_email: `relay@${project}.iam.gserviceaccount.com`,
    token_uri: `http://127.0.0.1:${port}/token`,
  }
  return {
    key: JSON.stringify(account),
    get issued() {
      return issued
    },
    accepts: (token) => tokens.has(token),
    revoke: () => tokens.clear(),
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function assertionFault(body: string, publicKey: string): string | undefined {
  const form = new URLSearchParams(body)
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') return 'Invalid grant_type'
  const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
  const signed = createVerify('RSA-SHA256').update(`${head}.${claims}`)
  if (!signed.verify(publicKey, Buffer.from(signature, 'base64url'))) return 'Invalid JWT Signature.'
  const { exp, iat, scope } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const now = Date.now() / 1000
  if (exp - iat !== 3600 || iat > now + 60 || exp < now) return 'Invalid JWT: exp and iat'
  return scope === 'https://www.googleapis.com/auth/cloud-platform' ? undefined : 'Invalid scope'
}

/** Vendor of the models in a path, and the call that its host reads instead of it. */
interface Position {
  readonly protocol: Protocol
  readonly region: string
  readonly inner: ReceivedCall
}

const paths =
  /^\/v1\/projects\/house-1\/locations\/([a-z0-9-]+)\/(?:publishers\/(google|anthropic)\/models\/([^/:]+):(\w+)|endpoints\/openapi\/chat\/completions)$/

/** Vertex AI: each vendor's models in the vendor's own form, behind tokens of one service account. */
export function vertexProtocol(issuer: TokenIssuer): Protocol {
  const at = (call: ReceivedCall) => positionOf(call) ?? { protocol: openAiProtocol, region: '', inner: call }
  return {
    streamType: 'text/event-stream; charset=utf-8',
    wantsStream: (call) => at(call).protocol.wantsStream(at(call).inner),
    fault(call) {
      const position = positionOf(call)
      if (position === undefined) return { status: 404, message: `no such path: ${call.path}` }
      const token = /^Bearer (.+)$/.exec(call.headers.authorization ?? '')?.[1] ?? ''
      if (!issuer.accepts(token)) return { status: 401, message: 'invalid authentication credentials' }
      const leaked = ['x-api-key', 'x-goog-api-key', 'anthropic-version'].find((name) => name in call.headers)
      if (leaked !== undefined) return { status: 400, message: `${leaked} is not for this address` }
      return claudeFault(position, call) ?? position.protocol.fault(position.inner)
    },
    frames: (reply, call) => at(call).protocol.frames(reply, at(call).inner),
    buffered: (reply, call) => at(call).protocol.buffered(reply, at(call).inner),
    refusal: geminiProtocol.refusal,
    failure: geminiProtocol.failure,
    modelOf: (call) => at(call).protocol.modelOf(at(call).inner),
    reported: (call) => at(call).protocol.reported(at(call).inner),
  }
}

/** The region that a call was sent to; empty for a path without one. */
export function regionOf({ path }: ReceivedCall): string {
  return paths.exec(path)?.[1] ?? ''
}

function positionOf(call: ReceivedCall): Position | undefined {
  const match = paths.exec(call.path)
  if (match === null) return undefined
  const [, region = '', publisher, model = '', verb = ''] = match
  if (publisher === 'google') {
    const headers = { ...call.headers, 'x-goog-api-key': 'stands for the token' }
    return {
      protocol: geminiProtocol,
      region,
      inner: { ...call, path: `/v1beta/models/${model}:${verb}`, headers },
    }
  }
  if (publisher === undefined)
    return { protocol: openAiProtocol, region, inner: { ...call, path: '/v1/chat/completions' } }
  const headers = { ...call.headers, 'anthropic-version': '2023-06-01' }
  const json = { ...call.json, model }
  return { protocol: anthropicProtocol, region, inner: { ...call, path: '/v1/messages', headers, json } }
}

const knownBetas = /^((context-1m|interleaved-thinking|web-search)-[\d-]+)?$/

/** The address holds the model, the body the version, and both say whether to stream. */
function claudeFault({ protocol }: Position, { json, path, headers }: ReceivedCall) {
  if (protocol !== anthropicProtocol) return undefined
  if (json.anthropic_version !== 'vertex-2023-10-16')
    return { status: 400, message: 'anthropic_version: Field required' }
  if ('model' in json) return { status: 400, message: 'model: Extra inputs are not permitted' }
  if (path.endsWith(':streamRawPredict') !== (json.stream === true))
    return { status: 400, message: 'stream does not fit the address' }
  const betas = (headers['anthropic-beta'] ?? '').split(',')
  return betas.every((beta) => knownBetas.test(beta))
    ? undefined
    : { status: 400, message: 'Unexpected value(s) for the anthropic-beta header' }
}
