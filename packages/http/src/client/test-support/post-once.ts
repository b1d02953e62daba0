import { systemClock } from '@tollgate/base'
import { createHttpClient, httpTarget } from '../http-client.ts'

/**
 * Child process of a test: posts its standard input, over a client that trusts whom the environment has it trust, and
 * tells on its standard output the body of the answer, or the name of the error.
 */
const [url = '', address] = process.argv.slice(2)
const client = createHttpClient(systemClock)
const { answer } = client.post(httpTarget(url, new Headers()), await Bun.stdin.text(), address)
const told = await answer.then(
  async (answered) => (await answered.whole(Number.POSITIVE_INFINITY)) ?? '',
  (error: unknown) => (error as Error).name,
)
client.close()
await Bun.write(Bun.stdout, told)
