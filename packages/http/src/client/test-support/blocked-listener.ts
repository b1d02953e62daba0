/** Child process of a test: listens on the loopback, prints its port, and accepts no connection. */
const listener = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
await Bun.write(Bun.stdout, String(listener.port))
await Bun.sleep(20)
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
