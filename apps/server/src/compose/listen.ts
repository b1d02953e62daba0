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

/** Serves, or throws `ListenError` with the variable to change. */
export function listenOrRefuse(options: HttpServerOptions, variables: Variables): HttpServer {
  try {
    return serveHttp(options)
  } catch (error) {
    throw new ListenError(reasonOf(error as Error & { readonly code?: string }, options, variables), {
      cause: error,
    })
  }
}

function reasonOf(
  { code, name, message }: Error & { readonly code?: string },
  { hostname, port }: HttpServerOptions,
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
