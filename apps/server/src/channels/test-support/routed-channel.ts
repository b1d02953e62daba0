import { openAiCompatible, type Provider } from '@tollgate/providers'
import { parseChannelSetting } from '../routing/channel-fields.ts'
import { ConsistentHash } from '../routing/consistent-hash.ts'
import type { RoutedChannel, Tier } from '../routing/routing-types.ts'
import { WeightedPicker } from '../routing/weighted-picker.ts'

/** A plain OpenAI-compatible provider. */
const testProvider: Provider = {
  id: 'test',
  defaultBaseUrl: '',
  ...openAiCompatible({
    id: 'test',
    serves: ['chat', 'completions', 'embeddings'],
    url: (mode, { baseUrl }) => `${baseUrl}/${mode}`,
  }),
}

/** A channel for tests: only what the test names differs from a plain, healthy one. */
export function routedChannel(change: Partial<RoutedChannel> & { readonly id: number }): RoutedChannel {
  return {
    name: `channel ${change.id}`,
    type: 1,
    status: 'enabled',
    provider: testProvider,
    baseUrl: 'http://upstream.test',
    baseUrlTrusted: true,
    setting: parseChannelSetting(''),
    mappingLoops: new Set(),
    keysSince: 0,
    openaiOrganization: '',
    other: '',
    keys: ['sk-upstream'],
    disabledKeys: new Map(),
    models: new Set(['m']),
    groups: ['default'],
    modelMapping: new Map(),
    statusCodeMapping: new Map(),
    paramOverride: null,
    autoBan: true,
    testModel: '',
    priority: 0,
    weight: 0,
    ...change,
  }
}

export function tier(priority: number, weighted: readonly (readonly [RoutedChannel, number])[]): Tier {
  const weights = weighted.map(([, weight]) => weight)
  return {
    priority,
    channels: weighted.map(([channel]) => channel),
    picker: new WeightedPicker(weights.some(Boolean) ? weights : weights.map(() => 1)),
    ordering: new ConsistentHash(weighted.map(([{ id }, weight]) => ({ id, weight }))),
    overrides: [],
  }
}
