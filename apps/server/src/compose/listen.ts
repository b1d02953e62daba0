import { type HttpServer, type HttpServerOptions, serveHttp } from '@tollgate/http/server'
import { hostAndPort } from '../lib/listen-address.ts'

/** The gateway cannot listen; the message is one sentence for the terminal. */
class ListenError extends Error {
  override readonly name = 'ListenError'
}

/** The variables that choose the address. */
interface Variables {
  readonly host: string
  readonly port: string
}

/** Those of the gateway's own address. */
export const portVariables: Variables = { host: 'HOST', port: 'PORT' }

/** Serves, or throws `ListenError` with the variable to change. */
export function listenOrRefuse(options: HttpServerOptions, variables: Variables): HttpServer {
  return openOrRefuse(options, variables, () => serveHttp(options))
}

/** Opens what listens at an address, or throws `ListenError` with the variable to change. */
export function openOrRefuse<Opened>(
  options: Pick<HttpServerOptions, 'hostname' | 'port'>,
  variables: Variables,
  open: () => Opened,
): Opened {
  try {
    return open()
  } catch (error) {
    throw new ListenError(reasonOf(error as Error & { readonly code?: string }, options, variables), {
      cause: error,
    })
  }
}

function reasonOf(
  { code, name, message }: Error & { readonly code?: string },
  { hostname, port }: Pick<HttpServerOptions, 'hostname' | 'port'>,
  variables: Variables,
): string {
  if (name === 'InheritedSocketError') return `the socket of the service manager cannot be used: ${message}`
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use: choose another with ${variables.port}`
    case 'EACCES':
      return `port ${port} may not be listened on by this account: choose one above 1023 with ${variables.port}`
    default:
      return `${hostAndPort(hostname, port)} cannot be listened on: check that ${variables.host} is an address of this machine`
  }
}
