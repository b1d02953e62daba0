import { connect, type Socket } from 'node:net'

/** A port of the loopback that drops what asks for a connection. */
export interface Unreachable {
  readonly port: number
  close(): void
}

const program = new URL('./blocked-listener.ts', import.meta.url).pathname
/** More than any backlog of a listener that does not accept. */
const maxConnections = 5000
/** Connections in a row that must wait: on a busy machine a single one may only be slow to say that it was made. */
const minWaiting = 3

/** Fills the backlog of a listener that never accepts: the system drops whatever comes after that. */
export async function startUnreachable(): Promise<Unreachable> {
  const child = Bun.spawn([process.execPath, program], { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  const port = Number(new TextDecoder().decode(value))
  await Bun.sleep(100)
  const sockets: Socket[] = []
  let waiting: Socket[] = []
  while (sockets.length < maxConnections && waiting.length < minWaiting) {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    waiting = (await isAccepted(socket)) ? [] : [...waiting, socket].filter(({ pending }) => pending)
  }
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy()
      child.kill('SIGKILL')
    },
  }
}

/** Decides whether the system took the connection, or refused it, within 200 ms. */
function isAccepted(socket: Socket): Promise<boolean> {
  const settled = new Promise<boolean>((resolve) => {
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(true))
  })
  return Promise.race([settled, Bun.sleep(200).then(() => false)])
}
