import { serveHttp } from '../http-server.ts'

/** Child process of a test, which has few file descriptors: serves, prints its port, and then its processor time. */
const server = serveHttp({
  hostname: '127.0.0.1',
  port: 0,
  idleMs: 60_000,
  application: async () => ({ status: 200, headers: {}, body: 'served' }),
  refusal: ({ status, message }) => ({ status, headers: {}, body: message }),
  fault: (error) => ({ status: 500, headers: {}, body: String(error) }),
})
await Bun.write(Bun.stdout, `${server.port}\n`)
let last = process.cpuUsage()
setInterval(() => {
  const { user, system } = process.cpuUsage(last)
  last = process.cpuUsage()
  Bun.stdout.writer().write(`${Math.round((user + system) / 1000)}\n`)
}, 500)
