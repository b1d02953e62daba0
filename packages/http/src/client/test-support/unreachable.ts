import { connect, type Socket } from 'node:net'

/** A port of the loopback that drops what asks for a connection. */
export interface Unreachable {
  readonly port: number
  close(): void
}

const program = new URL('./blocked-listener.ts', import.meta.url).pathname
/** More than any backlog of a listener that does not accept. */
const maxConnections = 5000

/** Fills the backlog of a listener that never accepts: the system drops whatever comes after that. */
export async function startUnreachable(): Promise<Unreachable> {
  const child = Bun.spawn([process.execPath, program], { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  const port = Number(new TextDecoder().decode(value))
  await Bun.sleep(100)
  const sockets: Socket[] = []
  while (sockets.length < maxConnections) {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    if (!(await connects(socket))) break
  }
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy()
      child.kill('SIGKILL')
    },
  }
}

function connects(socket: Socket): Promise<boolean> {
  const connected = new Promise<boolean>((resolve) => {
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
  })
  return Promise.race([connected, Bun.sleep(200).then(() => false)])
}
