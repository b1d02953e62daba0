import type { ChannelType } from './channel-type.ts'

/** Services that make videos alone. Ids are those that newer gateways of this kind use. */
export const videoMakers: readonly ChannelType[] = [
  {
    id: 55,
    name: 'Sora',
    provider: 'sora',
    defaultBaseUrl: 'https://api.openai.com',
    keyHint: 'sk-...',
    otherHint: '',
    models: ['sora-2', 'sora-2-pro'],
  },
]
