import { connect } from 'node:net'

/*
 * A process of its own, as a proxy is: 24 callers, each with a connection for each call, until the port of the first argument
 * refuses them. Prints how many connections were lost after they were established.
 */

const port = Number(process.argv[2])

type Outcome = 'served' | 'refused' | 'lost'

function call(): Promise<Outcome> {
  return new Promise((resolve) => {
    let outcome: Outcome = 'refused'
    const socket = connect(port, '127.0.0.1', () => {
      outcome = 'lost'
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    })
    socket.on('data', () => {
      outcome = 'served'
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(outcome))
  })
}

async function callUntilRefused(): Promise<number> {
  let lost = 0
  for (;;) {
    const outcome = await call()
    if (outcome === 'refused') return lost
    if (outcome === 'lost') lost += 1
  }
}

const counts = await Promise.all(Array.from({ length: 24 }, callUntilRefused))
process.stdout.write(String(counts.reduce((sum, count) => sum + count)))
