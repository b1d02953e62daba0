import {
  type CallArguments,
  type CallData,
  type CallExtra,
  type CallInput,
  calls,
  type JsonCall,
} from '@tollgate/api'
import { callOf, contractCalls, type NamedCall, unreadNames } from '@tollgate/api/test-support'
import { sampleStatus, sampleUser } from '../../dev/samples.ts'
import { chargesOtherwise } from './charging-calls.ts'
import { origin } from './dom.ts'

/** The parameters and the body of a call, as they were sent. */
export interface SentCall<C extends JsonCall> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: CallInput<C> extends { readonly body: infer Body } ? Body : undefined
}

/** A refusal, for a responder to return. */
export class Refusal {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>

  /**
   * @param message the sentence that the person reads
   * @param details `status` is that of a business refusal by default; the others stand beside the message
   */
  constructor(
    message: string,
    details: { readonly status?: number; readonly [field: string]: unknown } = {},
  ) {
    const { status = 200, ...fields } = details
    this.status = status
    this.body = { success: false, message, ...fields }
  }
}

type Answer<Data> = Data | Refusal | Promise<Data | Refusal>
type Arguments<C extends JsonCall> = CallArguments<C> & { readonly sent: SentCall<C> }
/** `data` of the response, or what makes it of what the call was made with. */
export type Responder<C extends JsonCall> =
  | CallData<C>
  | Refusal
  | ((call: Arguments<C>) => Answer<CallData<C>>)

/** The members beside `data` in the response. */
type Extra<C extends JsonCall> = (call: Arguments<C>) => CallExtra<C>

const unending = new Promise<Response>(() => {})

type Handler = (found: NamedCall, sent: SentCall<JsonCall>) => Promise<Response>
type ContentHandler = (request: { readonly url: URL; readonly body: string }) => Response | Promise<Response>

/**
 * A fake of the gateway at the HTTP edge alone: it responds to the contract's calls with rows of the contract's shapes, and records
 * what pages sent. What the contract does not have is a problem, on either side: a call without a responder, a field that the
 * gateway would not read, a response of another shape.
 */
export class FakeGateway {
  readonly problems: string[] = []
  /** Names of the calls that pages made: `tokens.create`. */
  readonly made = new Set<string>()
  readonly #handlers = new Map<string, Handler>()
  readonly #contents = new Map<string, ContentHandler>()
  readonly #sent: { readonly name: string; readonly call: SentCall<JsonCall> }[] = []

  #isOver = false
  #isSlow = false

  readonly #isElsewhere: () => boolean

  /** @param isElsewhere decides whether the page under test was left: the next one may ask what the test says nothing of */
  constructor(isElsewhere: () => boolean) {
    this.#isElsewhere = isElsewhere
    this.on(calls.status.read, sampleStatus())
    this.on(calls.status.notice, '')
    this.on(calls.users.self, sampleUser())
  }

