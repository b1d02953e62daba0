import Stripe from 'stripe'

/** Requested session: the fields of the request, and its key. */
export interface OpenedSession {
  readonly id: string
  readonly fields: URLSearchParams
  readonly authorization: string | null
}

/** A refund or a dispute as it stands. */
export interface TakenPayment {
  readonly id: string
  readonly payment_intent: string
  readonly amount: number
  status: string
}

type SessionState = 'open' | 'complete' | 'expired'

/** A fake of Stripe's API: it opens Checkout sessions, lists refunds and disputes, and signs events as Stripe does. */
export interface StripeApi {
  readonly url: URL
  readonly opened: readonly OpenedSession[]
  /** While set, every call fails with this status. */
  failWith: number | undefined
  /** While set, refunds are made, and a proxy before the API loses the responses. */
  losesRefunds: boolean
  /** Number of calls for refunds, disputes or the session of a payment. */
  readonly requested: number
  /** Somebody else's session in the same account, with the number of one of our orders. It is the last one from then on. */
  openForeign(tradeNo: string, moneyMinor: number, currency: string): void
  /** The state of the last session from now on: one is open until it is said otherwise. */
  setSession(state: SessionState): void
  sessionState(): SessionState
  readonly refunds: readonly TakenPayment[]
  /** The last session as the body of an event about it. */
  event(type: string, change?: Record<string, unknown>): string
  /** An event about the charge, a refund or a dispute of the last session's payment. */
  paymentEvent(type: string, change?: Record<string, unknown>): string
  /** Refunds some of the last session's payment, as an operator does in Stripe's dashboard. Change its status to move it on. */
  refund(amount: number, status?: string): TakenPayment
  /** Disputes some of the last session's payment, as the payer's bank does. */
  dispute(amount: number, status?: string): TakenPayment
  stop(): Promise<void>
}

export function startStripeApi(): StripeApi {
  const opened: OpenedSession[] = []
  const refunds: TakenPayment[] = []
  const disputes: TakenPayment[] = []
  const states = new Map<string, SessionState>()
  const refundKeys = new Map<string, { readonly fields: string; readonly refund: TakenPayment }>()
  const state = { failWith: undefined as number | undefined, losesRefunds: false, requested: 0 }

  /** A list call of Stripe, of which `payment_intent` is the filter. */
  const list = (rows: () => readonly { readonly payment_intent: string }[]) => (request: Request) => {
    state.requested += 1
    if (state.failWith !== undefined) return failure(state.failWith)
    const payment = new URL(request.url).searchParams.get('payment_intent')
    // What Stripe had when it was asked, although the response takes a moment.
    const data = rows()
      .filter((row) => row.payment_intent === payment)
      .map((row) => ({ ...row }))
    return Bun.sleep(3).then(() => Response.json({ object: 'list', data, has_more: false }))
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/v1/checkout/sessions': {
        GET: list(() => opened.map(sessionOf)),
        async POST(request) {
          if (state.failWith !== undefined) return failure(state.failWith)
          const fields = new URLSearchParams(await request.text())
          const id = open(fields, request.headers.get('authorization'))
          return Response.json({ id, object: 'checkout.session', url: `https://checkout.example/${id}` })
        },
      },
      '/v1/checkout/sessions/:id': (request) =>
        state.failWith === undefined ? Response.json(sessionNow(request.params.id)) : failure(state.failWith),
      '/v1/checkout/sessions/:id/expire': {
        POST(request) {
          if (state.failWith !== undefined) return failure(state.failWith)
          states.set(request.params.id, 'expired')
          return Response.json(sessionNow(request.params.id))
        },
      },
      '/v1/refunds': {
        GET: list(() => refunds),
        async POST(request) {
          if (state.failWith !== undefined) return failure(state.failWith)
          const fields = new URLSearchParams(await request.text())
          const response = Response.json(...refundOnce(fields, request.headers.get('idempotency-key') ?? ''))
          return state.losesRefunds ? failure(502) : response
        },
      },
      '/v1/disputes': { GET: list(() => disputes) },
    },
  })

  function sessionNow(id: string) {
    const status = states.get(id) ?? 'open'
    return { id, object: 'checkout.session', status, url: `https://checkout.example/${id}` }
  }

  /** A key makes one refund; with other fields than at first Stripe refuses it. */
  function refundOnce(fields: URLSearchParams, key: string): [body: object, init?: ResponseInit] {
    const known = refundKeys.get(key)
    if (known !== undefined)
      return known.fields === String(fields)
        ? [known.refund]
        : [{ error: { type: 'idempotency_error', message: 'other parameters' } }, { status: 400 }]
    const [payment_intent, amount] = [fields.get('payment_intent') ?? '', Number(fields.get('amount'))]
    const refund = { id: `re_${refunds.length + 1}`, payment_intent, amount, status: 'succeeded' }
    refunds.push(refund)
    refundKeys.set(key, { fields: String(fields), refund })
    return [refund]
  }

  function open(fields: URLSearchParams, authorization: string | null): string {
    const id = `cs_test_${opened.length + 1}`
    opened.push({ id, fields, authorization })
    return id
  }

  function last(): OpenedSession {
    const session = opened.at(-1)
    if (session === undefined) throw new Error('no session was opened')
    return session
  }

  function take(from: TakenPayment[], prefix: string, amount: number, status: string): TakenPayment {
    const { payment_intent } = sessionOf(last())
    const taken = { id: `${prefix}_${from.length + 1}`, payment_intent, amount, status }
    from.push(taken)
    return taken
  }

  return {
    url: new URL(`http://127.0.0.1:${server.port}`),
    opened,
    get failWith() {
      return state.failWith
    },
    set failWith(status) {
      state.failWith = status
    },
    get losesRefunds() {
      return state.losesRefunds
    },
    set losesRefunds(loses) {
      state.losesRefunds = loses
    },
    get requested() {
      return state.requested
    },
    openForeign(tradeNo, moneyMinor, currency) {
      const price = 'line_items[0][price_data]'
      const fields = {
        client_reference_id: tradeNo,
        [`${price}[currency]`]: currency,
        [`${price}[unit_amount]`]: String(moneyMinor),
      }
      open(new URLSearchParams(fields), null)
    },
    setSession: (to) => void states.set(last().id, to),
    sessionState: () => states.get(last().id) ?? 'open',
    refunds,
    event: (type, change) => eventOf(type, { ...sessionOf(last()), ...change }),
    paymentEvent(type, change) {
      const { payment_intent } = sessionOf(last())
      return eventOf(type, { id: 'obj_1', payment_intent, ...change })
    },
    refund: (amount, status = 'succeeded') => take(refunds, 're', amount, status),
    dispute: (amount, status = 'needs_response') => take(disputes, 'du', amount, status),
    stop: () => server.stop(true),
  }
}

function sessionOf({ id, fields }: OpenedSession) {
  return {
    id,
    object: 'checkout.session',
    client_reference_id: fields.get('client_reference_id'),
    amount_total: Number(fields.get('line_items[0][price_data][unit_amount]')),
    currency: fields.get('line_items[0][price_data][currency]'),
    payment_status: 'paid',
    payment_intent: id.replace('cs_', 'pi_'),
  }
}

function eventOf(type: string, object: Record<string, unknown>): string {
  return JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
}

function failure(status: number): Response {
  return Response.json({ error: { message: 'no such price' } }, { status })
}

/** The header that proves an event, made by Stripe's own SDK. */
export function stripeSignature(
  payload: string,
  secret: string,
  timestamp = Math.floor(Date.now() / 1000),
): Promise<string> {
  return Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp })
}
