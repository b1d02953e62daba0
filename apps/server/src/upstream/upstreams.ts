import type { HttpExchange, RequestBody } from '@tollgate/http/client'
import type { ExchangedCredential, Operation, SignedCredential, UpstreamEndpoint } from '@tollgate/providers'
import type { OutboundGuard } from '../lib/outbound-guard.ts'
import { askToken } from './credentials/ask-token.ts'
import { signingTools } from './credentials/signing-tools.ts'
import type { TokenExchange } from './credentials/token-exchange.ts'
import { type RequestTarget, RequestTargets, requestTarget } from './request-target.ts'
import type { Send, Transport, TransportRequest } from './transport.ts'
import { callTarget, channelTarget, type UpstreamChannel } from './upstream-channel.ts'

/** One call of an operation, as an upstream is to get it. */
export interface UpstreamCall {
  readonly channel: UpstreamChannel
  readonly keyIndex: number
  readonly operation: Operation
  readonly upstreamModel: string
  readonly stream: boolean
  /** As text, whole or in pieces. */
  readonly body: string | readonly string[]
  /** Header fields of the caller that go along, as one text per field; empty for none. */
  readonly callerHeaders: Readonly<Record<string, string>>
  /** The same of its query, question mark included; empty for none. */
  readonly query: string
}

/** A question to an upstream that is no call of an operation: a list of models, a token. */
export interface UpstreamQuestion {
  readonly channel: UpstreamChannel
  readonly keyIndex: number
  readonly endpoint: UpstreamEndpoint
  readonly body: string
}

/** The one way out: relayed calls, channel tests, lists of models and probes are all sent by it. */
export interface Upstreams {
  /** Throws `TypeError` for an address, a key or a header that cannot be sent. */
  send(call: UpstreamCall): HttpExchange | Promise<Send>
  ask(question: UpstreamQuestion): HttpExchange | Promise<Send>
  /**
   * The upstream answered 401: a token that the key was exchanged for is forgotten. True when there was one, so that
   * asking again may help.
   */
  tokenRefused(channel: UpstreamChannel, keyIndex: number): boolean
}

export interface UpstreamsDependencies {
  readonly transport: Transport
  readonly tokens: TokenExchange
  /** Keeps addresses that somebody below root chose away from private networks. */
  readonly guard: OutboundGuard
}

export function createUpstreams(deps: UpstreamsDependencies): Upstreams {
  return new ChannelUpstreams(deps)
}

class ChannelUpstreams implements Upstreams {
  readonly #deps: UpstreamsDependencies
  readonly #targets = new RequestTargets<UpstreamChannel>()
  /** The token that a channel's key was last used with. */
  readonly #used = new WeakMap<UpstreamChannel, Map<number, string>>()

  constructor(deps: UpstreamsDependencies) {
    this.#deps = deps
  }

  send(call: UpstreamCall): HttpExchange | Promise<Send> {
    const { channel, keyIndex, operation, upstreamModel, stream, body, callerHeaders, query } = call
    if (channel.provider.credential.kind === 'headers')
      return this.#transmit(channel, this.#keptTarget(call), sendable(body))
    const target = callTarget(channel, keyIndex, upstreamModel)
    const endpoint = operation.endpoint(target, { stream, query, headers: callerHeaders })
    const text = typeof body === 'string' ? body : body.join('')
    return this.#prove(channel, keyIndex, withCaller(endpoint, callerHeaders), text)
  }

  ask({ channel, keyIndex, endpoint, body }: UpstreamQuestion): HttpExchange | Promise<Send> {
    return this.#prove(channel, keyIndex, endpoint, body)
  }

  tokenRefused(channel: UpstreamChannel, keyIndex: number): boolean {
    const token = this.#used.get(channel)?.get(keyIndex)
    if (token === undefined) return false
    this.#deps.tokens.refused(channel.provider.id, channelTarget(channel, keyIndex), token)
    this.#used.get(channel)?.delete(keyIndex)
    return true
  }

