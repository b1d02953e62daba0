import { createHash } from 'node:crypto'

/** A payment provider that speaks the epay protocol, from the other side: a cashier, and notices of payments. */
export interface EpayProvider {
  /** Value for `PayAddress`. */
  readonly url: string
  /** The notice of an order that came to the cashier, signed. */
  notice(tradeNo: string, change?: Readonly<Record<string, string>>): URLSearchParams
  /** The address for notices that its cashier received. */
  notifyUrl(tradeNo: string): string
  /** Sends the notice of a payment once; returns the text of the response, or nothing without one. */
  tell(tradeNo: string): Promise<string | undefined>
  stop(): Promise<void>
}

export function startEpayProvider(merchant: { readonly pid: string; readonly key: string }): EpayProvider {
  const orders = new Map<string, Readonly<Record<string, string>>>()
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/submit.php': {
        async POST(request) {
          const fields = Object.fromEntries(new URLSearchParams(await request.text()))
          if (fields['pid'] !== merchant.pid || fields['sign'] !== sign(fields, merchant.key))
            return new Response('the order is not signed', { status: 400 })
          orders.set(fields['out_trade_no'] ?? '', fields)
          return new Response('scan to pay')
        },
      },
    },
  })
  const orderOf = (tradeNo: string) => {
    const order = orders.get(tradeNo)
    if (order === undefined) throw new Error(`the cashier knows no order ${tradeNo}`)
    return order
  }

  function notice(tradeNo: string, change = {}): URLSearchParams {
    const { type = '', name = '', money = '' } = orderOf(tradeNo)
    const fields = {
      pid: merchant.pid,
      trade_no: `2026${tradeNo}`,
      out_trade_no: tradeNo,
      type,
      name,
      money,
      trade_status: 'TRADE_SUCCESS',
      ...change,
    }
    return new URLSearchParams({ ...fields, sign: sign(fields, merchant.key), sign_type: 'MD5' })
  }

  const notifyUrl = (tradeNo: string) => orderOf(tradeNo)['notify_url'] ?? ''
  return {
    url: `http://127.0.0.1:${server.port}`,
    notice,
    notifyUrl,
    async tell(tradeNo) {
      try {
        return await (await fetch(`${notifyUrl(tradeNo)}?${notice(tradeNo)}`)).text()
      } catch {
        return undefined
      }
    },
    stop: () => server.stop(true),
  }
}

/** Written down a second time, from the protocol: what is tested must not vouch for itself. */
function sign(fields: Readonly<Record<string, string>>, key: string): string {
  const pairs = Object.entries(fields).filter(
    ([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '',
  )
  pairs.sort(([a], [b]) => (a < b ? -1 : 1))
  const text = pairs.map((pair) => pair.join('=')).join('&')
  return createHash('md5').update(`${text}${key}`).digest('hex')
}
