import { detachedCopy } from '@tollgate/base'

/** Where connections of a target go. */
export interface Endpoint {
  readonly secure: boolean
  /** The host as the URL names it, without brackets: what a certificate must be for. */
  readonly hostname: string
  readonly port: number
}

/** Where requests go and what is the same in all of them: prepared once, used by any number of requests. */
export interface HttpTarget {
  readonly endpoint: Endpoint
  /** Scheme, host and port. */
  readonly origin: string
  /** The request head between the method and the fields that frame the body. ASCII. */
  readonly head: string
}

const secureProtocol = 'https:'
const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, [secureProtocol]: 443 }
const ascii = /^[\x20-\x7e\t]*$/

/**
 * Prepares a request head. Cheap enough to be made for one request, as signed requests need it.
 * @param headers the platform's `Headers` has refused line breaks in them; fields that frame the request are left out
 * Throws `TypeError` for a URL that is none, or a header that is not ASCII.
 */
export function httpTarget(url: string, headers: Headers): HttpTarget {
  const { protocol, host, hostname, port, pathname, search, origin } = new URL(url)
  const defaultPort = defaultPorts[protocol]
  if (defaultPort === undefined) throw new TypeError('only http and https can be called')
  return {
    endpoint: {
      secure: protocol === secureProtocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? defaultPort : Number(port),
    },
    origin,
    head: detachedCopy(` ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${fieldLines(headers)}`),
  }
}

/** Said by the client itself. */
const framingFields = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'expect',
  'upgrade',
])

function fieldLines(headers: Headers): string {
  let lines = ''
  for (const [name, value] of headers) {
    if (!ascii.test(value)) throw new TypeError(`the header ${name} has characters that cannot be sent`)
    if (!framingFields.has(name)) lines += `${name}: ${value}\r\n`
  }
  return lines
}
