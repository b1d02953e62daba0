import { serveHttp } from '../http-server.ts'

/** Child process of a test, which has few file descriptors: serves, prints its port, and then its processor time. */
const server = serveHttp({
  hostname: '127.0.0.1',
  port: 0,
  idleMs: 60_000,
  application: ({ target }) =>
    target === '/never'
      ? new Promise(() => undefined)
      : Promise.resolve({ status: 200, headers: {}, body: 'served' }),
  // Of an address that stands for a proxy.
  isProxy: (address) => address === '127.0.0.99',
  refusal: ({ status, message }) => ({ status, headers: {}, body: message }),
  // A fault of the server's own ends it, which its callers notice.
  fault: (error) => {
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  },
})
await Bun.write(Bun.stdout, `${server.port}\n`)
let last = process.cpuUsage()
setInterval(() => {
  const { user, system } = process.cpuUsage(last)
  last = process.cpuUsage()
  Bun.stdout.writer().write(`${Math.round((user + system) / 1000)}\n`)
}, 500)
