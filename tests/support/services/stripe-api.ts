import Stripe from 'stripe'

/** What was asked for, as the fields of the request, and under which key. */
export interface OpenedSession {
  readonly id: string
  readonly fields: URLSearchParams
  readonly authorization: string | null
}

/** A fake of Stripe's API: it opens Checkout sessions, and signs events about them as Stripe does. */
export interface StripeApi {
  readonly url: URL
  readonly opened: readonly OpenedSession[]
  /** While set, every call fails with this status. */
  failWith: number | undefined
  /** The last session as the body of an event about it. */
  event(type: string, change?: Record<string, unknown>): string
  stop(): Promise<void>
}

export function startStripeApi(): StripeApi {
  const opened: OpenedSession[] = []
  const state: { failWith: number | undefined } = { failWith: undefined }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/v1/checkout/sessions': {
        async POST(request) {
          if (state.failWith !== undefined)
            return Response.json({ error: { message: 'no such price' } }, { status: state.failWith })
          const fields = new URLSearchParams(await request.text())
          const id = `cs_test_${opened.length + 1}`
          opened.push({ id, fields, authorization: request.headers.get('authorization') })
          return Response.json({ id, object: 'checkout.session', url: `https://checkout.example/${id}` })
        },
      },
    },
  })
  return {
    url: new URL(`http://127.0.0.1:${server.port}`),
    opened,
    get failWith() {
      return state.failWith
    },
    set failWith(status) {
      state.failWith = status
    },
    event(type, change = {}) {
      const last = opened.at(-1)
      if (last === undefined) throw new Error('no session was opened')
      const session = {
        id: last.id,
        object: 'checkout.session',
        client_reference_id: last.fields.get('client_reference_id'),
        amount_total: Number(last.fields.get('line_items[0][price_data][unit_amount]')),
        currency: last.fields.get('line_items[0][price_data][currency]'),
        payment_status: 'paid',
        ...change,
      }
      return JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object: session } })
    },
    stop: () => server.stop(true),
  }
}

/** The header that proves an event, made by Stripe's own SDK. */
export function stripeSignature(
  payload: string,
  secret: string,
  timestamp = Math.floor(Date.now() / 1000),
): Promise<string> {
  return Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp })
}
