/** Ports that the systems of tests give to no listener of port 0 and to no outgoing connection. */
const [minPort, maxPort] = [10_000, 32_000]
const maxTries = 100

/** A free loopback port, at random, of those that nothing gets unasked. Another test may take it before this one does; tests accept that. */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = minPort + Math.floor(Math.random() * (maxPort - minPort))
    try {
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true)
      return port
    } catch (error) {
      if (tries === maxTries) throw error
    }
  }
}
