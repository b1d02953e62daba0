/** What a client asks of a proxy of HTTP. */
export interface BridgedHead {
  readonly user: string
  readonly password: string
  readonly host: string
  readonly port: number
  /** Bytes are to pass unread, both ways; otherwise `forwarded` goes first. */
  readonly isTunnel: boolean
  /** The head as the upstream itself is to get it. */
  readonly forwarded: string
}

const end = '\r\n\r\n'

/** Where the head ends, its blank line included; -1 while it does not. */
export function headEnd(bytes: Buffer): number {
  const at = bytes.indexOf(end)
  return at < 0 ? -1 : at + end.length
}

/** Fields between a client and its proxy. The connection serves one request: it could lead anywhere. */
const ofProxy = /^(?:proxy-[^:]*|connection|keep-alive):/i

/** Throws for a head that is none. */
export function readHead(head: string): BridgedHead {
  const [first = '', ...fields] = head.slice(0, -end.length).split('\r\n')
  const [method = '', target = ''] = first.split(' ')
  const isTunnel = method === 'CONNECT'
  const url = new URL(isTunnel ? `https://${target}` : target)
  const usualPort = isTunnel ? 443 : 80
  const kept = fields.filter((field) => !ofProxy.test(field))
  const line = `${method} ${url.pathname}${url.search} HTTP/1.1`
  return {
    ...credentialsIn(fields),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? usualPort : Number(url.port),
    isTunnel,
    forwarded: [line, ...kept, 'connection: close'].join('\r\n') + end,
  }
}

const authorization = /^proxy-authorization:\s*basic\s+(\S+)/i

function credentialsIn(fields: readonly string[]): Pick<BridgedHead, 'user' | 'password'> {
  const given = fields.map((field) => authorization.exec(field)?.[1]).find((text) => text !== undefined)
  const [user = '', password = ''] = Buffer.from(given ?? '', 'base64')
    .toString()
    .split(':')
  return { user, password }
}
