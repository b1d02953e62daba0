import { expect, it } from 'bun:test'
import { checkWorkers } from './worker-checks.ts'

const server = (max: number) => ({ installation: { maxConnections: async () => max } }) as never

it.each<[string, number, number, readonly string[]]>([
  ['a process that serves by itself', 1, 2, []],
  ['four workers on four cores', 4, 97, ['ok: 4 processes share the port']],
  ['sixteen, which stay within what a server takes by default', 16, 97, ['warn: WORKERS is 16']],
  ['four over a server that takes few', 4, 20, ['warn: 4 workers open up to 60 connections']],
])('says of %s what they need', async (_, workers, max, expected) => {
  const found = await checkWorkers(server(max), { workers, cores: 4, isPooled: false })
  expect(found.map(({ state, text }) => `${state}: ${text}`)).toEqual(
    expected.map((text) => expect.stringContaining(text)),
  )
})

it('leaves the connections of a pooler to the pooler', async () => {
  const found = await checkWorkers(server(20), { workers: 4, cores: 4, isPooled: true })
  expect(found.map(({ state }) => state)).toEqual(['ok'])
})
