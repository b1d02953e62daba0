import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { at } from '../../../scripts/lib/root.mjs'
import { findTool, tools } from '../../../scripts/lib/tools.mjs'
import { makeCertificate } from '../../support/network/certificate.ts'

const chart = at('deploy', 'helm', 'tollgate')
/** The oldest that the chart takes, and the newest whose schemas are here. */
const kubernetes = ['1.27', '1.37'] as const
const url = 'database.url=postgres://user:password@db/tollgate'
const secret = 'secret.value=a master key of at least 32 characters'
const existing = ['database.existingSecret=db', 'secret.existingSecret=master']
const always = ['PodDisruptionBudget', 'Service', 'Service', 'StatefulSet']

const variants: Readonly<
  Record<string, { readonly set: readonly string[]; readonly kinds: readonly string[] }>
> = {
  'the address in a Secret of its own': { set: [url, secret], kinds: [...always, 'Secret'] },
  'existing Secrets': { set: existing, kinds: always },
  'Redis and more of the environment': {
    set: [
      ...existing,
      'env.REDIS_URL=redis://redis:6379',
      'envFrom[0].secretRef.name=more',
      'podAnnotations.a=b',
    ],
    kinds: always,
  },
  'an ingress with TLS': {
    set: [
      url,
      'secret.existingSecret=master',
      'ingress.enabled=true',
      'ingress.className=nginx',
      'ingress.host=ai.example',
      'ingress.tlsSecret=tls',
    ],
    kinds: [...always, 'Secret', 'Ingress'],
  },
  'one node, placed by hand': {
    set: [
      ...existing,
      'replicas=1',
      'nodeSelector.disk=local',
      'tolerations[0].operator=Exists',
      'journal.storageClass=local',
      'imagePullSecrets[0].name=registry',
    ],
    kinds: ['Service', 'Service', 'StatefulSet'],
  },
}

interface Output {
  readonly code: number
  readonly output: string
}

function has(...keys: readonly (keyof typeof tools)[]): boolean {
  return keys.every((key) => findTool(key) !== undefined)
}

function run(key: keyof typeof tools, args: readonly string[], home = tmpdir()): Output {
  const program = findTool(key) ?? ''
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_DATA_HOME: home,
    XDG_CONFIG_HOME: home,
    // A Python program in the cache has its libraries beside it.
    PYTHONPATH: join(program, '..', '..'),
  }
  const { exitCode, stdout, stderr } = Bun.spawnSync([program, ...args], { env, cwd: home })
  return { code: exitCode, output: `${stdout}${stderr}` }
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-deploy-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Both majors that people have. */
const helms = ['helm', 'helm-3'] as const

for (const major of helms)
  describe.skipIf(!has(major, 'kubernetes-validate'))(`the chart by ${tools[major].name}`, () => {
    const options = (set: readonly string[]) => set.flatMap((value) => ['--set', value])
    const helm = (command: readonly string[], set: readonly string[]) =>
      run(major, [...command, ...options(set), '--kube-version', `v${kubernetes[1]}.0`], folder)

    const validate = (file: string) =>
      run(
        'kubernetes-validate',
        ['--strict', ...kubernetes.flatMap((version) => ['-k', version]), file],
        folder,
      )

    for (const [name, { set, kinds }] of Object.entries(variants)) {
      it(`is what Kubernetes knows, with ${name}`, () => {
        expect(helm(['lint', '--strict', chart], set)).toMatchObject({ code: 0 })
        const { code, output } = helm(['template', 'fleet', chart], set)
        expect(code).toBe(0)
        const objects = Bun.YAML.parse(output) as readonly ({ kind: string } | null)[]
        expect(objects.flatMap((object) => object?.kind ?? []).sort()).toEqual([...kinds].sort())
        const file = join(folder, 'rendered.yaml')
        writeFileSync(file, output)
        expect(validate(file)).toMatchObject({ code: 0 })
      })
    }

    it('is refused without a database, with a short master key, or with a value that it does not know', () => {
      for (const [set, stated] of [
        [[secret], 'database'],
        [[url, 'secret.value=short'], 'secret'],
        [[url, secret, 'replica=3'], 'replica'],
      ] as const) {
        const { code, output } = helm(['template', 'fleet', chart], set)
        expect([code, output]).toEqual([1, expect.stringContaining(stated)])
      }
    })

    it('would be found wrong by this check when it has a field that Kubernetes does not know', () => {
      const { output } = helm(['template', 'fleet', chart], existing)
      const file = join(folder, 'wrong.yaml')
      writeFileSync(file, output.replace('terminationGracePeriodSeconds:', 'terminationGraceSeconds:'))
      const { code, output: stated } = validate(file)
      expect([code, stated]).toEqual([1, expect.stringContaining('terminationGraceSeconds')])
    })
  })

