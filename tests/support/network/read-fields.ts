import { Glob } from 'bun'
import {
  forwardedFields,
  sessionFields,
} from '../../../apps/server/src/gateway/relay/dialects/caller-fields.ts'

const source = new URL('../../../apps/server/src/', import.meta.url).pathname

/** Fields that belong to one connection, or that a proxy writes itself; other suites hold what they do. */
const ofConnections =
  /^(host|connection|upgrade|content-length|accept-encoding|date|location|if-none-match|x-forwarded-\w+|x-real-ip|sec-websocket-\w+)$/

/** Fields that pass by a pattern: an example of each. */
const examples = ['anthropic-beta', 'x-app', 'x-stainless-lang', 'x-goog-api-client', 'x-goog-request-params']

/** Every field of a request that the program reads by its name, as its sources say. */
export async function readFields(): Promise<readonly string[]> {
  const found = new Set<string>([...examples, ...sessionFields, ...Object.values(forwardedFields).flat()])
  for (const room of ['http', 'relay', 'telemetry', 'tasks'])
    for await (const file of new Glob(`${room}/**/*.ts`).scan(source)) {
      if (file.includes('.test.') || file.includes('test-support')) continue
      const text = await Bun.file(source + file).text()
      for (const [, name = ''] of text.matchAll(/(?:\w*[hH]eaders\.get\(|fieldOf\(headers, )'([\w-]+)'/g))
        found.add(name)
    }
  return [...found].filter((name) => !ofConnections.test(name)).toSorted()
}
