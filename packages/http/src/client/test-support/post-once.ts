import { createHttpClient } from '../http-client.ts'
import { httpTarget } from '../http-message.ts'

/**
 * Child process of a test: posts its standard input, over a client that trusts whom the environment has it trust, and
 * prints the body of the response, or the name of the error.
 */
const [url = '', address] = process.argv.slice(2)
const client = createHttpClient()
const { response } = client.send(
  { target: httpTarget(url, new Headers()), method: 'POST', body: await Bun.stdin.text() },
  { addresses: address?.split(',') },
)
const reported = await response.then(
  async (responded) => (await responded.buffered(Number.POSITIVE_INFINITY)) ?? '',
  (error: unknown) => (error as Error).name,
)
client.close()
await Bun.write(Bun.stdout, reported)
