import { describe, expect, it } from 'bun:test'
import { defaults } from '@tollgate/api/settings'
import { buildSnapshot } from '../channels/routing/channel-snapshot.ts'
import { routedChannel } from '../channels/test-support/routed-channel.ts'
import { chatFirst } from './chat-models.ts'

const ratios = ['bespoke', 'embed', 'gpt-4o', 'text-embedding-3-small', 'whisper-1']
const settings = {
  ...defaults,
  ModelPrice: {},
  ModelRatio: Object.fromEntries(ratios.map((name) => [name, 1])),
}
const channel = routedChannel({
  id: 1,
  models: new Set([...ratios, 'another']),
  modelMapping: new Map([['embed', 'text-embedding-3-small']]),
})
const snapshot = buildSnapshot([channel], [])
const sorted = (models: readonly string[]) => chatFirst(models, settings, snapshot)

describe('models to choose from', () => {
  it('begin with those that chat and have a price, whatever their names', () => {
    expect(sorted(['another', 'bespoke', 'embed', 'gpt-4o', 'text-embedding-3-small', 'whisper-1'])).toEqual([
      'bespoke',
      'gpt-4o',
      'another',
      'embed',
      'text-embedding-3-small',
      'whisper-1',
    ])
  })

  it('are all there where none chats', () => {
    expect(sorted(['text-embedding-3-small', 'unserved'])).toEqual(['text-embedding-3-small', 'unserved'])
  })
})
