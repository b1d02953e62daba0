import { describe, expect, it } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { channelTypes } from '@tollgate/api/channel-types'
import { providerFor, providers } from './registry.ts'

describe('registry', () => {
  it('serves the channel types that the catalogue says, by the providers that it says', () => {
    const served = channelTypes.map((type) => [type.id, type.provider])
    expect(channelTypes.map((type) => [type.id, providerFor(type.id)?.id ?? ''])).toEqual(served)
  })

  it('calls the address that the form shows', () => {
    for (const type of channelTypes) {
      const provider = providerFor(type.id)
      if (provider !== undefined)
        expect([type.name, provider.defaultBaseUrl]).toEqual([type.name, type.defaultBaseUrl])
    }
  })

  it('has every provider folder, once', () => {
    const folders = readdirSync(import.meta.dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'fixtures')
      .map((entry) => entry.name)
    expect(providers.map((provider) => provider.id).sort()).toEqual(folders.sort())
  })

  it('has a page of the documentation for every provider', () => {
    const pages = new Set(readdirSync(join(import.meta.dir, '../../../docs/providers')))
    expect(providers.map(({ id }) => id).filter((id) => !pages.has(`${id}.md`))).toEqual([])
  })

  it('serves no type outside the table', () => {
    for (const id of [0, -1, 13.5, 999, Number.NaN]) expect(providerFor(id)).toBeUndefined()
  })
})
