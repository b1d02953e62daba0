import { describe, expect, it } from 'bun:test'
import { openAiFormats } from '../openai/openai-compatible.ts'
import type { EndpointCall, Provider, Target, UpstreamEndpoint } from '../provider.ts'
import { providers } from '../registry.ts'
import { plainOrder } from '../test-support/video-order-samples.ts'

const call: EndpointCall = { stream: false, query: '', headers: {} }
const keys: Readonly<Record<string, string>> = { aws: 'id|secret|us-east-1' }

/** Names as nobody should give them, and names with slashes that vendors do give. */
const names = [
  '..',
  '.',
  '../x',
  'x/..',
  '../../../admin',
  'a/../b',
  './a',
  'a/./b',
  '%2e%2e',
  '%2e%2e/x',
  'a/b?c#d',
  'a?b',
  'a#b',
  'a b&c=d',
  'a\\..\\b',
  '\\..\\..',
  'a\tb\nc',
  'a%2Fb',
  'a;b@c:d',
  'name\ud800',
  'http://elsewhere.example/x',
  '//elsewhere.example',
]
const harmless = ['qqqq', 'qq/zz', 'gpt-qqqq']

type Build = (target: Target) => UpstreamEndpoint | undefined

/** Every way in which a provider makes an address of a model's name. */
function buildersOf(provider: Provider): readonly (readonly [string, Build])[] {
  const operations = provider.modes.flatMap((mode) =>
    [openAiFormats[mode], 'gemini', 'anthropic-messages', 'openai-responses', 'gemini-embedding'].map(
      (format) =>
        [
          `${mode} as ${format}`,
          (target: Target) => provider.operation(mode, target, format as never)?.endpoint(target, call),
        ] as const,
    ),
  )
  return [
    ...operations,
    ['counting', (target) => provider.counting?.(target)?.endpoint(target, call)],
    ['realtime', (target) => provider.realtime?.endpoint(target, call)],
    ['video', (target) => provider.tasks?.video?.(target.upstreamModel)?.submit(plainOrder, target)],
  ]
}

/** The address as a server reads it. `undefined` when the name is refused, or the provider has none of the kind. */
function addressOf(build: Build, target: Target): URL | undefined {
  try {
    const url = build(target)?.url
    return url === undefined ? undefined : new URL(url.replace(/^ws/, 'http'))
  } catch (error) {
    if (error instanceof URIError || !(error instanceof Error)) throw error
    return undefined
  }
}

/** Returns the parts around the name in an address. */
function frameOf(build: Build, target: Target, name: string) {
  const address = addressOf(build, { ...target, upstreamModel: name })
  if (address === undefined) return undefined
  const { origin, pathname, search } = address
  const positions = pathname.split(name)
  const parameters = [...new URLSearchParams(search).keys()].join()
  return {
    origin,
    before: positions[0] ?? '',
    after: positions.length > 1 ? (positions.at(-1) ?? '') : '',
    parameters,
  }
}

function fits({ origin, pathname, search, hash }: URL, frame: ReturnType<typeof frameOf>): boolean {
  return (
    frame !== undefined &&
    origin === frame.origin &&
    hash === '' &&
    // A vendor's own prefix may be encoded with the name.
    pathname.replaceAll('%2F', '/').startsWith(frame.before) &&
    pathname.endsWith(frame.after) &&
    pathname.length >= frame.before.length + frame.after.length &&
    [...new URLSearchParams(search).keys()].join() === frame.parameters
  )
}

describe('the name of a model in an address', () => {
  for (const provider of providers) {
    const target: Target = {
      baseUrl:
        provider.id === 'custom' ? 'http://127.0.0.1:9/d/{model}/chat?m={model}' : 'http://127.0.0.1:9',
      key: keys[provider.id] ?? 'k-1',
      upstreamModel: '',
      openaiOrganization: '',
      other: provider.id === 'azure' ? '2024-10-21' : 'acc',
    }
    it(`of ${provider.id} changes nothing of the address but its own place`, () => {
      for (const [way, build] of buildersOf(provider)) {
        const frames = harmless.map((name) => frameOf(build, target, name))
        for (const name of names) {
          const address = addressOf(build, { ...target, upstreamModel: name })
          if (address === undefined) continue
          const isPositioned = frames.some((frame) => fits(address, frame))
          expect([way, name, address.href, isPositioned]).toEqual([way, name, address.href, true])
        }
      }
    })
  }
})
