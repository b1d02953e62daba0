import { expect, it } from 'bun:test'
import { createRefusedNotices } from './refused-notices.ts'

function setUp() {
  let now = 0
  const lines: { readonly facts: object; readonly text: string }[] = []
  const logger = { warn: (facts: object, text: string) => void lines.push({ facts, text }) }
  const refused = createRefusedNotices({ logger: logger as never }, { now: () => now })
  return { refused, lines, advance: (ms: number) => (now += ms) }
}

it('writes each cause of each provider at most once a minute, with what to compare', () => {
  const { refused, lines, advance } = setUp()
  for (let times = 0; times < 100; times += 1) {
    refused('epay', 'signature', 'USR1NOabc1764000000')
    refused('epay', 'merchant', 'USR1NOabc1764000000')
    refused('epay', 'order', 'USR1NOabc1764000000')
    refused('stripe', 'signature')
  }
  expect(
    lines.map(({ text }) => /compare the secret|compare EpayId|look for the payment/.exec(text)?.[0]),
  ).toEqual(['compare the secret', 'compare EpayId', 'look for the payment', 'compare the secret'])
  expect(lines.map(({ facts }) => facts)).toEqual([
    ...Array.from({ length: 3 }, () => ({ provider: 'epay', order: 'USR1NOabc1764000000' })),
    { provider: 'stripe' },
  ])
  advance(120_000)
  refused('epay', 'signature')
  expect(lines).toHaveLength(5)
})

it('writes no text that a stranger chose', () => {
  const { refused, lines, advance } = setUp()
  for (const text of ['', 'x', 'USR1NO\n{"level":60}', `USR1NO${'a'.repeat(5000)}`, '<script>']) {
    refused('epay', 'signature', text)
    advance(120_000)
  }
  expect(lines.map(({ facts }) => facts)).toEqual(Array.from({ length: 5 }, () => ({ provider: 'epay' })))
})
