import type { HttpExchange, RequestBody } from '@tollgate/http/client'
import {
  defaultModelOptions,
  type EndpointCall,
  type ExchangedCredential,
  type ModelOptions,
  type Operation,
  type SignedCredential,
  type UpstreamEndpoint,
} from '@tollgate/providers'
import type { OutboundGuard } from '../lib/outbound/outbound-guard.ts'
import { signingTools, type TokenExchange, TokenExchangeError } from './credentials.ts'
import { readSmall } from './query.ts'
import { bytesOfPieces, type FormBody, isForm, type SentBody, sentText } from './request-body/sent-body.ts'
import {
  callTarget,
  channelTarget,
  type RequestTarget,
  RequestTargets,
  requestTarget,
  type UpstreamChannel,
} from './request-target.ts'
import type { Send, Transport, TransportRequest } from './transport.ts'
import type { WebSocketRequest } from './websocket/exchange.ts'
import { WebSocketSession } from './websocket/session.ts'

/** One call of an operation, as an upstream receives it. */
export interface UpstreamCall {
  readonly channel: UpstreamChannel
  readonly keyIndex: number
  readonly operation: Operation
  readonly upstreamModel: string
  /** Name of the model as the caller wrote it; absent for the gateway's own calls. */
  readonly callerModel?: string
  readonly stream: boolean
  readonly body: SentBody
  /** The caller's forwarded header fields, one text per field; may be empty. */
  readonly callerHeaders: Readonly<Record<string, string>>
  /** The caller's forwarded query, question mark included, or an empty string. */
  readonly query: string
  /** Names the attempt to an upstream that traces too, in W3C's form. */
  readonly traceparent?: string
}

/** A session with an upstream: messages both ways, until either end closes it. */
export interface UpstreamSession extends Omit<UpstreamCall, 'body' | 'stream' | 'query' | 'traceparent'> {
  /** The caller put its key among the subprotocols. */
  readonly bySubprotocol: boolean
  /** See `EndpointCall.intent`. */
  readonly intent?: EndpointCall['intent']
}

/** A request to an upstream outside its operations: a list of models, a token, a file upload. */
export interface UpstreamQuestion {
  readonly channel: UpstreamChannel
  readonly keyIndex: number
  readonly endpoint: UpstreamEndpoint
  readonly body: string | FormBody
}

/** Sends every request to upstreams: relayed calls, channel tests, model lists and probes. */
export interface Upstreams {
  /** Sends a call. Throws `TypeError` for an address, a key or a header that cannot be sent. */
  send(call: UpstreamCall): HttpExchange | Promise<Send>
  ask(question: UpstreamQuestion): HttpExchange | Promise<Send>
  /** Prepares a WebSocket that is open both ways. Rejects as `send` throws. */
  connect(session: UpstreamSession): Promise<() => WebSocketSession>
  /**
   * Drops the exchanged token that a call was sent with, after the upstream responded 401 to that call. True when the call had
   * such a token, so that a retry may succeed.
   */
  tokenRefused(call: UpstreamCall): boolean
}

export interface UpstreamsDependencies {
  readonly transport: Transport
  readonly tokens: TokenExchange
  /** Blocks private networks for addresses that a user below root chose. */
  readonly guard: OutboundGuard
  /** The operator's settings of models; a new object after each change. The defaults when absent. */
  readonly modelOptions?: () => ModelOptions
}

export function createUpstreams(deps: UpstreamsDependencies): Upstreams {
  return new ChannelUpstreams(deps)
}

class ChannelUpstreams implements Upstreams {
  readonly #deps: UpstreamsDependencies
  #targets = new RequestTargets<UpstreamChannel, Operation>()
  /** The settings that the cached targets were made with. */
  #options: ModelOptions = defaultModelOptions
  /** The token of each call: when it is refused, other calls may have a newer one already. */
  readonly #used = new WeakMap<OutgoingRequest, string>()

  constructor(deps: UpstreamsDependencies) {
    this.#deps = deps
  }

  /** Addresses a body to the channel, with its credentials and headers, and sends it. @step */
  send(call: UpstreamCall): HttpExchange | Promise<Send> {
    const { channel, operation, stream, callerHeaders, query, traceparent } = call
    this.#followOptions()
    const isStored = traceparent === undefined && !isForm(call.body)
    if (channel.provider.credential.kind === 'headers' && isStored)
      return this.#deps.transport.send(this.#request(call, this.#storedTarget(call)))
    const options = this.#options
    const endpoint = operation.endpoint(callTarget(call), { stream, query, headers: callerHeaders, options })
    const named = traceparent === undefined ? callerHeaders : { ...callerHeaders, traceparent }
    return this.#authenticate(call, withType(withCaller(endpoint, named), call.body))
  }

  ask(question: UpstreamQuestion): HttpExchange | Promise<Send> {
    return this.#authenticate(question, withType(question.endpoint, question.body))
  }

  async connect(session: UpstreamSession): Promise<() => WebSocketSession> {
    const { channel, keyIndex, operation, callerHeaders: headers, bySubprotocol, intent } = session
    const options = this.#deps.modelOptions?.() ?? defaultModelOptions
    const call = { stream: true, query: '', headers, options, bySubprotocol, intent }
    const endpoint = operation.endpoint(callTarget(session), call)
    const { protocols } = endpoint
    const authenticated =
      protocols === undefined ? withHeaders(endpoint, authorizationOf(channel, keyIndex)) : endpoint
    const target = requestTarget(authenticated, headers)
    const guard = channel.baseUrlTrusted ? undefined : this.#deps.guard
    const route = await this.#deps.transport.route({ target, guard, proxy: channel.setting.proxy })
    return () => new WebSocketSession({ url: target.url, headers: target.headers, protocols, ...route })
  }

