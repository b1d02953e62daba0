import { expect, it } from 'bun:test'
import { createRefusedNotices } from './refused-notices.ts'

it('writes each cause of each provider at most once a minute, with what to compare', () => {
  let now = 0
  const lines: { readonly provider: string; readonly text: string }[] = []
  const warn = ({ provider }: { provider: string }, text: string) => void lines.push({ provider, text })
  const refused = createRefusedNotices({ logger: { warn } as never }, { now: () => now })
  const causes = ['signature', 'merchant', 'order'] as const
  const refuseAll = () => {
    for (const cause of causes) refused('epay', cause)
    refused('stripe', 'signature')
  }
  for (let times = 0; times < 100; times += 1) refuseAll()
  const texts = ['compare the secret', 'compare EpayId', 'look for the payment', 'compare the secret']
  expect(lines).toEqual(
    texts.map((text, index) => ({
      provider: index < causes.length ? 'epay' : 'stripe',
      text: expect.stringContaining(text),
    })),
  )
  now += 120_000
  refuseAll()
  expect(lines).toHaveLength(8)
})