  #keptTarget(call: UpstreamCall): RequestTarget {
    const { channel, keyIndex, operation, upstreamModel, stream, callerHeaders, query } = call
    const caller = `${query}${headersText(callerHeaders)}`
    const place = `${operation.format} ${keyIndex} ${stream ? 's' : 'w'} ${caller} ${upstreamModel}`
    return this.#targets.find(channel, place, () => {
      const target = callTarget(channel, keyIndex, upstreamModel)
      const endpoint = operation.endpoint(target, { stream, query, headers: callerHeaders })
      return requestTarget(withHeaders(endpoint, authorizationOf(channel, keyIndex)), callerHeaders)
    })
  }

  #prove(
    channel: UpstreamChannel,
    keyIndex: number,
    endpoint: UpstreamEndpoint,
    body: string,
  ): HttpExchange | Promise<Send> {
    const { credential } = channel.provider
    if (credential.kind === 'signed') return this.#sign(channel, keyIndex, credential, endpoint, body)
    if (credential.kind === 'exchanged') return this.#exchange(channel, keyIndex, credential, endpoint, body)
    const target = requestTarget(withHeaders(endpoint, authorizationOf(channel, keyIndex)))
    return this.#transmit(channel, target, body)
  }

  #sign(
    channel: UpstreamChannel,
    keyIndex: number,
    credential: SignedCredential,
    endpoint: UpstreamEndpoint,
    body: string,
  ): HttpExchange | Promise<Send> {
    const { method = 'POST' } = endpoint
    const unsigned = { ...endpoint, method, body }
    const signed = credential.sign(unsigned, channelTarget(channel, keyIndex), signingTools(Date.now()))
    return this.#transmit(channel, requestTarget({ ...signed, method }), body)
  }

  #exchange(
    channel: UpstreamChannel,
    keyIndex: number,
    credential: ExchangedCredential,
    endpoint: UpstreamEndpoint,
    body: string,
  ): HttpExchange | Promise<Send> {
    const target = channelTarget(channel, keyIndex)
    const requestWith = (token: string) => {
      this.#remember(channel, keyIndex, token)
      const authorized = withHeaders(endpoint, credential.headers(target, token))
      return this.#request(channel, requestTarget(authorized), body)
    }
    const { transport, tokens } = this.#deps
    const token = tokens.token(channel.provider.id, credential, target, (request) =>
      askToken(() => transport.send(this.#request(channel, requestTarget(request), request.body))),
    )
    if (typeof token === 'string') return transport.send(requestWith(token))
    return token.then((known) => transport.prepare(requestWith(known)))
  }

  #remember(channel: UpstreamChannel, keyIndex: number, token: string): void {
    const used = this.#used.get(channel) ?? new Map<number, string>()
    this.#used.set(channel, used.set(keyIndex, token))
  }

  #transmit(
    channel: UpstreamChannel,
    target: RequestTarget,
    body: RequestBody,
  ): HttpExchange | Promise<Send> {
    return this.#deps.transport.send(this.#request(channel, target, body))
  }

  #request(
    { baseUrlTrusted, setting }: UpstreamChannel,
    target: RequestTarget,
    body: RequestBody,
  ): TransportRequest {
    const guard = baseUrlTrusted ? undefined : this.#deps.guard
    return { target, body, guard, proxy: setting.proxy }
  }
}

/** Pieces as bytes: texts would be put together first. */
function sendable(body: string | readonly string[]): RequestBody {
  return typeof body === 'string' ? body : body.map((piece) => Buffer.from(piece))
}

function authorizationOf(channel: UpstreamChannel, keyIndex: number): Readonly<Record<string, string>> {
  const { credential } = channel.provider
  return credential.kind === 'headers' ? credential.headers(channelTarget(channel, keyIndex)) : {}
}

function withHeaders(
  endpoint: UpstreamEndpoint,
  headers: Readonly<Record<string, string>>,
): UpstreamEndpoint {
  return { ...endpoint, headers: { ...endpoint.headers, ...headers } }
}

/** The endpoint's own fields come before the caller's. */
function withCaller(endpoint: UpstreamEndpoint, caller: Readonly<Record<string, string>>): UpstreamEndpoint {
  return { ...endpoint, headers: { ...caller, ...endpoint.headers } }
}

const noHeadersText = ''

function headersText(headers: Readonly<Record<string, string>>): string {
  let text = noHeadersText
  for (const name in headers) text += `${name}:${headers[name]}\n`
  return text
}