  /** Responds to a call from now on, in place of what was said of it before. */
  on<const C extends JsonCall>(call: C, responder: Responder<C>, extraOf?: Extra<C>): this {
    this.#handlers.set(nameOf(call), async (found, sent) => {
      const data = await answerOf(responder, call, sent as unknown as SentCall<C>)
      if (data instanceof Refusal) return Response.json(data.body, { status: data.status })
      const extra = extraOf?.(argumentsOf(call, sent as unknown as SentCall<C>))
      this.#holdShape(found, data, extra)
      return Response.json(envelopeOf(call, data, extra))
    })
    return this
  }

  /** Responds to a path with content of its own: a file, a stream. */
  onContent(path: string, handler: ContentHandler): this {
    this.#contents.set(path, handler)
    return this
  }

  /** Leaves calls that nothing responds to without a response, as a slow server does. */
  wait(): this {
    this.#isSlow = true
    return this
  }

  /** Returns the calls sent so far, in order. */
  sent<const C extends JsonCall>(call: C): readonly SentCall<C>[] {
    const name = nameOf(call)
    // A name is that of one call.
    return this.#sent.filter((one) => one.name === name).map((one) => one.call as unknown as SentCall<C>)
  }

  /** The bodies that were sent with a call so far. */
  bodies<const C extends JsonCall>(call: C): readonly SentCall<C>['body'][] {
    return this.sent(call).map(({ body }) => body)
  }

  /** Takes the place of `fetch`. */
  readonly fetch = async (target: string | URL | Request, options: RequestInit = {}): Promise<Response> => {
    const request = target instanceof Request ? target : new Request(new URL(target, origin), options)
    const url = new URL(request.url)
    const text = await request.text()
    request.signal.throwIfAborted()
    const response = await this.#respond(request.method, url, text)
    request.signal.throwIfAborted()
    return this.#isOver ? unending : response
  }

  /** Responds no more: what a test left open says nothing on the page of the next one. */
  end(): void {
    this.#isOver = true
  }

  async #respond(method: string, url: URL, text: string): Promise<Response> {
    const content = this.#contents.get(url.pathname)
    const found = callOf(method, url.pathname)
    if (found !== undefined) this.made.add(found.name)
    if (content !== undefined) return content({ url, body: text })
    if (found === undefined) return this.#fail(`${method} ${url.pathname}: not in the contract`)
    const sent = sentCallOf(found, url, text)
    this.#sent.push({ name: found.name, call: sent })
    if (chargesOtherwise(found, sent.body) && this.sent(calls.channels.stops).length === 0)
      this.problems.push(`${found.name}: charges otherwise, and nobody was asked`)
    this.#holdNames(found, sent)
    const handler = this.#handlers.get(found.name)
    if (handler !== undefined) return handler(found, sent)
    if (this.#isSlow) return unending
    const problem = `${found.name}: no responder`
    return this.#isElsewhere() ? notHere(problem) : this.#fail(problem)
  }

  #fail(problem: string): Response {
    this.problems.push(problem)
    return notHere(problem)
  }

  #holdNames({ name, call: { query, body, accepts } }: NamedCall, sent: SentCall<JsonCall>): void {
    const bodyNames = accepts === 'raw' ? [] : Object.keys(sent.body ?? {})
    const unread = [...unreadNames(query, Object.keys(sent.query)), ...unreadNames(body, bodyNames)]
    this.problems.push(...unread.map((field) => `${name}: the gateway does not read ${field}`))
  }

  #holdShape({ name, call }: NamedCall, data: unknown, extra: unknown): void {
    const shapes = [
      [call.data, data],
      ['extra' in call ? call.extra : undefined, extra],
    ] as const
    for (const [shape, value] of shapes) {
      const issues = shape?.safeParse(value).error?.issues ?? []
      this.problems.push(
        ...issues.map(({ path, message }) => `${name} returns ${path.join('.')}: ${message}`),
      )
    }
  }
}

function notHere(message: string): Response {
  return Response.json({ success: false, message }, { status: 404 })
}

function answerOf<C extends JsonCall>(
  responder: Responder<C>,
  call: C,
  sent: SentCall<C>,
): Answer<CallData<C>> {
  if (typeof responder !== 'function') return responder
  // Data of calls is JSON, so that what can be called is no data.
  return (responder as (call: Arguments<C>) => Answer<CallData<C>>)(argumentsOf(call, sent))
}

function envelopeOf(call: JsonCall, data: unknown, extra: object | undefined): object {
  return call.response === 'wallet'
    ? { message: 'success', data, ...extra }
    : { success: true, message: '', data, ...extra }
}

function nameOf(call: JsonCall): string {
  const found = contractCalls.find((one) => one.call === call)
  if (found === undefined) throw new Error(`${call.method} ${call.path} is not in the contract`)
  return found.name
}

function sentCallOf({ call: { path } }: NamedCall, url: URL, text: string): SentCall<JsonCall> {
  const names = path.split('/')
  const params = url.pathname
    .split('/')
    .flatMap((part, index) =>
      names[index]?.startsWith(':') ? [[names[index].slice(1), decodeURIComponent(part)]] : [],
    )
  return {
    params: Object.fromEntries(params),
    query: Object.fromEntries(url.searchParams),
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** Reads arguments as a handler of the gateway receives them. */
function argumentsOf<C extends JsonCall>(call: C, sent: SentCall<C>): Arguments<C> {
  // The schemas are those that `CallArguments` names.
  return {
    params: call.params?.parse(sent.params),
    query: call.query?.parse(sent.query),
    body: call.body?.parse(sent.body),
    sent,
  } as unknown as Arguments<C>
}
