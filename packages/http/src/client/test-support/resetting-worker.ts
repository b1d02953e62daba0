import { parentPort } from 'node:worker_threads'

/** Worker of a test: responds to every request, stores their bodies, and resets the connection on request. */
const bodies: string[] = []
let latest: Bun.Socket | undefined
const listener = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    data(socket, bytes) {
      latest = socket
      bodies.push(bytes.toString().split('\r\n\r\n')[1] ?? '')
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    },
  },
})
parentPort?.on('message', (message: 'reset' | 'bodies') => {
  if (message === 'reset') latest?.terminate()
  else parentPort?.postMessage(bodies)
})
parentPort?.postMessage(listener.port)