  tokenRefused(call: UpstreamCall): boolean {
    const token = this.#used.get(call)
    if (token === undefined) return false
    const { channel, keyIndex } = call
    this.#deps.tokens.refused(channel.provider.id, channelTarget(channel, keyIndex), token)
    return true
  }

  /** Drops cached targets when the settings have changed. */
  #followOptions(): void {
    const options = this.#deps.modelOptions?.() ?? defaultModelOptions
    if (options === this.#options) return
    this.#options = options
    this.#targets = new RequestTargets()
  }

  #storedTarget(call: UpstreamCall): RequestTarget {
    const { channel, keyIndex, operation, stream, callerHeaders, query } = call
    return this.#targets.find(channel, operation, call, () => {
      const options = this.#options
      const endpoint = operation.endpoint(callTarget(call), {
        stream,
        query,
        headers: callerHeaders,
        options,
      })
      return requestTarget(withHeaders(endpoint, authorizationOf(channel, keyIndex)), callerHeaders)
    })
  }

  #authenticate(outgoing: OutgoingRequest, endpoint: UpstreamEndpoint): HttpExchange | Promise<Send> {
    const { credential } = outgoing.channel.provider
    switch (credential.kind) {
      case 'headers': {
        const authorized = withHeaders(endpoint, authorizationOf(outgoing.channel, outgoing.keyIndex))
        return this.#transmit(outgoing, authorized)
      }
      case 'signed':
        return this.#transmit(outgoing, signed(outgoing, credential, endpoint))
      case 'exchanged':
        return this.#exchange(outgoing, credential, endpoint)
    }
  }

  #exchange(
    outgoing: OutgoingRequest,
    credential: ExchangedCredential,
    endpoint: UpstreamEndpoint,
  ): HttpExchange | Promise<Send> {
    const { channel, keyIndex } = outgoing
    const target = channelTarget(channel, keyIndex)
    const direct = credential.direct?.(target)
    if (direct !== undefined) return this.#transmit(outgoing, withHeaders(endpoint, direct))
    const { transport, tokens } = this.#deps
    const requestWith = (token: string) => {
      this.#used.set(outgoing, token)
      return this.#request(outgoing, requestTarget(credential.authorize(endpoint, token)))
    }
    const token = tokens.token(channel.provider.id, credential, target, ({ body, ...tokenEndpoint }) =>
      requestToken(() => this.#transmit({ channel, keyIndex, body }, tokenEndpoint)),
    )
    if (typeof token === 'string') return transport.send(requestWith(token))
    return token.then((known) => transport.prepare(requestWith(known)))
  }

  #transmit(outgoing: OutgoingRequest, endpoint: UpstreamEndpoint): HttpExchange | Promise<Send> {
    return this.#deps.transport.send(this.#request(outgoing, requestTarget(endpoint)))
  }

  #request({ channel, operation, body }: OutgoingRequest, target: RequestTarget): TransportRequest {
    const { baseUrlTrusted, setting } = channel
    const guard = baseUrlTrusted ? undefined : this.#deps.guard
    const webSocket = operation?.framing === 'websocket' ? messagesOf(operation) : undefined
    const sent = webSocket === undefined ? sendable(body) : sentText(body)
    return { target, body: sent, guard, proxy: setting.proxy, webSocket }
  }
}

/** A call, a question, or the request for a token. */
interface OutgoingRequest {
  readonly channel: UpstreamChannel
  readonly keyIndex: number
  readonly body: SentBody
  /** Set for calls. */
  readonly operation?: Operation
}

/** Replaces the content type for a form, whose boundary is unique. */
function withType(endpoint: UpstreamEndpoint, body: SentBody): UpstreamEndpoint {
  return isForm(body) ? withHeaders(endpoint, { 'content-type': body.contentType }) : endpoint
}

/** Converts pieces to bytes, because texts would be concatenated first. */
function sendable(body: OutgoingRequest['body']): RequestBody {
  if (isForm(body)) return { source: body.pieces(), length: body.length }
  return typeof body === 'string' || body instanceof Uint8Array ? body : bytesOfPieces(body)
}

function signed(
  { channel, keyIndex, body }: OutgoingRequest,
  credential: SignedCredential,
  endpoint: UpstreamEndpoint,
): UpstreamEndpoint {
  const { method = 'POST' } = endpoint
  const unsigned = { ...endpoint, method, body: sentText(body) }
  const { url, headers } = credential.sign(
    unsigned,
    channelTarget(channel, keyIndex),
    signingTools(Date.now()),
  )
  return { method, url, headers }
}

function messagesOf(operation: Operation): Pick<WebSocketRequest, 'isLast'> {
  return { isLast: (message) => operation.isLastMessage?.(message) === true }
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

/** Adds the caller's fields; the endpoint's own take precedence. */
function withCaller(endpoint: UpstreamEndpoint, caller: Readonly<Record<string, string>>): UpstreamEndpoint {
  return { ...endpoint, headers: { ...caller, ...endpoint.headers } }
}

const tokenLimits = { timeoutMs: 15_000, maxBytes: 256 * 1024 }

/** Requests a token. Throws `TokenExchangeError` for a refusal, and what sending throws. */
async function requestToken(send: () => HttpExchange | Promise<Send>): Promise<string> {
  const { status, headers, body } = await readSmall(send, tokenLimits)
  if (status < 200 || status > 299) throw new TokenExchangeError({ status, headers, body })
  return body
}
