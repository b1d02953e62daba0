import { describe, expect, it } from 'bun:test'
import { runtimeVariables } from './launch.mjs'
import { at } from './root.mjs'

interface Compose {
  readonly 'x-node': {
    readonly stop_grace_period: string
    readonly environment: Readonly<Record<string, string>>
  }
  readonly services: Readonly<Record<string, { readonly volumes?: readonly string[] }>>
}

interface Scrapes {
  readonly scrape_configs: readonly {
    readonly static_configs: readonly { readonly targets: readonly string[] }[]
  }[]
}

/** Time for which a gateway serves on whose socket stays open for the next process. */
const handOverSeconds = 2
/** The default of `MAX_UPLOAD_MB`. */
const uploadMegabytes = 256
/** Time for which a node of a fleet drains unless `DRAIN_SECONDS` says otherwise. */
const drainSeconds = 5

const read = (...path: readonly string[]) => Bun.file(at('deploy', ...path)).text()
const compose = async () => Bun.YAML.parse(await read('compose.yaml')) as Compose
/** Each block of nginx's settings by itself, without those within it. */
function positionsOf(text: string): readonly string[] {
  const open: string[] = ['']
  const closed: string[] = []
  for (const line of text.split('\n')) {
    if (/^\s*#/.test(line)) continue
    if (line.trim() === '}') closed.push(open.pop() ?? '')
    else if (line.trim().endsWith('{')) open.push('')
    else open.push(`${open.pop()}${line}\n`)
  }
  return [...closed, ...open]
}

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

  it('have nginx give up idle connections of a single gateway before that one closes them', async () => {
    const [, seconds] = /\n {2}keepalive_timeout (\d+)s;/.exec(await read('nginx-site.conf')) ?? []
    expect(Number(seconds)).toBeLessThan(handOverSeconds)
  })

  it('have every proxy take the largest bodies that the gateway takes', async () => {
    for (const file of ['nginx.conf', 'nginx-site.conf'])
      expect(await read(file)).toContain(`client_max_body_size ${uploadMegabytes}m;`)
    expect(await read('Caddyfile')).toContain(`max_size ${uploadMegabytes}MB`)
    expect(await read('helm', 'tollgate', 'values.yaml')).toContain(`proxy-body-size: ${uploadMegabytes}m`)
  })

  it.each(['nginx.conf', 'nginx-site.conf'])('have %s send every header at every location', async (file) => {
    const text = await read(file)
    const names = ['Host', 'X-Forwarded-For', 'X-Forwarded-Proto', 'Upgrade', 'Connection']
    for (const position of positionsOf(text)) {
      const own = [...position.matchAll(/^\s*proxy_set_header (\S+)/gm)].map(([, name]) => name)
      if (own.length > 0) expect(own).toEqual(names)
    }
    const [server = ''] = positionsOf(text).filter((position) => position.includes('proxy_set_header'))
    expect(server).toContain('proxy_set_header Upgrade $http_upgrade;')
    expect(text).toContain('proxy_set_header Connection $connection_upgrade;')
  })

  it('are what the guide shows as settings of nginx', async () => {
    const guide = await Bun.file(at('docs', 'operators-guide.md')).text()
    const visible = [...guide.matchAll(/```nginx\n([\s\S]*?)\n```/g)].map(([, text]) => `${text}\n`)
    expect(visible).toEqual([await read('nginx-site.conf')])
  })

  it('have Prometheus scrape every node of the compose file at the port that it opens', async () => {
    const { 'x-node': node, services } = await compose()
    const { scrape_configs } = Bun.YAML.parse(await read('monitoring', 'prometheus.yml')) as Scrapes
    const port = node.environment['METRICS_LISTEN']?.split(':').at(-1)
    const nodes = Object.keys(services).filter((name) => name.startsWith('node-'))
    const [scrape] = scrape_configs
    expect(scrape?.static_configs[0]?.targets).toEqual(nodes.map((name) => `${name}:${port}`))
    expect(scrape).not.toHaveProperty('authorization')
    expect(services['prometheus']?.volumes).toContain('./monitoring:/etc/prometheus:ro')
  })

  it('are values that the chart’s schema knows', async () => {
    const values = Bun.YAML.parse(await read('helm', 'tollgate', 'values.yaml')) as object
    const schema = JSON.parse(await read('helm', 'tollgate', 'values.schema.json')) as {
      properties: object
    }
    const known = Object.keys(schema.properties)
    expect(Object.keys(values).filter((name) => !known.includes(name))).toEqual([])
  })

  it('set the variables of the runtime that every other start sets', async () => {
    const set = Object.entries(runtimeVariables)
    for (const file of ['Dockerfile', 'tollgate.service'])
      for (const [name, value] of set) expect(await read(file)).toContain(` ${name}=${value}`)
    const executable = await Bun.file(at('apps', 'server', 'src', 'executable.ts')).text()
    for (const [name, value] of set) expect(executable).toContain(`${name}: '${value}'`)
  })
})
