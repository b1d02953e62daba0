import { isIP } from 'node:net'
import { type ClientSocket, Connection, type ConnectionKeeper } from './connection.ts'
import { ConnectError } from './http-answer.ts'

/** Where connections go. */
export interface Endpoint {
  readonly secure: boolean
  /** The host as the URL names it, without brackets: what a certificate must be for. */
  readonly hostname: string
  readonly port: number
  /** The address to connect to, when the host was looked up already. */
  readonly address: string | undefined
}

/** A name is asked for and verified as such; an address is verified by itself, and not announced (RFC 6066 §3). */
function tlsOptions({ hostname }: Endpoint): Bun.TLSOptions {
  return { rejectUnauthorized: true, ...(isIP(hostname) === 0 && { serverName: hostname }) }
}

/** A connection that is being made. */
export interface Dialling {
  /** Rejects with `ConnectError`. */
  readonly connection: Promise<Connection>
  /** Gives it up; what was made of it is closed. */
  cancel(): void
}

/** Opens a connection, and to a secure endpoint one whose certificate was verified. */
export function dial(endpoint: Endpoint, keeper: ConnectionKeeper): Dialling {
  const { promise, resolve, reject } = Promise.withResolvers<Connection>()
  const connection = new Connection(keeper)
  let isCancelled = false
  let made: ClientSocket | undefined

  function ready(socket: ClientSocket): void {
    connection.opened(socket)
    resolve(connection)
  }

  function failed(why: string, cause: unknown): void {
    reject(new ConnectError(why, { cause }))
  }

  const options = {
    hostname: endpoint.address ?? endpoint.hostname,
    port: endpoint.port,
    socket: {
      binaryType: 'buffer',
      open(socket) {
        made = socket
        if (isCancelled) socket.terminate()
        else if (!endpoint.secure) ready(socket)
      },
      handshake(socket, isAuthorized, error) {
        // The runtime reports an untrusted peer and leaves it to us not to speak to it.
        if (isAuthorized && !error) {
          ready(socket)
        } else {
          failed('no secure connection was made', error)
          socket.terminate()
        }
      },
      data: (_, bytes) => connection.received(bytes),
      drain: () => connection.drained(),
      close(_, error) {
        connection.closed(error)
        failed('the connection was closed', error)
      },
      // What one of these threw: a socket's own errors come with `close`.
      error(socket, error) {
        connection.closed(error)
        socket.terminate()
      },
      connectError: (_, error) => failed('no connection was made', error),
    } satisfies Bun.SocketHandler<undefined, 'buffer'>,
  } as const
  const opening = endpoint.secure
    ? Bun.connect({ ...options, tls: tlsOptions(endpoint) })
    : Bun.connect(options)
  opening.catch((cause) => failed('no connection was made', cause))
  return {
    connection: promise,
    cancel() {
      isCancelled = true
      made?.terminate()
      failed('given up', undefined)
    },
  }
}
