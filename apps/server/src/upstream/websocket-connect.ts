import { ConnectError } from '@tollgate/http/client'

/** Where a WebSocket leads, and on which way. */
export interface WebSocketTarget extends WebSocketRoute {
  /** ws, wss, http or https. */
  readonly url: string
  readonly headers: Headers
  /** Subprotocols that are offered; none when not said. */
  readonly protocols?: readonly string[] | undefined
}

export interface WebSocketRoute {
  /** Where to connect instead of looking the host up; the certificate must still be the host's. */
  readonly address?: string | undefined
  /** http(s) address of a proxy; empty for none. */
  readonly proxy?: string
}

/** Begins to connect. Throws `ConnectError` for an address or a proxy that cannot be used. */
export function connectWebSocket({
  url,
  headers,
  address,
  proxy = '',
  protocols = [],
}: WebSocketTarget): WebSocket {
  const target = new URL(url.replace(/^http/i, 'ws'))
  const { host, hostname } = target
  const fields: Record<string, string> = Object.fromEntries(headers)
  const options: Bun.WebSocketOptions = {
    headers: address === undefined ? fields : { ...fields, host },
    // Packed messages could grow a thousandfold here.
    perMessageDeflate: false,
    ...(protocols.length > 0 && { protocols: [...protocols] }),
    ...(proxy !== '' && { proxy }),
    ...(address !== undefined && isName(hostname) && { tls: { serverName: hostname } }),
  }
  if (address !== undefined) target.hostname = address.includes(':') ? `[${address}]` : address
  try {
    return new WebSocket(target.href, options)
  } catch (cause) {
    throw new ConnectError('no WebSocket can be made', { cause })
  }
}

function isName(hostname: string): boolean {
  return !/^\[|^[\d.]+$/.test(hostname)
}

/** Status of a refused handshake, which the runtime tells in its error's message alone; 0 when nobody answered. */
export function refusedStatus(message: string): number {
  return Number(/101 status code: (\d{3})/.exec(message)?.[1] ?? 0)
}
