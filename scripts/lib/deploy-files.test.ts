import { describe, expect, it } from 'bun:test'
import { at } from './root.mjs'

interface Compose {
  readonly 'x-node': {
    readonly stop_grace_period: string
    readonly environment: Readonly<Record<string, string>>
  }
  readonly services: Readonly<Record<string, { readonly volumes?: readonly string[] }>>
}

/** How long a node of a fleet drains unless `DRAIN_SECONDS` says otherwise. */
const drainSeconds = 5

const read = (...path: readonly string[]) => Bun.file(at('deploy', ...path)).text()
const compose = async () => Bun.YAML.parse(await read('compose.yaml')) as Compose
const nodesIn = (text: string) => [...new Set(text.match(/\bnode-\d\b/g))].sort()

describe('the files in deploy/', () => {
  it('name the nodes that compose starts, each with a volume of its own', async () => {
    const { services } = await compose()
    const nodes = Object.keys(services).filter((name) => name.startsWith('node-'))
    for (const file of ['nginx.conf', 'Caddyfile', 'envoy.yaml'])
      expect(nodesIn(await read(file))).toEqual(nodes)
    const volumes = nodes.map((name) => services[name]?.volumes?.[0])
    expect(new Set(volumes).size).toBe(nodes.length)
  })

  it('let calls in flight end before a node is killed', async () => {
    const { 'x-node': node } = await compose()
    const limit = Number(node.environment['SHUTDOWN_TIMEOUT'])
    expect(Number.parseInt(node.stop_grace_period, 10)).toBeGreaterThan(drainSeconds + limit)
    const chart = await read('helm', 'tollgate', 'templates', 'statefulset.yaml')
    expect(chart).toContain('terminationGracePeriodSeconds: {{ add .Values.shutdownSeconds 30 }}')
  })

  it('have nginx give up idle connections before a node that drains closes them', async () => {
    const [, seconds] = /\n {2}keepalive_timeout (\d+)s;/.exec(await read('nginx.conf')) ?? []
    expect(Number(seconds)).toBeLessThan(drainSeconds)
  })

  it('are values that the chart’s schema knows', async () => {
    const values = Bun.YAML.parse(await read('helm', 'tollgate', 'values.yaml')) as object
    const schema = JSON.parse(await read('helm', 'tollgate', 'values.schema.json')) as {
      properties: object
    }
    const known = Object.keys(schema.properties)
    expect(Object.keys(values).filter((name) => !known.includes(name))).toEqual([])
  })
})