describe('who is trusted to say who calls', () => {
  interface Compose {
    readonly services: Readonly<
      Record<
        string,
        {
          readonly environment?: Readonly<Record<string, string>>
          readonly networks?: Readonly<Record<string, { readonly ipv4_address?: string }>>
        }
      >
    >
    readonly networks: {
      readonly default: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } }
    }
  }

  it('is the proxy of the compose file alone, at its own address', async () => {
    const { services, networks } = Bun.YAML.parse(
      await Bun.file(at('deploy', 'compose.yaml')).text(),
    ) as Compose
    const proxy = services['nginx']?.networks?.['default']?.ipv4_address ?? ''
    expect(isIP(proxy)).toBe(4)
    const [network = '', length] = networks.default.ipam.config[0]?.subnet.split('/') ?? []
    const subnet = new BlockList()
    subnet.addSubnet(network, Number(length))
    expect(subnet.check(proxy)).toBe(true)
    const nodes = Object.entries(services).filter(([name]) => name.startsWith('node-'))
    expect(nodes).toHaveLength(3)
    for (const [, { environment }] of nodes) expect(environment?.['TRUSTED_PROXIES']).toBe(proxy)
    const addresses = Object.values(services).flatMap(
      ({ networks: own }) => own?.['default']?.ipv4_address ?? [],
    )
    expect(addresses).toEqual([proxy])
  })

  it.each(helms.filter((major) => has(major)))(
    'is nobody in the chart until the ingress controller is named: %s',
    (major) => {
      const trusted = (...set: string[]) => {
        const options = [...existing, ...set].flatMap((value) => ['--set', value])
        const version = ['--kube-version', `v${kubernetes[1]}.0`]
        const { code, output } = run(major, ['template', 'fleet', chart, ...options, ...version], folder)
        return [code, /TRUSTED_PROXIES\s+value: "?([^"\n]*)/.exec(output)?.[1]]
      }
      expect(trusted()).toEqual([0, undefined])
      expect(trusted('ingress.enabled=true')).toEqual([0, undefined])
      expect(trusted('trustedProxies=10.244.3.9')).toEqual([0, '10.244.3.9'])
      expect(trusted('trustedProxies=everyone')[0]).toBe(1)
    },
  )

  it('is no private range in any file that is shipped', async () => {
    const whole =
      /\b(10\.0\.0\.0\/8|172\.16\.0\.0\/12|192\.168\.0\.0\/16|100\.64\.0\.0\/10|0\.0\.0\.0\/0|fc00::\/7|private_ranges)/
    const files = [...new Bun.Glob('**/*').scanSync({ cwd: at('deploy'), onlyFiles: true })]
    expect(files.length).toBeGreaterThan(10)
    for (const file of files) {
      const stated = whole.exec(await Bun.file(at('deploy', file)).text())?.[0]
      expect([file, stated]).toEqual([file, undefined])
    }
  })
})

describe('the image and the compose file', () => {
  it.skipIf(!has('hadolint'))('break no rule of Hadolint', () => {
    expect(run('hadolint', [at('deploy', 'Dockerfile')])).toMatchObject({ code: 0, output: '' })
    const careless = join(folder, 'Dockerfile')
    writeFileSync(careless, 'FROM debian\nRUN apt-get install curl\n')
    expect(run('hadolint', [careless])).toMatchObject({ code: 1, output: expect.stringContaining('DL3006') })
  })

  it.skipIf(!has('check-jsonschema'))('keep to the schema of the Compose specification', () => {
    const check = (file: string) =>
      run('check-jsonschema', ['--builtin-schema', 'vendor.compose-spec', file], folder)
    expect(check(at('deploy', 'compose.yaml'))).toMatchObject({ code: 0 })
    const wrong = join(folder, 'compose.yaml')
    writeFileSync(wrong, 'services: { node: { imagee: tollgate } }\n')
    expect(check(wrong)).toMatchObject({ code: 1, output: expect.stringContaining('imagee') })
  })
})

describe('the settings of proxies', () => {
  it.skipIf(!has('nginx'))('are understood by nginx', async () => {
    // Names of nodes are looked up at once: here they have no addresses.
    const settings = await Bun.file(at('deploy', 'nginx.conf')).text()
    writeFileSync(join(folder, 'fleet.conf'), settings.replace(/\bnode-(\d):3000/g, '127.0.0.1:300$1'))
    mkdirSync(join(folder, 'logs'), { recursive: true })
    const file = join(folder, 'nginx.conf')
    writeFileSync(file, `pid ${folder}/pid; events {} http { include ${folder}/fleet.conf; }`)
    const { code, output } = run('nginx', ['-t', '-p', folder, '-e', join(folder, 'error.log'), '-c', file])
    expect([code, output]).toEqual([0, expect.stringContaining('test is successful')])
    expect(output).not.toContain('[warn]')
  })

  it.skipIf(!has('nginx', 'openssl'))('of a single gateway are understood by nginx', async () => {
    const own = await makeCertificate('localhost')
    try {
      const site = (await Bun.file(at('deploy', 'nginx-site.conf')).text())
        .replace(/\/etc\/ssl\S+fullchain.pem/, own.authority)
        .replace(/\/etc\/ssl\S+privkey.pem/, join(dirname(own.authority), 'own.key'))
      writeFileSync(join(folder, 'site.conf'), site)
      mkdirSync(join(folder, 'logs'), { recursive: true })
      const file = join(folder, 'nginx-of-a-site.conf')
      writeFileSync(file, `pid ${folder}/pid; events {} http { include ${folder}/site.conf; }`)
      const { code, output } = run('nginx', ['-t', '-p', folder, '-e', join(folder, 'error.log'), '-c', file])
      expect([code, output]).toEqual([0, expect.stringContaining('test is successful')])
    } finally {
      own.remove()
    }
  })

  it.skipIf(!has('caddy'))('are understood by Caddy', () => {
    const args = ['validate', '--adapter', 'caddyfile', '--config', at('deploy', 'Caddyfile')]
    expect(run('caddy', args, folder)).toMatchObject({ code: 0 })
  })

  it.skipIf(!has('envoy'))('are understood by Envoy', () => {
    const { code, output } = run('envoy', ['--mode', 'validate', '-c', at('deploy', 'envoy.yaml')], folder)
    expect([code, output]).toEqual([0, expect.stringContaining('OK')])
  })
})
