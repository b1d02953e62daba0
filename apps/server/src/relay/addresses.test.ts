import { describe, expect, it } from 'bun:test'
import type { RelayMode } from '@tollgate/providers'
import type { RoutedChannel } from '../channels/routing-types.ts'
import { createAddressBook } from './addresses.ts'

/** A channel whose provider writes everything it is given into the address. */
function channel(baseUrl: string, keys: readonly string[] = ['k0', 'k1']) {
  let composed = 0
  const endpoint = (mode: RelayMode, { key, upstreamModel }: { key: string; upstreamModel: string }) => {
    composed += 1
    return { url: `${baseUrl}/${mode}/${upstreamModel}`, headers: { authorization: key } }
  }
  return {
    channel: { baseUrl, keys, provider: { endpoint } } as unknown as RoutedChannel,
    composed: () => composed,
  }
}

describe('address book', () => {
  it('gives each channel, mode, key and model its own address, whatever was asked for before', () => {
    const addresses = createAddressBook()
    const channels = [channel('http://a'), channel('http://b')]
    const asked = channels.flatMap(({ channel }) =>
      (['chat', 'embeddings'] as const).flatMap((mode) =>
        [0, 1].flatMap((key) => ['m', 'n'].map((model) => ({ channel, mode, key, model }))),
      ),
    )
    for (const round of [asked, asked.toReversed(), asked])
      for (const { channel, mode, key, model } of round) {
        const { url, headers, head, origin } = addresses(channel, mode, key, model)
        expect(url).toBe(`${channel.baseUrl}/${mode}/${model}`)
        expect(headers.get('authorization')).toBe(`k${key}`)
        expect(head).toContain(` /${mode}/${model} HTTP/1.1\r\n`)
        expect(origin).toBe(channel.baseUrl)
        expect(head).toContain(`authorization: k${key}\r\n`)
      }
    expect(channels.map(({ composed }) => composed())).toEqual([8, 8])
  })

  it('says what all upstreams are told, and lets a provider say otherwise', () => {
    const addresses = createAddressBook()
    const a = addresses(channel('http://a', ['k0']).channel, 'chat', 0, 'm')
    expect(a.head).toContain('\r\naccept-encoding: identity\r\n')
    expect(a.headers.get('user-agent')).toBe('Tollgate')
    const endpoint = () => ({ url: 'http://a/', headers: { 'user-agent': 'its own', authorization: 'k' } })
    const special = { baseUrl: 'http://a', keys: ['k'], provider: { endpoint } } as unknown as RoutedChannel
    const { head, headers } = addresses(special, 'chat', 0, 'm')
    expect(head.match(/user-agent: .*/g)).toEqual(['user-agent: its own'])
    expect(headers.get('user-agent')).toBe('its own')
  })

  it('keeps a bounded number of them', () => {
    const addresses = createAddressBook()
    const { channel: only, composed } = channel('http://a')
    const models = Array.from({ length: 300 }, (_, index) => `m${index}`)
    for (const model of models) expect(addresses(only, 'chat', 0, model).url).toEndWith(`/${model}`)
    addresses(only, 'chat', 0, 'm299')
    addresses(only, 'chat', 0, 'm0')
    expect(composed()).toBe(301)
  })

  it('keeps nothing of an address that cannot be sent', () => {
    const addresses = createAddressBook()
    const { channel: broken } = channel('http://a', ['good', 'b\u00e4d'])
    expect(() => addresses(broken, 'chat', 1, 'm')).toThrow(TypeError)
    expect(addresses(broken, 'chat', 0, 'm').headers.get('authorization')).toBe('good')
    expect(() => addresses(broken, 'chat', 1, 'm')).toThrow(TypeError)
  })
})
