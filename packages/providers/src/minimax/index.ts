import { openAiCompatible } from '../openai-compatible.ts'
import type { Provider, RelayMode } from '../provider.ts'
import { mergedEdits, numberWithin } from '../quirks.ts'
import { defaultBaseUrl, groupQuery } from './address.ts'
import { minimaxImages } from './images.ts'
import { minimaxSpeech } from './speech.ts'
import { isMinimaxVideo, minimaxVideo } from './video.ts'

const paths: { readonly [Mode in RelayMode]?: string } = {
  chat: '/text/chatcompletion_v2',
  images: '/image_generation',
  speech: '/t2a_v2',
}

/**
 * Failures are a 200 with `base_resp`; the last frame of a stream repeats the whole answer, which the stream reader
 * swallows. https://platform.minimaxi.com/document/ChatCompletion_v2
 */
const compatible = openAiCompatible({
  id: 'minimax',
  defaultBaseUrl,
  modes: ['chat', 'images', 'speech'],
  own: { images: minimaxImages, speech: minimaxSpeech },
  streamOptions: false,
  olderNames: ['system'],
  paths: (mode, { other }) => `${paths[mode]}${mode === 'speech' ? groupQuery(other) : ''}`,
  models: false,
  // Zero is refused.
  quirks: (request) =>
    mergedEdits(numberWithin(request, 'temperature', 0.01, 1), numberWithin(request, 'top_p', 0.01, 1)),
  codeKinds: {
    '1000': 'upstream_bug',
    '1001': 'timeout',
    '1002': 'rate_limited',
    '1004': 'unauthorized',
    '1008': 'quota',
    '1013': 'upstream_bug',
    '1024': 'upstream_bug',
    '1026': 'content_policy',
    '1027': 'content_policy',
    '1033': 'upstream_bug',
    '1039': 'rate_limited',
    '1041': 'rate_limited',
    '1042': 'bad_request',
    '2013': 'bad_request',
    '2044': 'forbidden',
    '2045': 'rate_limited',
    '2049': 'unauthorized',
    '2056': 'rate_limited',
  },
})

export const minimax: Provider = {
  ...compatible,
  tasks: { video: (model) => (isMinimaxVideo(model) ? minimaxVideo : undefined) },
}
